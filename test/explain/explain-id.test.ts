import { describe, expect, it } from "vitest";
import type { Collection, CollectionPart } from "../../src/contracts/collection.ts";
import { droppedReason } from "../../src/explain/dropped-reason.ts";
import { explainHits } from "../../src/explain/explain-hits.ts";
import { explainId, type IdExplanation } from "../../src/explain/explain-id.ts";
import { type RecordedStep, TraceRecorder } from "../../src/explain/trace-recorder.ts";
import type { Pipeline, PipelineSearchRequest } from "../../src/live/pipeline.ts";
import { wordEmbedding } from "../../src/testing/word-embedding.ts";
import { loadText } from "../kinds/support/load-text.ts";

const text = `version: 1
name: kb
resources:
  db: { sqlite: { file: kb.db } }
  encoder: { local-embedding: {} }
  kb:
    sqlite.collection: { database: db, embedding: encoder, fields: { product: { type: string }, year: { type: integer }, doc: { type: string } } }
  whole: { sqlite.collection: { database: db } }
  shared: { sqlite.collection: { database: db, namespace: tenant } }
targets:
  kb:
    default: words
    strategies:
      words: { text: { collection: kb } }
      vector: { vector: { collection: kb } }
      both: { hybrid: { candidateLimit: 2, branches: { words: { weight: 2 }, vector: {} } } }
      scaled: { hybrid: { fusion: minmax, branches: { words: { weight: 2 }, vector: {} } } }
      ranked: { rerank: { search: words, reranker: { mmr: { embedding: encoder } } } }
      floor: { refine: { search: words, where: '\${ candidate.id != "a" }' } }
      doubled: { refine: { search: words, score: "\${ candidate.score * 2 }" } }
      grouped: { refine: { search: words, group: '\${ coalesce(candidate.metadata.?doc, candidate.id) }' } }
      completed: { refine: { search: words, hydrate: whole } }
      half:
        hybrid:
          branches:
            words: {}
            broken: { onError: skip, search: { sql: { database: db, statement: "SELECT 'x' AS id, 'y' AS content, abs(-9223372036854775808) AS score WHERE :query != '' ORDER BY score LIMIT :limit", row: { id: "\${ row.id }", content: "\${ row.content }", score: "\${ row.score }" } } } }
  shared: { strategies: { words: { text: { collection: shared } } } }
`;

const rows: readonly CollectionPart[] = [
  { id: "a", content: "apple apple apple", metadata: { product: "web", year: 2024, doc: "fruit" } },
  { id: "b", content: "apple apple pear", metadata: { product: "app", year: 2024, doc: "fruit" } },
  { id: "c", content: "apple pear plum cherry", metadata: { product: "app", year: 2020 } },
  { id: "d", content: "plum", metadata: { product: "app", year: 2020 } },
];

async function filled(): Promise<Pipeline> {
  const pipeline = await loadText(text, { resources: { encoder: wordEmbedding } });
  const collection = (name: string): Collection => pipeline.resource(name) as Collection;
  await collection("kb").records.replace(rows.map((row) => ({ id: row.id, hash: "", parts: [row] })));
  await collection("kb").records.replace([
    {
      id: "long",
      hash: "h",
      parts: [
        { id: "long#0", content: "quince" },
        { id: "long#1", content: "medlar" },
      ],
    },
  ]);
  await collection("whole").records.replace([{ id: "b", hash: "", parts: [{ id: "b", content: "the whole of b" }] }]);
  await collection("shared").records.replace([{ id: "secret", hash: "", parts: [{ id: "secret", content: "apple" }] }], { namespace: "acme" });
  return pipeline;
}

async function record(pipeline: Pipeline, request: Omit<PipelineSearchRequest, "query">): Promise<RecordedStep> {
  const recorder = new TraceRecorder();
  const result = await pipeline.search({ query: { content: "apple" }, target: "kb", ...request }, { trace: recorder.root });
  expect(result).toMatchObject({ status: "success" });
  return recorder.steps[0] as RecordedStep;
}

