import type { Collection, CollectionFacts, CollectionRecords, Embedding, MemoryStore, RetrievalSearchProvider } from "@codesoul-co/ditto/plugin";
import { asMemory, asRetrieval, type EngineCodes } from "../collection-fault.ts";

/** The parts of a collection; what goes wrong in them is still a `CollectionFault`. */
export interface CollectionParts {
  readonly facts: CollectionFacts;
  readonly embedding: Embedding | undefined;
  readonly store: MemoryStore;
  readonly text: RetrievalSearchProvider;
  readonly vector: RetrievalSearchProvider;
  readonly vectors: NonNullable<Collection["vectors"]>;
  readonly records: CollectionRecords;
}

/** Puts a collection together: every fault leaves with a code of the family that asked. */
export function codedCollection({ facts, embedding, store, text, vector, vectors, records }: CollectionParts, codes: EngineCodes): Collection {
  const memory = async <T>(work: () => Promise<T>): Promise<T> => await asMemory(codes, work);
  return {
    facts,
    get: async (input, options) => await memory(async () => await store.get(input, options)),
    query: async (input, options) => await memory(async () => await store.query(input, options)),
    write: async (input, options) => await memory(async () => await store.write(input, options)),
    update: async (input, options) => await memory(async () => await store.update(input, options)),
    delete: async (input, options) => await memory(async () => await store.delete(input, options)),
    text: coded(text),
    ...(embedding === undefined ? {} : { embedding, vector: coded(vector) }),
    vectors: async (ids, options) => await asRetrieval(async () => await vectors(ids, options)),
    records: {
      count: async (options) => await memory(async () => await records.count(options)),
      hashes: async (ids, options) => await memory(async () => await records.hashes(ids, options)),
      replace: async (given, options) => await memory(async () => await records.replace(given, options)),
      remove: async (ids, options) => await memory(async () => await records.remove(ids, options)),
      removeWhere: async (filter, options) => await memory(async () => await records.removeWhere(filter, options)),
      scan: (options) => codedScan(records.scan(options), memory),
    },
  };
}

function coded(provider: RetrievalSearchProvider): RetrievalSearchProvider {
  return { search: async (input, context) => await asRetrieval(async () => await provider.search(input, context)) };
}

async function* codedScan<T>(batches: AsyncIterable<T>, memory: <R>(work: () => Promise<R>) => Promise<R>): AsyncGenerator<T> {
  const iterator = batches[Symbol.asyncIterator]();
  for (;;) {
    const next = await memory(async () => await iterator.next());
    if (next.done === true) return;
    yield next.value;
  }
}
