import { describe, expect, it } from "vitest";
import type { ContextItem } from "../../../src/contracts/context.ts";
import type { ContextCallOptions } from "../../../src/contracts/context-services.ts";
import { createContext } from "../../../src/worker/context/create-context.ts";
import { createRagStrategy, type RagStages } from "../../../src/worker/context/create-rag-strategy.ts";

const item = (id: string, content: string = id): ContextItem => ({ id, content });
const select = (stages: RagStages, rest: { query?: string; limit?: number } = { query: "q" }, options?: ContextCallOptions) =>
  createContext({ services: { ragStrategy: createRagStrategy(stages) } }).select(
    { context: { items: [] }, purpose: "infer", strategy: { kind: "rag" }, ...rest },
    options,
  );

describe("createRagStrategy", () => {
  it("embeds the query, retrieves with it, and ranks", async () => {
    const { context } = await select(
      {
        embed: async (query) => [query.length],
        retrieve: async ({ embedding, limit, input }) => [item("a"), item(`${JSON.stringify(embedding)} ${limit} ${input.query}`)],
        rank: async ({ items }) => items.toReversed(),
      },
      { query: "four", limit: 7 },
    );
    expect(context.items.map((entry) => entry.id)).toEqual(["[4] 7 four", "a"]);
  });

  it("needs retrieve only", async () => {
    expect((await select({ retrieve: async () => [item("a")] }, {})).selectedItemIds).toEqual(["a"]);
  });

  it("lets the first item with an id win, before ranking and after it", async () => {
    const ranked: number[] = [];
    const { context } = await select({
      retrieve: async () => [item("a", "first"), item("b"), item("a", "second")],
      rank: async ({ items }) => {
        ranked.push(items.length);
        return [...items, item("b", "again")];
      },
    });
    expect(ranked).toEqual([2]);
    expect(context.items).toEqual([item("a", "first"), item("b")]);
  });

  it("lets ranking drop and change items, and never add one", async () => {
    const retrieve = async () => [item("a"), item("b")];
    expect((await select({ retrieve, rank: async () => [{ ...item("b"), metadata: { relevance: 1 } }] })).context.items).toEqual([
      { ...item("b"), metadata: { relevance: 1 } },
    ]);
    await expect(select({ retrieve, rank: async () => [item("made up")] })).rejects.toMatchObject({ code: "INVALID_PROVIDER_OUTPUT" });
  });

  it("answers INVALID_INPUT when the query shall be embedded and there is none", async () => {
    await expect(select({ embed: async () => [1], retrieve: async () => [] }, {})).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });

  it.each([undefined, "x", [1], [null]])("answers INVALID_PROVIDER_OUTPUT to a stage's answer %j", async (answer) => {
    await expect(select({ retrieve: async () => answer as never })).rejects.toMatchObject({ code: "INVALID_PROVIDER_OUTPUT" });
    await expect(select({ retrieve: async () => [], rank: async () => answer as never })).rejects.toMatchObject({ code: "INVALID_PROVIDER_OUTPUT" });
  });

  it("hands signal and runtime to every stage, and keeps their receiver", async () => {
    class Stages implements RagStages {
      readonly seen: (ContextCallOptions | undefined)[] = [];
      async embed(_query: string, options?: ContextCallOptions) {
        this.seen.push(options);
        return [1];
      }
      async retrieve(_request: unknown, options?: ContextCallOptions) {
        this.seen.push(options);
        return [];
      }
      async rank(_request: unknown, options?: ContextCallOptions) {
        this.seen.push(options);
        return [];
      }
    }
    const stages = new Stages();
    const { signal } = new AbortController();
    const runtime = { invoke: async () => undefined as never };
    await select(stages, { query: "q" }, { signal, runtime });
    expect(stages.seen).toHaveLength(3);
    for (const options of stages.seen) {
      expect(options?.signal).toBe(signal);
      expect(options?.runtime).toBe(runtime);
    }
  });
});