async function explain(id: string, request: Omit<PipelineSearchRequest, "query">): Promise<IdExplanation> {
  const pipeline = await filled();
  const search = await record(pipeline, request);
  const { target = "kb", strategy = "words", namespace } = request;
  return explainId(id, { search, pipeline, target, strategy, namespace });
}

describe("a document that is not in the answer", () => {
  it.each<[string, string, Omit<PipelineSearchRequest, "query">, object]>([
    ["is in no collection", "nowhere", {}, { code: "not-in-collection", step: "", facts: { collections: ["kb"] } }],
    ["is kept in chunks", "long", {}, { code: "kept-in-chunks", facts: { collection: "kb", chunks: ["long#0", "long#1"] } }],
    ["belongs to another scope", "secret", { target: "shared", namespace: "other" }, { code: "other-scope", facts: { namespace: "other" } }],
    [
      "is left out by one field of the filter",
      "a",
      { filter: { product: "app", year: 2024 } },
      { code: "filtered", step: "kb/words", facts: { filter: { product: "app" } } },
    ],
    ["has no word of the query", "d", {}, { code: "not-found", step: "kb/words", text: "no word of the query is in it" }],
    ["comes behind the limit", "c", { limit: 2 }, { code: "beyond-limit", step: "kb/words", facts: { rank: 3, limit: 2 } }],
    [
      "is not among the reranker's best",
      "b",
      { strategy: "ranked", limit: 1 },
      { code: "reranked-below", step: "kb/ranked > rerank", facts: { rank: 2, limit: 1 } },
    ],
    ["is under a floor", "a", { strategy: "floor" }, { code: "below-floor", step: "kb/floor > refine" }],
    [
      "stands for its group",
      "a",
      { strategy: "grouped" },
      { code: "deduplicated", text: 'it stands for its group "fruit", which is at rank 1', facts: { key: "fruit", first: "a", rank: 1 } },
    ],
    [
      "is behind another one of its group",
      "b",
      { strategy: "grouped" },
      { code: "deduplicated", text: '"a" stands for its group "fruit", which is at rank 1' },
    ],
    ["has lost its whole record", "a", { strategy: "completed" }, { code: "gone", step: "kb/completed > refine" }],
    ["is refined to a place behind the limit", "c", { strategy: "doubled", limit: 1 }, { code: "beyond-limit", facts: { rank: 3, limit: 1 } }],
  ])("%s", async (_, id, request, reason) => {
    const { rank, reasons } = await explain(id, request);
    expect(rank).toBeUndefined();
    expect(reasons).toEqual([expect.objectContaining(reason)]);
  });

  it("is looked for among all rows, and how far that is can be told", async () => {
    const pipeline = await filled();
    const search = await record(pipeline, {});
    const told: unknown[] = [];
    await explainId("nowhere", { search, pipeline, target: "kb", strategy: "words", namespace: undefined, onScan: (progress) => told.push(progress) });
    expect(told).toEqual([{ collection: "kb", done: 6, total: 6 }]);
  });

  it("is cut by the candidate pool of each branch", async () => {
    const { reasons } = await explain("c", { strategy: "both", limit: 1 });
    expect(reasons).toMatchObject([
      { code: "beyond-pool", step: "kb/both > words", facts: { rank: 3, limit: 2 } },
      { code: "beyond-pool", step: "kb/both > vector", facts: { rank: 3, limit: 2 } },
    ]);
  });

  it("is fused to a rank behind the limit", async () => {
    const { reasons, steps } = await explain("b", { strategy: "both", limit: 1 });
    expect(reasons).toMatchObject([{ code: "beyond-limit", step: "kb/both", facts: { rank: 2, limit: 1 } }]);
    expect(steps.from).toMatchObject([
      { step: "words", rank: 2 },
      { step: "vector", rank: 2 },
    ]);
  });

  it("may have been in a branch that failed and was left out", async () => {
    const { reasons } = await explain("d", { strategy: "half" });
    expect(reasons).toMatchObject([
      { code: "not-found", step: "kb/half > words" },
      { code: "step-failed", step: "kb/half > broken" },
    ]);
  });

  it("is left out by a step that does not say why", () => {
    const recorder = new TraceRecorder();
    const whole = recorder.root.open("search", "kb/own", { hits: [{ id: "b" }, { id: "c" }] }) as RecordedStep;
    const below = whole.open("search", "text", { hits: [{ id: "a" }] }) as RecordedStep;
    expect(droppedReason(whole, { id: "a", path: "kb/own", below, whole })).toMatchObject({ code: "left-out", step: "kb/own" });
  });
});

