import type { PGlite } from "@electric-sql/pglite";
import type { Pool, PoolConfig } from "pg";
import { CollectionFault } from "../sql/collection-fault.ts";

/**
 * Makes a pool of `pg`, which is there only for those who use it.
 *
 * @throws CollectionFault `database` When it is not installed.
 */
export async function createPool(configuration: PoolConfig): Promise<Pool> {
  const { default: pg } = await driver("pg", () => import("pg"));
  return new pg.Pool(configuration);
}

/**
 * Opens PostgreSQL in this process, with pgvector, and BM25 where its package is installed.
 *
 * @param folder Absolute folder; undefined for a database that is gone at the end.
 * @throws CollectionFault `database` When PGlite is not installed.
 */
export async function openPglite(folder: string | undefined): Promise<PGlite> {
  const { PGlite } = await driver("@electric-sql/pglite", () => import("@electric-sql/pglite"));
  const { vector } = await driver("@electric-sql/pglite-pgvector", () => import("@electric-sql/pglite-pgvector"));
  const textSearch = await import("@electric-sql/pglite-pg_textsearch").then(
    (module) => module.pg_textsearch,
    () => undefined,
  );
  const extensions = { vector, ...(textSearch === undefined ? {} : { pg_textsearch: textSearch }) };
  return await PGlite.create({ extensions, ...(folder === undefined ? {} : { dataDir: folder }) });
}

async function driver<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new CollectionFault("database", `The plugin "postgres" needs the package "${name}", which is not installed: npm install ${name}`, { cause });
  }
}
