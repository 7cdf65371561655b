import { describe, expect, it } from "vitest";
import type { MemorySearchInput, MemorySearchProvider, MemoryStore } from "../../../src/contracts/memory.ts";
import { definePlugin } from "../../../src/plugin/define-plugin.ts";
import { judgeText, loadText } from "../support/load-text.ts";

/** A plugin with a store whose search says what it was asked. */
function plugin(asked: MemorySearchInput[]) {
  const store: MemoryStore & MemorySearchProvider = {
    get: async () => [],
    query: async () => ({ items: [] }),
    write: async () => [],
    update: async () => [],
    delete: async () => ({ deleted: [] }),
    search: async (input) => {
      asked.push(input);
      return [{ memory: { id: "m1", content: "a refund", metadata: { tenant: "acme" } }, score: 0.5 }];
    },
  };
  return definePlugin({
    name: "notes",
    apiVersion: 1,
    kinds: [{ kind: "notes", role: "memory-store", summary: "Notes.", schema: { type: "object" }, example: {}, open: async () => ({ value: store }) }],
  });
}

async function open(search: string, more = "") {
  const asked: MemorySearchInput[] = [];
  const pipeline = await loadText(
    `version: 1\nname: own\nresources:\n  notes: { notes: {} }\ntargets: { own: { strategies: { native: { memory: ${search} } } } }\n${more}`,
    { plugins: [plugin(asked)] },
  );
  return { pipeline, asked };
}

describe("a store's own search", () => {
  it("is asked as the store understands it; candidates are whole memories", async () => {
    const { pipeline, asked } = await open("{ store: notes, strategy: semantic }");
    const { output } = await pipeline.search({ query: { content: "refund" }, filter: { kind: "note" }, limit: 3 });
    expect(output?.candidates).toEqual([{ id: "m1", content: { id: "m1", content: "a refund", metadata: { tenant: "acme" } }, score: 0.5 }]);
    expect(asked).toEqual([{ query: "refund", strategy: "semantic", filter: { kind: "note" }, limit: 3 }]);
  });

  it("gets the namespace in the field that is named, and refuses one without", async () => {
    const scoped = await open("{ store: notes, namespace: tenant }");
    expect((await scoped.pipeline.search({ query: { content: "x" }, namespace: "acme", filter: { kind: "note" } })).status).toBe("success");
    expect(scoped.asked).toEqual([{ query: "x", filter: { kind: "note", tenant: "acme" }, limit: 10 }]);
    expect((await scoped.pipeline.search({ query: { content: "x" } })).error?.code).toBe("RETRIEVAL_INVALID_INPUT");
    expect((await scoped.pipeline.search({ query: { content: "x" }, namespace: "acme", filter: { tenant: "other" } })).error?.code).toBe(
      "RETRIEVAL_INVALID_INPUT",
    );
    const open1 = await open("{ store: notes }");
    expect((await open1.pipeline.search({ query: { content: "x" }, namespace: "acme" })).error?.code).toBe("RETRIEVAL_INVALID_INPUT");
    expect(open1.asked).toEqual([]);
  });

  it("gives MEMORY.SEARCH its memories back with `map: item`, and a written-out search refuses a strategy", async () => {
    const graph = `memory: { store: notes, search: { memory: { store: notes } }, map: item }
graphs:
  recall:
    nodes:
      hits: { node: MEMORY.SEARCH, input: { query: refund, strategy: "\${ input.?strategy }" } }
    output: \${ hits.output }
`;
    const { pipeline } = await open("{ store: notes }", graph);
    expect(await pipeline.run({})).toEqual([{ memory: { id: "m1", content: "a refund", metadata: { tenant: "acme" } }, score: 0.5 }]);
    await expect(pipeline.run({ strategy: "other" })).rejects.toMatchObject({ code: expect.stringMatching(/STRATEGY/) });
  });

  it("is what a collection has not", async () => {
    const told = await judgeText(
      "version: 1\nname: own\nresources:\n  db: { sqlite: { file: a.db } }\n  kb: { sqlite.collection: { database: db } }\ntargets: { own: { strategies: { native: { memory: { store: kb } } } } }\n",
    );
    expect(told).toEqual(['6:53 DITTO217 the collection "kb" has no search of its own']);
  });
});
