import { afterAll, beforeAll, expect, it } from "vitest";
import { collectionCases } from "../../src/testing/collection/collection-cases.ts";
import type { CollectionSubject } from "../../src/testing/collection/collection-subject.ts";
import { selectCases } from "../../src/testing/conformance-case.ts";
import { openTestCollection } from "../plugins/milvus/open-test-collection.ts";
import { openTestDatabase } from "../plugins/milvus/open-test-database.ts";
import { describeWithServer } from "../servers/describe-with-server.ts";
import { milvusLite, type MilvusServer, startMilvus } from "../servers/milvus.ts";
import { testCases } from "./run-cases.ts";

const capabilities = ["scope", "atomic", "unique-keys", "vectors", "exact-vectors"];

describeWithServer(milvusLite, () => {
  let server: MilvusServer | undefined;
  let connection: Awaited<ReturnType<typeof openTestDatabase>> | undefined;
  let tables = 0;

  beforeAll(async () => {
    server = await startMilvus();
    connection = await openTestDatabase({ address: server.address });
  }, 130_000);

  afterAll(async () => {
    await connection?.close();
    await server?.stop();
  }, 60_000);

  /** Each case gets a collection of its own. */
  const subject: CollectionSubject = {
    open: async ({ name, ...configuration }) => {
      tables += 1;
      const { collection } = await openTestCollection({ ...configuration, table: `case_${tables}` }, { name, database: connection?.database });
      return { collection, close: async () => undefined };
    },
  };
  testCases(collectionCases, subject, capabilities, 60_000);
});

it("a collection on Milvus is held to every case", () => {
  expect(selectCases(collectionCases, capabilities).leftOut).toEqual([]);
});
