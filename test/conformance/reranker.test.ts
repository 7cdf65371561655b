import { describe } from "vitest";
import type { RerankProvider } from "../../src/contracts/retrieval.ts";
import { createCosineReranker } from "../../src/retrieval/providers/cosine.ts";
import { createGuardedReranker } from "../../src/retrieval/providers/guarded-reranker.ts";
import { createMmrReranker } from "../../src/retrieval/providers/mmr.ts";
import { rerankCases, type RerankSubject } from "../../src/testing/rerank-cases.ts";
import { wordEmbedding } from "../../src/testing/word-embedding.ts";
import { testCases, testFaults } from "./run-cases.ts";

const cosine = createCosineReranker(wordEmbedding);

function subject(reranker: RerankProvider): RerankSubject {
  return { open: async () => ({ reranker }) };
}

describe("the cosine reranker", () => testCases(rerankCases, subject(cosine), ["relevance", "descending", "stable", "prefix"]));
describe("the MMR reranker", () =>
  testCases(rerankCases, subject(createMmrReranker({ embedding: wordEmbedding, lambda: 0.7 })), ["relevance", "descending", "stable", "prefix"]));
describe("the MMR reranker for relevance alone", () =>
  testCases(rerankCases, subject(createMmrReranker({ embedding: wordEmbedding, lambda: 1 })), ["relevance", "descending", "stable", "prefix"]));
describe("a guarded reranker", () =>
  testCases(rerankCases, subject(createGuardedReranker({ reranker: cosine, timeoutMs: 10_000 })), ["relevance", "descending", "stable", "prefix"]));

/** The cosine reranker, but for its list. */
function rerankerBut(
  change: (order: Awaited<ReturnType<RerankProvider["rank"]>>, limit: number) => Awaited<ReturnType<RerankProvider["rank"]>>,
): RerankSubject {
  return subject({ rank: async (input) => change(await cosine.rank(input), input.limit) });
}

describe("the cases for rerankers", () =>
  testFaults(rerankCases, {
    "a list has as many entries as wanted, or as there are, each of another candidate": rerankerBut((order) =>
      order.map((entry, at) => (at === 1 ? order[0]! : entry)),
    ),
    "what answers the query comes first": subject({
      rank: async ({ candidates, limit }) => candidates.slice(0, limit).map((_, at) => ({ index: candidates.length - at - 1 })),
    }),
    "scores fall from the first to the last": rerankerBut((order) => order.map(({ index, score }) => ({ index, score: 1 - (score ?? 0) }))),
    "equal candidates keep their order": rerankerBut((order) => [...order].sort((a, b) => (b.score ?? 0) - (a.score ?? 0) || b.index - a.index)),
    "a list is the beginning of a longer one, and the same every time": rerankerBut((order) => [...order].reverse()),
    "queries and candidates may look like anything": subject({
      rank: async (input) => {
        for (const { content } of input.candidates) new RegExp(String(content));
        return cosine.rank(input);
      },
    }),
  }));
