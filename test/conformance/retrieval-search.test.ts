import { describe } from "vitest";
import type { RetrievalSearchInput, RetrievalSearchOutput, RetrievalSearchProvider } from "../../src/contracts/retrieval.ts";
import { RetrievalError } from "../../src/contracts/retrieval-error.ts";
import { createCosineReranker } from "../../src/retrieval/providers/cosine.ts";
import { createHybridSearchProvider } from "../../src/retrieval/providers/hybrid.ts";
import { createRerankSearchProvider } from "../../src/retrieval/providers/rerank.ts";
import { createTextSearchProvider } from "../../src/retrieval/providers/text.ts";
import { createVectorSearchProvider } from "../../src/retrieval/providers/vector.ts";
import { retrievalSearchCases, type RetrievalSearchSubject, type SearchRecord } from "../../src/testing/retrieval-search-cases.ts";
import { wordEmbedding } from "../../src/testing/word-embedding.ts";
import { openCollection } from "../plugins/sqlite/open-test-collection.ts";
import { wordsOf } from "./in-memory-store.ts";
import { testCases, testFaults } from "./run-cases.ts";

type Scoped = SearchRecord & { readonly namespace?: string };

/** A search over a list: as many words of the query as a record has. */
function listSearch(records: readonly Scoped[], scoped: boolean, words: (text: string) => readonly string[] = wordsOf): RetrievalSearchProvider {
  return {
    search: async ({ query, target, limit = 10, filter, strategy }) => {
      if (filter !== undefined || (target.namespace !== undefined) !== scoped) throw new RetrievalError("RETRIEVAL_INVALID_INPUT", "There is no such scope");
      const wanted = new Set(words(String(query.content)));
      const scored = records
        .filter(({ namespace }) => namespace === target.namespace)
        .map(({ id, content }) => ({ id, content, score: new Set(words(content).filter((word) => wanted.has(word))).size }))
        .filter(({ score }) => score > 0);
      const candidates = scored.sort((a, b) => b.score - a.score).slice(0, limit);
      return { candidates, target, ...(strategy === undefined ? {} : { strategy }) };
    },
  };
}

function subjectOf(make: (records: readonly Scoped[], scoped: boolean) => RetrievalSearchProvider): RetrievalSearchSubject {
  return {
    open: async (records) => ({ provider: make(records, false) }),
    openScoped: async (records) => ({ provider: make(records, true) }),
  };
}

/** A composition over a SQLite collection with text and vectors. */
function composed(compose: (collection: Awaited<ReturnType<typeof openCollection>>["collection"]) => RetrievalSearchProvider): RetrievalSearchSubject {
  const open = async (records: readonly Scoped[], namespace?: string) => {
    const { collection, close } = await openCollection({ embedding: wordEmbedding, ...(namespace === undefined ? {} : { namespace }) });
    for (const record of records) {
      await collection.records.replace([{ id: record.id, hash: "", parts: [{ id: record.id, content: record.content }] }], { namespace: record.namespace });
    }
    return { provider: compose(collection), close };
  };
  return { open: (records) => open(records), openScoped: (records) => open(records, "tenant") };
}

const everything = ["words", "descending", "prefix", "ids", "unscoped", "namespaces"];
const overSqlite = ["words", "descending", "prefix", "ids", "namespaces"];
const vectorOf = (collection: { readonly vector?: RetrievalSearchProvider | undefined }) =>
  createVectorSearchProvider({ backend: collection.vector!, embedding: wordEmbedding });
const hybridOf = (collection: { readonly text: RetrievalSearchProvider; readonly vector?: RetrievalSearchProvider | undefined }) =>
  createHybridSearchProvider({
    branches: [
      { strategy: "keyword", provider: createTextSearchProvider(collection.text), weight: 2 },
      { strategy: "vector", provider: vectorOf(collection) },
    ],
  });

