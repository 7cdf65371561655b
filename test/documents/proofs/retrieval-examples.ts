import assert from "node:assert/strict";
import { createDitto } from "@codesoul-co/ditto";
import {
  createCosineReranker,
  createRetrievalWorker,
  type RerankProvider,
  RetrievalTargetRegistry,
  type RetrievalCandidate,
  type RetrievalSearchInput,
  type SqlStatement,
} from "@codesoul-co/ditto/retrieval";
import { createRetrievalMemorySearchProvider } from "@codesoul-co/ditto/retrieval/adapters/memory";
import { milvusStatuses } from "../backends/milvus-stand-in.ts";
import { textSearchOf, vectorSearchOf } from "../backends/application-searches.ts";
import { hashedEmbedding, hashedVector, nearness } from "../backends/hashed-embedding.ts";
import type { World } from "../open-world.ts";
import { assertCode, ids, type Proof } from "./proof.ts";

const query = "agent memory";
const scoped: RetrievalSearchInput = { query: { content: query }, target: { name: "kb", namespace: "project-a" }, limit: 5 };

/** What the documents' exported functions for retrieval do, by name. */
export const retrievalProofs: Readonly<Record<string, Proof>> = {
  request: (request) => {
    assert.deepEqual(request, { query: { content: query }, target: { name: "kb" }, limit: 5 });
  },

  embeddingApis: async (embeddingApis) => {
    const { direct, documents } = await embeddingApis(hashedEmbedding, 48);
    assert.deepEqual(direct, [hashedVector("query text")]);
    assert.deepEqual(documents, [hashedVector("document A"), hashedVector("document B")]);
    await assertCode("RETRIEVAL_INVALID_EMBEDDING", () => embeddingApis(hashedEmbedding, 47));
  },

  httpEmbedding: async (httpEmbedding, { server }) => {
    assert.deepEqual(await httpEmbedding(), [hashedVector("query text")]);
    assert.deepEqual(server.requests, [
      { method: "POST", path: "/v1/embeddings", authorization: "Bearer key-1", body: { model: "hashed", input: ["query text"], encoding_format: "float" } },
    ]);
    process.env.DITTO_SHARED_SANDBOX_ALLOW_NETWORK = "https://elsewhere.example";
    await assertCode("RETRIEVAL_PERMISSION_DENIED", () => httpEmbedding());
    assert.equal(server.requests.length, 1, "a denied endpoint is not asked");
    process.env.DITTO_WORKER_RETRIEVAL_EMBEDDING_MODEL = "";
    await assertCode("RETRIEVAL_INVALID_INPUT", () => httpEmbedding());
  },

  externalVector: async (externalVector, { memories }) => {
    const backend = vectorSearchOf(memories);
    const output = await externalVector(backend, hashedEmbedding);
    assert.deepEqual(ids(output.candidates), ids(memories.findNear(hashedVector(query), null, 5)));
    assert.deepEqual(backend.asked[0]?.query.content, hashedVector(query));
  },

  nativeVector: async (nativeVector, { memories }) => {
    const backend = vectorSearchOf(memories, { native: true });
    const output = await nativeVector(backend);
    assert.deepEqual(ids(output.candidates), ids(memories.findNear(hashedVector(query), null, 5)));
    assert.equal(backend.asked[0]?.query.content, query);
  },

  precomputedVector: async (precomputedVector, { memories }) => {
    const output = await precomputedVector(vectorSearchOf(memories), hashedVector(query));
    assert.deepEqual(ids(output.candidates), ids(memories.findNear(hashedVector(query), null, 5)));
    await assertCode("RETRIEVAL_INVALID_EMBEDDING", () => precomputedVector(vectorSearchOf(memories), [1, Number.NaN]));
  },

  textSearch: async (textSearch, { memories }) => {
    const backend = textSearchOf(memories);
    const output = await textSearch(backend);
    const expected = memories.findText(query, null, 5);
    assert.deepEqual(
      output.candidates.map(({ id, score }: RetrievalCandidate) => [id, score]),
      expected.map(({ id, score }) => [id, score]),
    );
    assert.equal(output.strategy, "keyword");
    assert.equal(backend.asked[0]?.query.content, query);
  },

  hybridSearch: async (hybridSearch, { memories }) => {
    const [vector, text] = [vectorSearchOf(memories, { native: true }), textSearchOf(memories)];
    const output = await hybridSearch(vector, text);
    assert.deepEqual([vector.asked[0]?.strategy, vector.asked[0]?.limit, text.asked[0]?.strategy, text.asked[0]?.limit], ["vector", 50, "keyword", 50]);
    assert.deepEqual([output.strategy, output.target], ["hybrid", { name: "kb" }]);
    const fused = fusedByHand([
      [ids(memories.findNear(hashedVector(query), null, 50)), 1],
      [ids(memories.findText(query, null, 50)), 0.7],
    ]);
    assert.deepEqual(
      ids(output.candidates),
      fused.slice(0, 5).map(([id]) => id),
    );
    for (const [index, { score }] of output.candidates.entries()) assert.ok(Math.abs(score - fused[index]![1]) < 1e-12);
    const { contributions, branches } = output.metadata.fusion;
    assert.equal(Object.keys(contributions).length, 5);
    assert.equal(branches.length, 2);
  },

  rerankApis: async (rerankApis, { memories }) => {
    const search = textSearchOf(memories);
    const output = await search.search({ query: { content: query }, target: { name: "kb" }, limit: 5 });
    const { order, candidates } = await rerankApis(hashedEmbedding, output);
    assert.equal(order.length, 3);
    assert.deepEqual(
      ids(candidates),
      order.map(({ index }: { index: number }) => output.candidates[index]?.id),
    );
    assert.deepEqual(
      candidates.map(({ content }: RetrievalCandidate) => content),
      order.map(({ index }: { index: number }) => output.candidates[index]?.content),
    );
    const scores = order.map(({ score }: { score: number }) => score);
    assert.deepEqual(
      scores,
      [...scores].sort((a, b) => b - a),
    );
    assert.deepEqual((await rerankApis(hashedEmbedding, { ...output, candidates: [] })).candidates, []);
  },

  rerankSearch: async (rerankSearch, { memories }) => {
    const search = textSearchOf(memories);
    const output = await rerankSearch(search, createCosineReranker(hashedEmbedding));
    assert.equal(search.asked[0]?.limit, 50);
    const pool = await search.search({ query: { content: query }, target: { name: "kb" }, limit: 50 });
    const near = pool.candidates.map(({ id, content }) => ({
      id,
      score: nearness(hashedVector(query), hashedVector(String((content as { content: string }).content))),
    }));
    assert.deepEqual(ids(output.candidates), ids(near.sort((a, b) => b.score - a.score).slice(0, 5)));
    const doubling: RerankProvider = { rank: async ({ limit }) => Array.from({ length: limit }, () => ({ index: 0 })) };
    await assertCode("RETRIEVAL_INVALID_BACKEND_OUTPUT", () => rerankSearch(search, doubling));
  },

  sqlSearch: async (sqlSearch, { memories }) => {
    const statements: SqlStatement[] = [];
    const provider = sqlSearch(async (statement: SqlStatement) => {
      statements.push(statement);
      const [text, tenant, limit] = statement.values;
      return memories.findText(String(text), String(tenant), Number(limit)).map((row) => ({ id: row.id, content: JSON.parse(row.content), score: row.score }));
    });
    const output = await provider.search(scoped);
    assert.deepEqual(ids(output.candidates), ids(memories.findText(query, "project-a", 5)));
    assert.ok(output.candidates.length > 1);
    assert.deepEqual(statements[0]?.values, [query, "project-a", 5]);
    await assertCode("RETRIEVAL_INVALID_INPUT", () => provider.search({ ...scoped, target: { name: "kb" } }));
    await assertCode("RETRIEVAL_INVALID_INPUT", () => provider.search({ ...scoped, filter: { a: 1 } }));
    assert.equal(statements.length, 1, "a refused request reaches no database");
  },

  milvusSearch: async (milvusSearch, { memories, milvus }) => {
    const provider = milvusSearch(milvus.search);
    const vector = hashedVector(query);
    const output = await provider.search({ ...scoped, query: { content: vector } });
    assert.deepEqual(ids(output.candidates), ids(memories.findNear(vector, "project-a", 5)));
    assert.deepEqual(milvus.requests, [
      {
        collection_name: "memories",
        anns_field: "embedding",
        data: [vector],
        limit: 5,
        output_fields: ["memory"],
        filter: "tenant == {tenant}",
        exprValues: { tenant: "project-a" },
      },
    ]);
    await assertCode("RETRIEVAL_INVALID_INPUT", () => provider.search({ ...scoped, target: { name: "kb" } }));
    for (const status of [milvusStatuses.missingCollection, milvusStatuses.oldFailure]) {
      await assertCode("RETRIEVAL_BACKEND_ERROR", () => milvusSearch(async () => ({ status, results: [] })).search({ ...scoped, query: { content: vector } }));
    }
    const empty = await milvusSearch(async () => ({ status: milvusStatuses.successOfCode, results: [] })).search({ ...scoped, query: { content: vector } });
    assert.deepEqual(empty.candidates, []);
  },

  nativeMemoryInRetrieval: async (nativeMemoryInRetrieval, { memories }) => {
    assert.deepEqual(await nativeMemoryInRetrieval(memories), await memories.search({ query, limit: 5 }));
  },

  nativeMemoryWithNamespace: async (nativeMemoryWithNamespace, { memories }) => {
    const provider = nativeMemoryWithNamespace(memories);
    const output = await provider.search(scoped);
    assert.deepEqual(ids(output.candidates), ids(memories.findText(query, "project-a", 5)));
    assert.deepEqual(memories.calls.at(-1)?.input, { query, filter: { tenant: "project-a" }, limit: 5 });
    await assertCode("RETRIEVAL_INVALID_INPUT", () => provider.search({ ...scoped, target: { name: "kb" } }));
  },

  localMemoryPipeline: async (localMemoryPipeline, { memories }) => {
    const provider = vectorSearchOf(memories, { native: true });
    const result = await localMemoryPipeline(memories, provider);
    assert.equal(result.status, "success");
    assert.deepEqual(
      result.output.map(({ memory }: { memory: { id: string } }) => memory.id),
      ids(memories.findNear(hashedVector(query), null, 3)),
    );
    assert.equal(provider.asked[0]?.strategy, "vector");
  },

  delegatedMemory: async (delegatedMemory, { memories, runtimes }) => {
    const { raw, routed } = await delegatedMemory(memories, vectorSearchOf(memories, { native: true }));
    assert.deepEqual([routed.status, routed.node], ["success", "MEMORY.SEARCH"]);
    assert.deepEqual(routed.output, raw);
    assert.deepEqual(
      raw.map(({ memory }: { memory: { id: string } }) => memory.id),
      ids(memories.findNear(hashedVector(query), null, 3)),
    );
    await assertCode("RUNTIME_CLOSED", () => runtimes[0]?.invoke("MEMORY.SEARCH", { query }));
  },

  mapTextCandidates: async (mapTextCandidates, { memories }) => {
    const provider = textSearchOf(memories, "text");
    const search = createRetrievalMemorySearchProvider({ provider, target: { name: "kb" }, mapOutput: mapTextCandidates });
    const found = await search.search({ query, limit: 3 });
    assert.deepEqual(
      found.map(({ memory, score }) => ({ id: memory.id, content: JSON.stringify(memory.content), score })),
      memories.findText(query, null, 3).map(({ id, content, score }) => ({ id, content, score })),
    );
    assert.throws(() => mapTextCandidates({ target: { name: "kb" }, candidates: [{ content: "no id" }] }));
  },

  contextSearch: proveContextSearch,
};

