import type { CollectionSubject } from "../../src/testing/collection/collection-subject.ts";
import { openTestCollection as openMilvusCollection } from "../plugins/milvus/open-test-collection.ts";
import { openTestDatabase as openMilvusDatabase } from "../plugins/milvus/open-test-database.ts";
import { openTestCollection as openMysqlCollection } from "../plugins/mysql/open-test-collection.ts";
import { openTestDatabase as openMysqlDatabase } from "../plugins/mysql/open-test-database.ts";
import { openCollection as openPostgresCollection, openDatabase as openPostgresDatabase } from "../plugins/postgres/open-test-postgres.ts";
import { openCollection, openDatabase } from "../plugins/sqlite/open-test-collection.ts";
import { startMariadb } from "../servers/mariadb.ts";
import { startMilvus } from "../servers/milvus.ts";
import { postgres18, startPostgres } from "../servers/postgres.ts";

/** An engine that runs, and how it ends. */
export interface RunningEngine extends CollectionSubject {
  stop(): Promise<void>;
}

/** Engines by name: each call starts what it needs on this machine. */
const engines: Readonly<Record<string, () => Promise<RunningEngine>>> = {
  sqlite: async () => ({
    open: async ({ name, ...configuration }) => {
      const database = await openDatabase(":memory:");
      const { collection, close } = await openCollection(configuration, { name, database: database.value });
      return {
        collection,
        close: async () => {
          await close();
          await database.close?.();
        },
      };
    },
    stop: async () => {},
  }),
  postgres: async () => {
    const server = await startPostgres(postgres18);
    const connection = await orStop(server, async () => openPostgresDatabase({ url: await server.createDatabase() }));
    return {
      open: async ({ name, ...configuration }) => {
        const { collection, opened } = await openPostgresCollection({ ...configuration, table: nextTable() }, { name, database: connection.value });
        return { collection, close: async () => await opened.close?.() };
      },
      stop: async () => {
        await Promise.resolve(connection.close?.()).finally(() => server.stop());
      },
    };
  },
  mariadb: async () => {
    const server = await startMariadb();
    const connection = await orStop(server, async () => openMysqlDatabase({ url: await server.createDatabase() }));
    return {
      open: async ({ name, ...configuration }) => {
        const { collection } = await openMysqlCollection({ ...configuration, table: nextTable() }, { name, database: connection.database });
        return { collection, close: async () => undefined };
      },
      stop: async () => {
        await connection.close().finally(() => server.stop());
      },
    };
  },
  milvus: async () => {
    const server = await startMilvus();
    const connection = await orStop(server, async () => openMilvusDatabase({ address: server.address }));
    return {
      open: async ({ name, ...configuration }) => {
        const { collection } = await openMilvusCollection({ ...configuration, table: nextTable() }, { name, database: connection.database });
        return { collection, close: async () => undefined };
      },
      stop: async () => {
        await connection.close().finally(() => server.stop());
      },
    };
  },
};

/** No server is left running where nobody can connect to it. */
async function orStop<T>(server: { stop(): Promise<void> }, connect: () => Promise<T>): Promise<T> {
  try {
    return await connect();
  } catch (error) {
    await server.stop();
    throw error;
  }
}

let tables = 0;

/** Each collection gets a table of its own on a server that several share. */
function nextTable(): string {
  tables += 1;
  return `soak_${tables}`;
}

/**
 * Works with an empty collection of an engine.
 *
 * @throws Error Where no engine has the name.
 */
export async function withEngine(name: string, work: (engine: RunningEngine) => Promise<void>): Promise<void> {
  const start = engines[name];
  if (start === undefined) throw new Error(`No engine is called "${name}"; there are ${Object.keys(engines).join(", ")}`);
  const engine = await start();
  try {
    await work(engine);
  } finally {
    await engine.stop();
  }
}
