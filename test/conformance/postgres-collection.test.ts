import type { Opened } from "@codesoul-co/ditto/plugin";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { collectionCases } from "../../src/testing/collection/collection-cases.ts";
import type { CollectionSubject } from "../../src/testing/collection/collection-subject.ts";
import { selectCases } from "../../src/testing/conformance-case.ts";
import { openCollection, openDatabase } from "../plugins/postgres/open-test-postgres.ts";
import { describeWithServer } from "../servers/describe-with-server.ts";
import { postgres15, postgres18, type PostgresServer, startPostgres } from "../servers/postgres.ts";
import { testCases } from "./run-cases.ts";

const capabilities = ["scope", "atomic", "unique-keys", "vectors", "exact-vectors"];
let tables = 0;

/** Each case gets a table of its own. */
function subjectIn(database: () => unknown): CollectionSubject {
  return {
    open: async ({ name, ...configuration }) => {
      tables += 1;
      const { collection, opened } = await openCollection({ ...configuration, table: `kb_${tables}` }, { name, database: database() });
      return { collection, close: async () => await opened.close?.() };
    },
  };
}

/** Bytes of texts must compare whatever the database's own locale is. */
describeWithServer(postgres15, () => {
  let server: PostgresServer;
  let connection: Opened<unknown>;
  beforeAll(async () => {
    server = await startPostgres(postgres15);
    connection = await openDatabase({ url: await server.createDatabase("TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US'") });
  }, 60_000);
  afterAll(async () => {
    await connection?.close?.();
    await server?.stop();
  });
  testCases(
    collectionCases,
    subjectIn(() => connection.value),
    capabilities,
    60_000,
  );
});

describeWithServer(postgres18, () => {
  let server: PostgresServer;
  let connection: Opened<unknown>;
  beforeAll(async () => {
    server = await startPostgres(postgres18);
    connection = await openDatabase({ url: await server.createDatabase() });
  }, 60_000);
  afterAll(async () => {
    await connection?.close?.();
    await server?.stop();
  });
  testCases(
    collectionCases,
    subjectIn(() => connection.value),
    capabilities,
    60_000,
  );
});

describe("PostgreSQL in this process", () => {
  let connection: Opened<unknown>;
  beforeAll(async () => {
    connection = await openDatabase({ embedded: true });
    await connection.check?.(new AbortController().signal);
  }, 120_000);
  afterAll(async () => await connection?.close?.());
  testCases(
    collectionCases,
    subjectIn(() => connection.value),
    capabilities,
    120_000,
  );
});

it("a PostgreSQL collection is held to every case", () => {
  expect(selectCases(collectionCases, capabilities).leftOut).toEqual([]);
});
