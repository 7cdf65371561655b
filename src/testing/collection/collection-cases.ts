import type { Collection } from "../../contracts/collection.ts";
import type { ConformanceCase } from "../conformance-case.ts";
import { memoryStoreCases } from "../memory-store-cases.ts";
import type { MemoryStoreSubject } from "../memory-store-subject.ts";
import { type OpenedSearch, retrievalSearchCases, type RetrievalSearchSubject, type SearchRecord } from "../retrieval-search-cases.ts";
import { wordEmbedding, wordVector } from "../word-embedding.ts";
import type { CollectionSubject } from "./collection-subject.ts";
import { fieldCases } from "./field-cases.ts";
import { filterCases } from "./filter-cases.ts";
import { orderCases } from "./order-cases.ts";
import { recordCases } from "./record-cases.ts";
import { collectionScopeCases } from "./scope-cases.ts";
import { collectionSearchCases } from "./search-cases.ts";

/**
 * What every `Collection` must do: what every memory store must, what every search must of its full text and of its vectors, and
 * what fields, filters, orders, scopes and the bulk port add.
 *
 * Capabilities: `scope`, `atomic`, `unique-keys` as for memory stores; `vectors` (it takes an embedding), `exact-vectors` (it finds
 * the nearest rows for certain).
 */
export const collectionCases: readonly ConformanceCase<CollectionSubject>[] = [
  ...adapt(memoryStoreCases, asMemoryStore),
  ...fieldCases,
  ...filterCases,
  ...orderCases,
  ...recordCases,
  ...collectionSearchCases,
  ...collectionScopeCases,
  ...asSearchCases("full text", ["words", "descending", "prefix", "ids", "namespaces"], (subject) => asSearch(subject, "text")),
  ...asSearchCases("vectors", ["descending", "prefix", "ids", "namespaces"], (subject) => asSearch(subject, "vector")),
];

function adapt<From, To>(cases: readonly ConformanceCase<From>[], toSubject: (subject: To) => From): readonly ConformanceCase<To>[] {
  return cases.map(({ name, needs, run }) => ({ name, needs, run: (subject) => run(toSubject(subject)) }));
}

/** The cases for searches that a collection's search must meet, with the collection's own capabilities in place of theirs. */
function asSearchCases(
  label: string,
  has: readonly string[],
  toSubject: (subject: CollectionSubject) => RetrievalSearchSubject,
): readonly ConformanceCase<CollectionSubject>[] {
  const fitting = retrievalSearchCases.filter(({ needs }) => needs.every((need) => has.includes(need)));
  return adapt(fitting, toSubject).map(({ name, needs, run }) => ({
    name: `${label}: ${name}`,
    needs: [...(label === "vectors" ? ["vectors"] : []), ...(needs.includes("namespaces") ? ["scope"] : [])],
    run,
  }));
}

function asMemoryStore(subject: CollectionSubject): MemoryStoreSubject {
  const open = async (namespace?: string) => {
    const { collection, close } = await subject.open({ name: "kb", fields: {}, namespace });
    return { store: collection, close };
  };
  return { open: () => open(), openScoped: async () => ({ ...(await open("tenant")), scope: { field: "tenant", values: ["a", "a'b"] } }) };
}

function asSearch(subject: CollectionSubject, way: "text" | "vector"): RetrievalSearchSubject {
  const embedding = way === "vector" ? wordEmbedding : undefined;
  const open = async (records: readonly (SearchRecord & { readonly namespace?: string })[], namespace?: string): Promise<OpenedSearch> => {
    const { collection, close } = await subject.open({ name: "kb", fields: {}, namespace, embedding });
    for (const record of records) await writeRecord(collection, record);
    const provider = way === "vector" ? collection.vector : collection.text;
    if (provider === undefined) throw new Error("The collection has no vector search");
    return { provider, close, ...(way === "vector" ? { toQuery: wordVector } : {}) };
  };
  return { open: (records) => open(records), openScoped: (records) => open(records, "tenant") };
}

async function writeRecord({ records }: Collection, { id, content, namespace }: SearchRecord & { readonly namespace?: string }): Promise<void> {
  await records.replace([{ id, hash: "", parts: [{ id, content }] }], { namespace });
}
