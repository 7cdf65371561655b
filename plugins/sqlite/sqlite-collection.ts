import type { Collection, CollectionCallOptions, Embedding, Opened, OpenScope, RetrievalSearchProvider } from "@codesoul-co/ditto/plugin";
import type { CollectionConfiguration } from "../sql/collection-configuration.ts";
import { asMemory, asRetrieval } from "../sql/collection-fault.ts";
import { declareCollection } from "../sql/declaration.ts";
import { scopeOfNamespace } from "../sql/scope.ts";
import { type CollectionCore, collectionCore } from "./collection-core.ts";
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
    value: sqliteCollection(core, configuration.embedding),
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

/** Puts the parts together; every fault leaves with a code of the family that asked. */
function sqliteCollection(core: CollectionCore, embedding: Embedding | undefined): Collection {
  const store = memoryStore(core);
  const records = collectionRecords(core);
  return {
    facts: core.declaration.facts,
    get: async (input, options) => await memory(async () => await store.get(input, options)),
    query: async (input, options) => await memory(async () => await store.query(input, options)),
    write: async (input, options) => await memory(async () => await store.write(input, options)),
    update: async (input, options) => await memory(async () => await store.update(input, options)),
    delete: async (input, options) => await memory(async () => await store.delete(input, options)),
    text: coded(textSearch(core)),
    ...(embedding === undefined ? {} : { embedding, vector: coded(vectorSearch(core)) }),
    vectors: async (ids, options: CollectionCallOptions = {}) => {
      return await asRetrieval(async () => await readVectors(core, { ids, scope: scopeOfNamespace(core.declaration, options.namespace) }, options.signal));
    },
    records: {
      count: async (options) => await memory(async () => await records.count(options)),
      hashes: async (ids, options) => await memory(async () => await records.hashes(ids, options)),
      replace: async (given, options) => await memory(async () => await records.replace(given, options)),
      remove: async (ids, options) => await memory(async () => await records.remove(ids, options)),
      removeWhere: async (filter, options) => await memory(async () => await records.removeWhere(filter, options)),
      scan: (options) => codedScan(records.scan(options)),
    },
  };
}

function coded(provider: RetrievalSearchProvider): RetrievalSearchProvider {
  return { search: async (input, context) => await asRetrieval(async () => await provider.search(input, context)) };
}

async function* codedScan<T>(batches: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = batches[Symbol.asyncIterator]();
  for (;;) {
    const next = await memory(async () => await iterator.next());
    if (next.done === true) return;
    yield next.value;
  }
}
