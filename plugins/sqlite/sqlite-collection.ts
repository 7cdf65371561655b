import type { Collection, Opened, OpenScope } from "@codesoul-co/ditto/plugin";
import type { CollectionConfiguration } from "../sql/collection-configuration.ts";
import { codedCollection } from "../sql/collection/coded-collection.ts";
import { asMemory } from "../sql/collection-fault.ts";
import { declareCollection } from "../sql/declaration.ts";
import { scopeOfNamespace } from "../sql/scope.ts";
import { collectionCore } from "./collection-core.ts";
import { collectionRecords } from "./collection-records.ts";
import { memoryStore } from "./memory-store.ts";
import { readVectors } from "./read-vectors.ts";
import { collectionSetup } from "./set-up-collection.ts";
import { toSqliteDatabase } from "./sqlite-database.ts";
import { sqliteCodes } from "./sqlite-failure.ts";
import { textSearch } from "./text-search.ts";
import { vectorSearch } from "./vector-search.ts";

/**
 * Opens a collection; the file is neither read nor made before the first call.
 *
 * @throws MemoryError `SQLITE_UNREADABLE` When what stands in `database` is no SQLite database.
 */
export async function openSqliteCollection(configuration: CollectionConfiguration<unknown>, scope: OpenScope): Promise<Opened<Collection>> {
  const declaration = declareCollection(scope.name, configuration);
  const core = collectionCore(declaration, {
    database: await memory(async () => toSqliteDatabase(configuration.database)),
    embedding: configuration.embedding,
    batchSize: scope.config.retrieval.embedding?.batchSize ?? 64,
  });
  return {
    value: codedCollection(
      {
        facts: declaration.facts,
        embedding: configuration.embedding,
        store: memoryStore(core),
        text: textSearch(core),
        vector: vectorSearch(core),
        vectors: async (ids, options = {}) => await readVectors(core, { ids, scope: scopeOfNamespace(declaration, options.namespace) }, options.signal),
        records: collectionRecords(core),
      },
      sqliteCodes,
    ),
    check: async (signal) => {
      await memory(async () => await core.state(signal));
    },
    setup: {
      plan: async (signal) => await memory(async () => await collectionSetup(core).plan(signal)),
      apply: async (signal) => await memory(async () => await collectionSetup(core).apply(signal)),
    },
  };
}

async function memory<T>(work: () => Promise<T>): Promise<T> {
  return await asMemory(sqliteCodes, work);
}