describe("a result", () => {
  it("tells each branch's rank, score, weight and what it adds, which together are its score", async () => {
    const pipeline = await filled();
    for (const strategy of ["both", "scaled"]) {
      const hits = explainHits(await record(pipeline, { strategy }));
      expect(hits.map(({ id }) => id).slice(0, 2)).toEqual(["a", "b"]);
      for (const { score, steps } of hits) {
        const sum = steps.from.reduce((total, { contribution = 0 }) => total + contribution, 0);
        expect(sum).toBeCloseTo(score as number, 10);
      }
      expect(hits[0]?.steps.from[0]).toMatchObject({ step: "words", rank: 1, weight: 2, formula: strategy === "both" ? "2 / (60 + 1)" : "2 * 1" });
    }
  });

  it("tells how a reranker and a refinement moved it", async () => {
    const pipeline = await filled();
    const [ranked] = explainHits(await record(pipeline, { strategy: "ranked" }));
    expect(ranked?.steps).toMatchObject({ step: "kb/ranked (rerank)", rank: 1, from: [{ rank: 1 }] });
    const [refined] = explainHits(await record(pipeline, { strategy: "doubled" }));
    expect(refined?.steps.score).toBeCloseTo(2 * (refined?.steps.from[0]?.score as number), 10);
    const [grouped] = explainHits(await record(pipeline, { strategy: "grouped" }));
    expect(grouped).toMatchObject({ id: "fruit", steps: { was: "a", from: [{ rank: 1 }] } });
  });

  it("is in the answer, and no reason is given", async () => {
    expect(await explain("a", {})).toMatchObject({ id: "a", rank: 1, reasons: [] });
  });
});

describe("a trace of a graph", () => {
  it("holds steps, nodes and searches with times and counts, and says what was skipped", async () => {
    const pipeline = await loadText(`version: 1
name: g
resources:
  db: { sqlite: { file: kb.db } }
  kb: { sqlite.collection: { database: db } }
targets: { kb: { strategies: { words: { text: { collection: kb } } } } }
memory: { store: kb, search: kb }
graphs:
  ask:
    input: { type: object, required: [question], properties: { question: { type: string } } }
    nodes:
      search: { node: RETRIEVAL.SEARCH, input: { query: { content: "\${ input.question }" }, target: { name: kb } } }
      never: { node: MEMORY.SEARCH, when: "\${ false }", input: { query: x } }
    output: "\${ size(search.output.candidates) }"
`);
    const recorder = new TraceRecorder({ brief: true });
    await pipeline.run({ question: "apple" }, { trace: recorder.root });
    const trace = JSON.parse(JSON.stringify(recorder.steps));
    expect(trace).toMatchObject([
      {
        kind: "step",
        label: "search",
        steps: [{ kind: "node", label: "RETRIEVAL.SEARCH", steps: [{ kind: "search", label: "kb/words", facts: { candidates: 0 } }] }],
      },
      { kind: "step", label: "never", facts: { skipped: "when" } },
      { kind: "step", label: "$output" },
    ]);
    expect(trace[0].elapsedMs).toBeGreaterThanOrEqual(trace[0].steps[0].elapsedMs);
    expect(JSON.stringify(trace)).not.toContain("hits");
  });
});
