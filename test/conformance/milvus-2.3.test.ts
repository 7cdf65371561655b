import { afterAll, beforeAll, expect, it } from "vitest";
import { collectionCases } from "../../src/testing/collection/collection-cases.ts";
import { selectCases } from "../../src/testing/conformance-case.ts";
import { openTestDatabase } from "../plugins/milvus/open-test-database.ts";
import { pooledCollections } from "../plugins/milvus/pooled-collections.ts";
import { describeWithServer } from "../servers/describe-with-server.ts";
import { milvus23, type MilvusServer, startMilvus } from "../servers/milvus.ts";
import { testCases } from "./run-cases.ts";

const capabilities = ["scope", "atomic", "unique-keys", "vectors", "exact-vectors"];

describeWithServer(milvus23, () => {
  let server: MilvusServer | undefined;
  let connection: Awaited<ReturnType<typeof openTestDatabase>> | undefined;

  beforeAll(async () => {
    server = await startMilvus(milvus23);
    connection = await openTestDatabase({ address: server.address });
  }, 130_000);

  afterAll(async () => {
    await connection?.close();
    await server?.stop();
  }, 60_000);

  const subject = pooledCollections(() => {
    if (connection === undefined) throw new Error("not connected");
    return connection.database;
  });
  testCases(collectionCases, subject, capabilities, 60_000);
});

it("a collection on Milvus is held to every case", () => {
  expect(selectCases(collectionCases, capabilities).leftOut).toEqual([]);
});
