import assert from "node:assert/strict";
import { createDitto } from "@codesoul-co/ditto";
import { createRetrieval, embedContents } from "@codesoul-co/ditto/retrieval";
import { hashedVector } from "../backends/hashed-embedding.ts";
import { type FragmentProof, ids } from "./proof.ts";

const query = "agent memory";

/** What the documents' fragments do: blocks that declare values, with the application's things declared beforehand. */
export const fragmentProofs: readonly FragmentProof[] = [
  {
    contains: "encodeBatch(contents",
    prove: async ({ embedding, provider, memory }, { memories }) => {
      assert.deepEqual(await embedContents(embedding, { contents: ["a text"], purpose: "query" }), [hashedVector("a text")]);
      const expected = ids(memories.findNear(hashedVector(query), null, 10));
      const output = await provider.search({ query: { content: query }, target: { name: "agent-memory" } });
      assert.deepEqual(ids(output.candidates), expected.slice(0, 10));
      const runtime = createDitto({ workers: [memory] });
      const result = await runtime.invoke("MEMORY.SEARCH", { query });
      assert.deepEqual([result.status, result.output?.map((hit) => hit.memory.id)], ["success", expected]);
      await runtime.close();
    },
  },
  {
    contains: "new Sandbox(config.workspace",
    prove: async ({ embedding }, { server }) => {
      assert.deepEqual(await embedding.embed({ contents: ["a", "b"], purpose: "document" }), [hashedVector("a"), hashedVector("b")]);
      assert.equal(server.requests.length, 1);
    },
  },
  {
    contains: "pgPool.query",
    prove: async ({ member1, member2 }, { memories }) => {
      const expected = ids(memories.findText(query, "project-a", 5));
      assert.deepEqual(ids(await member1.query({ text: "SELECT $1", values: [query, "project-a", 5] })), expected);
      assert.deepEqual(ids(await member2.query({ text: "SELECT ?", values: [query, "project-a", query, 5] })), expected);
    },
  },
  {
    contains: "applicationMilvusSearch",
    prove: async ({ vector }, { memories, milvus }) => {
      const request = { query: { content: query }, target: { name: "agent-memory", namespace: "project-a" }, limit: 3 };
      const output = await vector.search(request);
      assert.deepEqual(ids(output.candidates), ids(memories.findNear(hashedVector(query), "project-a", 3)));
      assert.deepEqual(output.candidates[0].source, { target: "agent-memory", ref: output.candidates[0].id });
      assert.deepEqual(milvus.requests[0]?.params, { ef: 64 });
      await vector.search({ ...request, options: { collection_name: "others" } });
      assert.equal(milvus.requests[1]?.collection_name, "memories");
      // What the document's mapper throws is no public error, and its text stays hidden.
      await assert.rejects(vector.search({ ...request, target: { name: "agent-memory" } }));
      assert.equal(milvus.requests.length, 2, "a refused scope reaches no database");
    },
  },
  {
    contains: "new RetrievalTargetRegistry({",
    prove: async ({ providers }, { memories }) => {
      const retrieval = createRetrieval({ providers });
      const found = await retrieval.search({ query: { content: query }, target: { name: "agent-memory" }, limit: 3 });
      assert.deepEqual([found.status, found.output?.strategy, found.output?.candidates.length], ["success", "hybrid", 3]);
      const near = await retrieval.search({ query: { content: query }, target: { name: "agent-memory" }, strategy: "vector", limit: 3 });
      assert.deepEqual(ids(near.output?.candidates ?? []), ids(memories.findNear(hashedVector(query), null, 3)));
      const unknown = await retrieval.search({ query: { content: query }, target: { name: "agent-memory" }, strategy: "graph" });
      assert.equal(unknown.error?.code, "RETRIEVAL_STRATEGY_UNSUPPORTED");
    },
  },
  {
    contains: 'invoke("MEMORY.GET"',
    prove: ({ result }) => assert.deepEqual([result.status, ids(result.output)], ["success", ["m1"]]),
  },
  {
    contains: 'invoke("MEMORY.QUERY"',
    prove: ({ result }) => assert.deepEqual([result.status, ids(result.output.items), "nextCursor" in result.output], ["success", ["m2", "m3", "m1"], false]),
  },
  {
    contains: 'invoke("MEMORY.SEARCH"',
    prove: ({ result }, { memories }) => {
      const expected = ids(memories.findNear([0.1, 0.2, 0.3], "project-a", 10));
      assert.deepEqual([result.status, result.output.map((hit: { memory: { id: string } }) => hit.memory.id)], ["success", expected]);
    },
  },
  {
    contains: 'invoke("MEMORY.WRITE"',
    prove: async ({ result }) => {
      // The application's database takes a key once, and the first memory has it.
      assert.deepEqual([result.status, result.error?.code], ["failed", "MEMORY_BACKEND_ERROR"]);
    },
  },
  {
    contains: 'invoke("MEMORY.UPDATE"',
    prove: ({ result }) =>
      assert.deepEqual([result.status, result.output[0]?.metadata, result.output[0]?.key], ["success", { source: "corrected" }, "preference"]),
  },
  {
    contains: 'invoke("MEMORY.DELETE"',
    prove: ({ result }) => assert.deepEqual([result.status, result.output], ["success", { deleted: ["m1"] }]),
  },
  {
    contains: "AbortSignal.timeout(5000)",
    prove: ({ result }, { memories }) => {
      assert.deepEqual([result.status, result.output[0]?.memory.id], ["success", "m8"]);
      assert.ok(memories.calls.at(-1)?.options?.signal instanceof AbortSignal);
    },
  },
];
