import { afterAll, beforeAll, expect, it } from "vitest";
import { collectionCases } from "../../src/testing/collection/collection-cases.ts";
import type { CollectionSubject } from "../../src/testing/collection/collection-subject.ts";
import { selectCases } from "../../src/testing/conformance-case.ts";
import { openTestCollection } from "../plugins/mysql/open-test-collection.ts";
import { openTestDatabase } from "../plugins/mysql/open-test-database.ts";
import { describeWithServer } from "../servers/describe-with-server.ts";
import { mariadb, type MariadbServer, startMariadb } from "../servers/mariadb.ts";
import { testCases } from "./run-cases.ts";

const capabilities = ["scope", "atomic", "unique-keys", "vectors", "exact-vectors"];

describeWithServer(mariadb, () => {
  let server: MariadbServer;
  let connection: Awaited<ReturnType<typeof openTestDatabase>>;
  let tables = 0;

  beforeAll(async () => {
    server = await startMariadb();
    connection = await openTestDatabase({ url: await server.createDatabase() });
  }, 60_000);

  afterAll(async () => {
    await connection.close();
    await server.stop();
  });

  /** Each case gets a table of its own. */
  const subject: CollectionSubject = {
    open: async ({ name, ...configuration }) => {
      tables += 1;
      const { collection } = await openTestCollection({ ...configuration, table: `case_${tables}` }, { name, database: connection.database });
      return { collection, close: async () => undefined };
    },
  };
  testCases(collectionCases, subject, capabilities, 60_000);
});

it("a collection on MariaDB is held to every case", () => {
  expect(selectCases(collectionCases, capabilities).leftOut).toEqual([]);
});
