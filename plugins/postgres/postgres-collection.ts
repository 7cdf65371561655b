import type { Collection, Opened, OpenScope } from "@codesoul-co/ditto/plugin";
import { openTableCollection } from "../sql/collection/open-table-collection.ts";
import type { CollectionConfiguration } from "../sql/collection-configuration.ts";
import { asMemory } from "../sql/collection-fault.ts";
import { toPostgresDatabase } from "./open-postgres.ts";
import { postgresEngine } from "./postgres-engine.ts";
import { postgresCodes } from "./postgres-failure.ts";

/** A collection's configuration, with what PostgreSQL adds. */
export interface PostgresCollectionConfiguration extends CollectionConfiguration<unknown> {
  /** How the nearest vectors are found. */
  readonly index?: "exact" | "hnsw" | undefined;
}

/**
 * Opens a collection; the database is not asked before the first call.
 *
 * @throws MemoryError `POSTGRES_UNAVAILABLE` When what stands in `database` is no database of PostgreSQL.
 */
export async function openPostgresCollection(configuration: PostgresCollectionConfiguration, scope: OpenScope): Promise<Opened<Collection>> {
  const { embedding, index = "exact" } = configuration;
  const { driver, makesTables, keptVectors } = await asMemory(postgresCodes, async () => toPostgresDatabase(configuration.database, scope));
  const engine = postgresEngine({ driver, makesTables, keptVectors, index: embedding === undefined ? undefined : index });
  return openTableCollection(configuration, { engine, scope });
}
