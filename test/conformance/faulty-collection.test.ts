import { describe } from "vitest";
import type { Collection, CollectionRecords, FieldDefinition, StoredPart } from "../../src/contracts/collection.ts";
import type { MemoryItem } from "../../src/contracts/memory.ts";
import type { RetrievalCandidate, RetrievalSearchInput, RetrievalSearchProvider } from "../../src/contracts/retrieval.ts";
import type { CollectionDeclaration, CollectionSubject } from "../../src/testing/collection/collection-subject.ts";
import { fieldCases } from "../../src/testing/collection/field-cases.ts";
import { filterCases } from "../../src/testing/collection/filter-cases.ts";
import { orderCases } from "../../src/testing/collection/order-cases.ts";
import { recordCases } from "../../src/testing/collection/record-cases.ts";
import { collectionScopeCases } from "../../src/testing/collection/scope-cases.ts";
import { collectionSearchCases } from "../../src/testing/collection/search-cases.ts";
import { openCollection } from "../plugins/sqlite/open-test-collection.ts";
import { testFaults } from "./run-cases.ts";

type Change = (collection: Collection, declaration: CollectionDeclaration) => Partial<Collection>;

/** A SQLite collection in memory, but for some members; or one that is opened with another declaration than asked. */
function collectionBut(
  change: Change,
  declare: (declaration: CollectionDeclaration) => CollectionDeclaration = (declaration) => declaration,
): CollectionSubject {
  return {
    open: async (declaration) => {
      const { name, ...configuration } = declare(declaration);
      const { collection, close } = await openCollection(configuration, { name });
      return { collection: { ...collection, ...change(collection, declaration) }, close };
    },
  };
}

function recordsBut(change: (records: CollectionRecords, collection: Collection) => Partial<CollectionRecords>): CollectionSubject {
  return collectionBut((collection) => ({ records: { ...collection.records, ...change(collection.records, collection) } }));
}

/** Both searches, but for what they are asked or answer. */
function searchesBut(way: "text" | "vector" | "both", change: (provider: RetrievalSearchProvider) => RetrievalSearchProvider["search"]): CollectionSubject {
  return collectionBut(({ text, vector }) => ({
    ...(way === "vector" ? {} : { text: { search: change(text) } }),
    ...(way === "text" || vector === undefined ? {} : { vector: { search: change(vector) } }),
  }));
}

function answering(change: (candidates: readonly RetrievalCandidate[], input: RetrievalSearchInput) => readonly RetrievalCandidate[]) {
  return (provider: RetrievalSearchProvider): RetrievalSearchProvider["search"] =>
    async (input) => {
      const output = await provider.search(input);
      return { ...output, candidates: change(output.candidates, input) };
    };
}

/** Takes `gte` for `gt`. */
function lessThanAsked(filter: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const looser = ([field, asked]: [string, unknown]) => {
    if (typeof asked !== "object" || asked === null || !("gte" in asked)) return [field, asked];
    const { gte, ...others } = asked;
    return [field, { ...others, gt: gte }];
  };
  return Object.fromEntries(Object.entries(filter).map((entry) => looser(entry) as [string, unknown]));
}

function knownOnly(filter: Readonly<Record<string, unknown>> | undefined, fields: Readonly<Record<string, FieldDefinition>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(filter ?? {}).filter(([field]) => field in fields));
}

function withoutDefault({ default: _, ...definition }: FieldDefinition): FieldDefinition {
  return definition;
}

describe("the cases for fields", () =>
  testFaults(fieldCases, {
    "metadata come back with their types, declared or not": collectionBut((collection) => ({
      query: async (input) => {
        const page = await collection.query(input);
        const text = (item: MemoryItem): MemoryItem => ({ ...item, metadata: { ...item.metadata, n: String(item.metadata?.n) } });
        return { ...page, items: page.items.map(text) };
      },
    })),
    "a value of another type than declared is refused, and nothing of the batch is written": collectionBut((collection) => ({
      write: async ({ memories }) => (await Promise.all(memories.map((memory) => collection.write({ memories: [memory] })))).flat(),
    })),
    "a default fills in what is missing, and counts in filters; what is required must be there": collectionBut(
      () => ({}),
      ({ fields, ...declaration }) => ({
        ...declaration,
        fields: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, withoutDefault(field)])),
      }),
    ),
  }));

