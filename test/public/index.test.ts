import { createContextWorker, createDitto, createMemoryWorker, graph, type NodeContract } from "@codesoul-co/ditto";
import { defineNode, defineWorker } from "@codesoul-co/ditto/worker";
import type { MemoryItem, MemoryStore } from "@codesoul-co/ditto/worker/memory";
import { expect, it } from "vitest";

declare module "@codesoul-co/ditto" {
  interface NodeContractMap {
    "TEXT.SHOUT": NodeContract<{ readonly text: string }, string>;
  }
}

it("lets applications add nodes by declaration merging", async () => {
  const shout = defineNode("TEXT", "TEXT.SHOUT", async ({ text }) => text.toUpperCase());
  const runtime = createDitto({ workers: [defineWorker({ type: "TEXT", nodes: { "TEXT.SHOUT": shout } })] });
  const answer: string = await runtime.invoke("TEXT.SHOUT", { text: "hello" });
  expect(answer).toBe("HELLO");
  await runtime.close();
});

it("runs MEMORY.SEARCH and CONTEXT.UPDATE in one graph", async () => {
  const found: MemoryItem = { id: "m1", content: "Prefers Chinese" };
  const unused = () => Promise.reject(new Error("not called"));
  const store: MemoryStore = { get: unused, query: unused, write: unused, update: unused, delete: unused };
  const search = { search: async () => [{ memory: found, score: 0.5 }] };
  const runtime = createDitto({ workers: [createMemoryWorker({ store, search }), createContextWorker()] });
  const plan = graph<string>("memory-context")
    .node("search", "MEMORY.SEARCH", [], (query) => ({ query, limit: 5 }))
    .node("context", "CONTEXT.UPDATE", ["search"], (_query, { search: result }) => {
      if (result.status !== "success" || !result.output) throw new Error(result.error?.code ?? result.status);
      return {
        context: { items: [] },
        ingress: result.output.map((hit) => ({
          id: `memory:${hit.memory.id}`,
          sourceNode: "MEMORY.SEARCH" as const,
          content: typeof hit.memory.content === "string" ? hit.memory.content : JSON.stringify(hit.memory.content),
          metadata: { memoryId: hit.memory.id, ...(hit.score === undefined ? {} : { relevance: hit.score }) },
        })),
      };
    });
  const { context } = await runtime.run(plan, "language preference");
  expect(context.items).toMatchObject([{ id: "memory:m1", content: "Prefers Chinese", metadata: { relevance: 0.5 } }]);
  await runtime.close();
});