describe("a search over a list", () => testCases(retrievalSearchCases, subjectOf(listSearch), everything));
describe("text over SQLite", () =>
  testCases(
    retrievalSearchCases,
    composed(({ text }) => createTextSearchProvider(text)),
    overSqlite,
  ));
describe("vector over SQLite", () => testCases(retrievalSearchCases, composed(vectorOf), ["descending", "prefix", "ids", "namespaces"]));
describe("hybrid over SQLite", () => testCases(retrievalSearchCases, composed(hybridOf), overSqlite));
describe("rerank over hybrid over SQLite", () =>
  testCases(
    retrievalSearchCases,
    composed((collection) => createRerankSearchProvider({ search: hybridOf(collection), reranker: createCosineReranker(wordEmbedding) })),
    ["descending", "prefix", "ids", "namespaces"],
  ));

/** A search like the one over a list, but for what it is asked or answers. */
function searchBut(
  change: (search: (input: RetrievalSearchInput) => Promise<RetrievalSearchOutput>, input: RetrievalSearchInput) => Promise<RetrievalSearchOutput>,
): RetrievalSearchSubject {
  return subjectOf((records, scoped) => {
    const whole = listSearch(records, scoped);
    return { search: (input) => change((asked) => whole.search(asked), input) };
  });
}

describe("the cases for searches", () =>
  testFaults(retrievalSearchCases, {
    "an answer is for the target that was asked, down to type and namespace, and for the strategy": searchBut(async (search, input) => ({
      ...(await search(input)),
      target: { name: input.target.name },
    })),
    "an answer has at most limit candidates, all with content and finite scores": searchBut((search, input) => search({ ...input, limit: 100 })),
    "every candidate has an id of its own, of a record that there is": searchBut(async (search, input) => {
      const { candidates, ...output } = await search(input);
      return { ...output, candidates: candidates.map((candidate) => ({ ...candidate, id: "same" })) };
    }),
    "what has all words of the query comes before what has one, and what has none comes last or not at all": searchBut(async (search, input) => {
      const { candidates, ...output } = await search(input);
      return { ...output, candidates: [...candidates].reverse() };
    }),
    "Chinese is found by its words": subjectOf((records, scoped) => listSearch(records, scoped, (text) => text.match(/[\p{L}\p{N}]+/gu) ?? [])),
    "scores fall from the first to the last": searchBut(async (search, input) => {
      const { candidates, ...output } = await search(input);
      return { ...output, candidates: candidates.map(({ score, ...candidate }) => ({ ...candidate, score: -(score ?? 0) })) };
    }),
    "an answer is the beginning of a longer one, and the same every time": searchBut(async (search, input) => {
      const { candidates, ...output } = await search(input);
      return { ...output, candidates: [...candidates].reverse() };
    }),
    "a query is a text, whatever it looks like: nothing of it is syntax": searchBut((search, input) => {
      if (/"/u.test(String(input.query.content))) throw new RetrievalError("RETRIEVAL_BACKEND_ERROR", "The query cannot be parsed");
      return search(input);
    }),
    "a search leaves its request as it was": searchBut((search, input) => search(Object.assign(input, { limit: 5 }))),
    "a search over nothing finds nothing": searchBut(async (search, input) => {
      const output = await search(input);
      return output.candidates.length > 0 ? output : { ...output, candidates: [{ id: "none", content: "" }] };
    }),
    "filters and namespaces that mean nothing to it are refused, never ignored": searchBut((search, { filter: _, ...input }) => search(input)),
    "nothing of another namespace is ever found, and a namespace must be named": subjectOf((records, scoped) => {
      const folded = records.map((record) => ({ ...record, ...(record.namespace === undefined ? {} : { namespace: "a" }) }));
      const whole = listSearch(folded, scoped);
      return { search: (input) => whole.search({ ...input, target: scoped ? { ...input.target, namespace: "a" } : input.target }) };
    }),
  }));