async function proveContextSearch(
  contextSearch: (
    ...values: unknown[]
  ) => Promise<readonly { selectedItemIds: readonly string[]; context: { items: readonly { content: unknown; metadata: Record<string, unknown> }[] } }[]>,
  { memories }: World,
): Promise<void> {
  const provider = vectorSearchOf(memories, { native: true });
  const providers = new RetrievalTargetRegistry({ documents: { defaultStrategy: "vector", providers: { vector: provider } } });
  const runtime = createDitto({ workers: [createRetrievalWorker({ providers })] });
  const [inline, delegated] = await contextSearch(provider, runtime);
  await runtime.close();
  assert.deepEqual(inline, delegated);
  const expected = memories.findNear(hashedVector("agent runtime"), null, 5);
  assert.deepEqual(
    inline?.context.items.map(({ content }) => (content as { id: string }).id),
    ids(expected),
  );
  assert.equal(new Set(inline?.selectedItemIds).size, 5);
  for (const [index, { metadata }] of (inline?.context.items ?? []).entries()) {
    assert.deepEqual(metadata.retrievalTarget, { name: "documents" });
    assert.equal(metadata.score, expected[index]?.score);
  }
}

/** Reciprocal rank fusion of lists of ids, as the documents define it. */
function fusedByHand(lists: readonly (readonly [readonly (string | undefined)[], number])[]): readonly (readonly [string, number])[] {
  const scores = new Map<string, number>();
  for (const [list, weight] of lists) {
    for (const [index, id] of list.entries()) scores.set(id!, (scores.get(id!) ?? 0) + weight / (60 + index + 1));
  }
  return [...scores].sort((a, b) => b[1] - a[1]);
}