describe("the cases for filters", () =>
  testFaults(filterCases, {
    "QUERY and full text meet exactly the rows that a filter describes": collectionBut((collection) => ({
      query: ({ filter, ...input }) => collection.query({ ...input, filter: lessThanAsked(filter) }),
    })),
    "vector search meets exactly the rows that a filter describes": searchesBut(
      "vector",
      (provider) =>
        ({ filter, ...input }) =>
          provider.search({ ...input, filter: lessThanAsked(filter) }),
    ),
    "a value to filter by is taken as it is: no wildcard, no quoting, no case": collectionBut((collection) => ({
      query: ({ filter, ...input }) => collection.query({ ...input, filter: { s: String(filter?.s).trim() } }),
    })),
    "what a filter cannot mean is refused everywhere, and never ignored": collectionBut((collection, { fields }) => ({
      query: ({ filter, ...input }) => collection.query({ ...input, filter: knownOnly(filter, fields) }),
    })),
  }));

describe("the cases for orders", () =>
  testFaults(orderCases, {
    "orderBy takes declared fields, key and id, in either direction, and pages follow it": collectionBut((collection) => ({
      query: ({ orderBy, ...input }) => collection.query({ ...input, orderBy: orderBy?.map(({ field }) => ({ field })) }),
    })),
    "a later field decides where an earlier one is equal, and rows without a value have their place": collectionBut((collection) => ({
      query: ({ orderBy, ...input }) => collection.query({ ...input, orderBy: orderBy?.slice(0, 1) }),
    })),
    "cursors stay right in every order when rows are added and removed in between": collectionBut((collection) => ({
      query: async ({ cursor = "0", limit = 100, ...input }) => {
        const { items } = await collection.query({ ...input, limit: 10_000 });
        const end = Number(cursor) + limit;
        return { items: items.slice(Number(cursor), end), ...(end < items.length ? { nextCursor: String(end) } : {}) };
      },
    })),
    "an order that cannot be is refused": collectionBut((collection, { fields }) => ({
      query: ({ orderBy, ...input }) => collection.query({ ...input, orderBy: orderBy?.filter(({ field }) => field in fields) }),
    })),
    "a cursor that this query never gave is refused": collectionBut((collection) => ({
      query: async (input) => collection.query(input).catch(() => collection.query({ ...input, cursor: undefined })),
    })),
  }));

describe("the cases for the bulk port", () =>
  testFaults(recordCases, {
    "an empty collection has no rows, no hashes and nothing to remove": recordsBut(() => ({
      count: async () => {
        throw new Error("no such table: kb");
      },
    })),
    "records are written under their own ids and found by every read": recordsBut((records) => ({
      hashes: async (ids, options) => new Map([...(await records.hashes(ids, options))].filter(([id]) => id !== "b")),
    })),
    "writing a record again replaces it whole: the chunks that it no longer has are gone": recordsBut((records) => ({
      // Only adds: what was there before is written again beside it.
      replace: async (given) => {
        const before = new Set(given.map(({ id }) => id));
        const kept: StoredPart[] = [];
        for await (const batch of records.scan())
          kept.push(...batch.filter(({ recordId, id }) => before.has(recordId) && !given.some(({ parts }) => parts.some((part) => part.id === id))));
        const merged = given.map(({ parts, ...record }) => ({
          ...record,
          parts: [...parts, ...kept.filter(({ recordId }) => recordId === record.id).map(({ id, content }) => ({ id, content }))],
        }));
        return records.replace(merged);
      },
    })),
    "records are removed with all their chunks, by id or by a filter that asks for something": recordsBut((records) => ({
      removeWhere: async (filter) => (Object.keys(filter).length === 0 ? records.count() : records.removeWhere(filter)),
    })),
    "a batch with a mistake in it writes nothing": recordsBut((records) => ({
      replace: async (given, options) => {
        const reports = [];
        for (const record of given) reports.push(await records.replace([record], options));
        return reports[0] ?? { written: 0, removed: 0, cut: 0 };
      },
    })),
    "scan gives every row once, ordered by id, in batches no larger than asked": recordsBut((records) => ({
      scan: (options) => records.scan({ ...options, batchSize: 500 }),
    })),
    "a record that was changed or cut by UPDATE or DELETE has no hash any more": recordsBut((records) => {
      const first = new Map<string, string>();
      return {
        replace: (given, options) => {
          for (const { id, hash } of given) first.set(id, hash);
          return records.replace(given, options);
        },
        hashes: async (ids) => new Map([...first].filter(([id]) => ids.includes(id))),
      };
    }),
    "ids of records are taken as they are": recordsBut((records) => ({
      remove: (ids, options) =>
        records.remove(
          ids.map((id) => id.trim()),
          options,
        ),
    })),
  }));

describe("the cases for a collection's searches", () =>
  testFaults(collectionSearchCases, {
    "a found row has id, content, score, metadata and the collection's name as its source": searchesBut(
      "vector",
      answering((candidates) => candidates.map(({ source: _, ...candidate }) => candidate)),
    ),
    "a blank text is no query, and a blank row is stored and not found": searchesBut(
      "text",
      (provider) => async (input) => (String(input.query.content).trim() === "" ? { candidates: [], target: input.target } : provider.search(input)),
    ),
    "both searches see what was written, changed and removed at once": searchesBut("vector", (provider) => {
      const seen = new Map<string | undefined, RetrievalCandidate>();
      return answering((candidates, { limit }) => {
        for (const candidate of candidates) seen.set(candidate.id, candidate);
        return [...candidates, ...[...seen.values()].filter(({ id }) => candidates.every((candidate) => candidate.id !== id))].slice(0, limit);
      })(provider);
    }),
    "the nearest rows are exactly those of the highest cosine, with any limit": searchesBut("vector", (provider) => async (input) => {
      const output = await provider.search({ ...input, limit: (input.limit ?? 10) + 1 });
      return { ...output, candidates: output.candidates.filter((_, index) => index !== 1).slice(0, input.limit) };
    }),
    "stored vectors are those of the embedding": collectionBut((collection) => ({
      vectors: async (ids) => new Map([...((await collection.vectors?.(ids)) ?? [])].map(([id, vector]) => [id, vector.map((value) => -value)])),
    })),
    "a vector that cannot be compared is refused": searchesBut("vector", (provider) => (input) => {
      const vector = input.query.content as readonly number[];
      return provider.search({ ...input, query: { content: Array.from({ length: 32 }, (_, index) => vector[index] || 0.1) } });
    }),
    "a request beyond what a search knows is refused: limits out of range, a namespace where there is none": searchesBut(
      "text",
      (provider) => (input) => provider.search({ ...input, limit: Math.min(Math.max(Math.trunc(input.limit ?? 10), 1), 10_000) }),
    ),
  }));

/** Searches every namespace that there is, whatever was asked. */
function everywhere(provider: RetrievalSearchProvider): RetrievalSearchProvider["search"] {
  return async (input) => {
    const answers = await Promise.all(["a", "b"].map((namespace) => provider.search({ ...input, target: { ...input.target, namespace } })));
    return { target: input.target, candidates: answers.flatMap(({ candidates }) => candidates) };
  };
}

describe("the cases for a collection's scope", () =>
  testFaults(collectionScopeCases, {
    "full text finds rows of the request's namespace only, and needs one": searchesBut("text", everywhere),
    "vector search finds rows of the request's namespace only, and needs one": searchesBut("vector", everywhere),
    "the bulk port writes, reads and removes in its namespace only; count and scan cross namespaces where none is named": recordsBut((records) => ({
      remove: async (ids) => (await records.remove(ids, { namespace: "a" })) + (await records.remove(ids, { namespace: "b" })),
    })),
    "the bulk port refuses to write or remove without a namespace, and rows that name another one": recordsBut((records) => ({
      replace: (given, { namespace = "a" } = {}) => records.replace(given, { namespace }),
    })),
    "a collection without a scope refuses a namespace": recordsBut((records) => ({ count: () => records.count() })),
  }));
