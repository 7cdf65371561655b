import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ContextItem, ContextSelectInput } from "../../../src/contracts/context.ts";
import type { ContextSelectRequest } from "../../../src/contracts/context-services.ts";
import { createContext } from "../../../src/worker/context/create-context.ts";

const item = (id: string, metadata: Record<string, never> | object = {}, content = "text"): ContextItem => ({
  id,
  content,
  metadata: metadata as NonNullable<ContextItem["metadata"]>,
});
const selectedIds = async (items: ContextItem[], rest: Partial<ContextSelectInput> = {}, sdk = createContext()) =>
  (await sdk.select({ context: { items }, purpose: "infer", ...rest } as ContextSelectInput)).selectedItemIds;

describe("CONTEXT.SELECT", () => {
  it("returns purpose, the chosen context and its ids, and changes nothing", async () => {
    const context = { items: [item("a"), item("b")] };
    const selection = await createContext().select({ context, purpose: "memory", limit: 1 });
    expect(selection).toEqual({ purpose: "memory", context: { items: [item("a")] }, selectedItemIds: ["a"] });
    expect(context.items).toHaveLength(2);
    for (const part of [selection, selection.context, selection.context.items, selection.context.items[0], selection.selectedItemIds]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  describe("strategy default", () => {
    it("puts system, protected and currentGoal items first for infer", async () => {
      const items = [
        item("a", { priority: 9 }),
        item("sys", { role: "system" }),
        item("prot", { protected: true }),
        item("goal", { currentGoal: true }),
        item("mem", { stable: true }),
      ];
      expect(await selectedIds(items)).toEqual(["sys", "prot", "goal", "a", "mem"]);
    });

    it("puts memoryCandidate, reusable and stable items first for memory", async () => {
      const items = [
        item("a", { priority: 9 }),
        item("cand", { memoryCandidate: true }),
        item("re", { reusable: true }),
        item("st", { stable: true }),
        item("sys", { role: "system" }),
      ];
      expect(await selectedIds(items, { purpose: "memory" })).toEqual(["cand", "re", "st", "a", "sys"]);
    });

    it("leaves out private: true and memoryEligible: false for memory, and for memory only", async () => {
      const items = [item("private", { private: true }), item("not", { memoryEligible: false }), item("yes", { memoryEligible: true, private: false })];
      expect(await selectedIds(items, { purpose: "memory" })).toEqual(["yes"]);
      expect(await selectedIds(items)).toEqual(["private", "not", "yes"]);
    });

    it("then goes by priority, relevance, words shared with the query, and position", async () => {
      const items = [
        item("none"),
        item("overlap 1", {}, "vector of numbers"),
        item("overlap 2", {}, "vector SEARCH"),
        item("relevant", { relevance: 0.1 }),
        item("prior", { priority: 1 }),
        item("prior and relevant", { priority: 1, relevance: 0.1 }),
        item("last"),
      ];
      expect(await selectedIds(items, { query: "Vector search" })).toEqual([
        "prior and relevant",
        "prior",
        "relevant",
        "overlap 2",
        "overlap 1",
        "none",
        "last",
      ]);
    });

    it("takes a query as words, never as syntax, and Chinese by its letters", async () => {
      const items = [item("other", {}, "nothing"), item("zh", {}, "重跑gen-itgc后失败"), item("en", {}, "C++ (draft)")];
      expect((await selectedIds(items, { query: "失败 gen" }))[0]).toBe("zh");
      expect((await selectedIds(items, { query: "c++ .* [" }))[0]).toBe("en");
      expect(await selectedIds(items, { query: "" })).toEqual(["other", "zh", "en"]);
    });

    it("reads words of structured content too", async () => {
      const items = [item("a"), { id: "b", content: { text: "needle" } }];
      expect(await selectedIds(items, { query: "needle" })).toEqual(["b", "a"]);
    });
  });

  describe("caps", () => {
    const many = Array.from({ length: 300 }, (_, index) => item(`i${index}`));

    it("caps items at the policy's maxItems, which a limit may lower and never raise", async () => {
      expect(await selectedIds(many)).toHaveLength(256);
      expect(await selectedIds(many, { limit: 3 })).toHaveLength(3);
      expect(await selectedIds(many, { limit: 1_000_000 })).toHaveLength(256);
      expect(await selectedIds(many, { limit: 0 })).toEqual([]);
    });

    it("estimates tokens as ceil(UTF-8 JSON bytes / 4)", async () => {
      // "字字字" is 11 bytes of JSON: 3 tokens.
      const items = [item("a", {}, "字字字")];
      expect(await selectedIds(items, { maxTokens: 2 })).toEqual([]);
      expect(await selectedIds(items, { maxTokens: 3 })).toEqual(["a"]);
    });

    it("skips an item that does not fit the token budget and goes on", async () => {
      const items = [item("big", { priority: 1 }, "x".repeat(100)), item("small", {}, "x")];
      expect(await selectedIds(items, { maxTokens: 5 })).toEqual(["small"]);
    });

    it("lets a request lower the policy's maxTokens and never raise it", async () => {
      const sdk = createContext({ policy: { maxTokens: 4 } });
      const items = ["a", "b", "c", "d"].map((id) => item(id, {}, "x"));
      expect(await selectedIds(items, {}, sdk)).toHaveLength(4);
      expect(await selectedIds(items, { maxTokens: 2 }, sdk)).toHaveLength(2);
      expect(await selectedIds(items, { maxTokens: 1000 }, createContext({ policy: { maxTokens: 3 } }))).toHaveLength(3);
    });

    it("asks the application's estimator where there is one, and only under a token budget", async () => {
      const asked: string[] = [];
      const tokenEstimator = {
        perItem: 10,
        estimate(entry: ContextItem) {
          asked.push(entry.id);
          return this.perItem;
        },
      };
      const sdk = createContext({ services: { tokenEstimator } });
      await selectedIds([item("a"), item("b")], {}, sdk);
      expect(asked).toEqual([]);
      expect(await selectedIds([item("a"), item("b"), item("c")], { maxTokens: 20 }, sdk)).toEqual(["a", "b"]);
    });

    it.each([Number.NaN, -1, Number.POSITIVE_INFINITY, "1", undefined])("answers INVALID_PROVIDER_OUTPUT to the estimate %s", async (estimate) => {
      const sdk = createContext({ services: { tokenEstimator: { estimate: () => estimate as number } } });
      await expect(selectedIds([item("a")], { maxTokens: 20 }, sdk)).rejects.toMatchObject({ code: "INVALID_PROVIDER_OUTPUT" });
    });

    it("takes, for any items, in its order whatever still fits, and never exceeds a cap", async () => {
      const arbitraryItem = fc.record({
        content: fc.string({ maxLength: 30 }),
        metadata: fc.record({ priority: fc.integer({ min: 0, max: 3 }), protected: fc.boolean() }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(arbitraryItem, { maxLength: 12 }), fc.nat({ max: 12 }), fc.nat({ max: 40 }), async (parts, limit, maxTokens) => {
          const items = parts.map((part, index) => ({ id: String(index), ...part }));
          const expected: string[] = [];
          let left = maxTokens;
          const merit = ({ metadata }: (typeof items)[number]) => (metadata.protected ? 10 : 0) + metadata.priority;
          for (const entry of items.toSorted((first, second) => merit(second) - merit(first))) {
            const cost = Math.ceil(Buffer.byteLength(JSON.stringify(entry.content)) / 4);
            if (expected.length === limit || cost > left) continue;
            left -= cost;
            expected.push(entry.id);
          }
          expect(await selectedIds(items, { limit, maxTokens })).toEqual(expected);
        }),
      );
    });
  });

  describe("strategy provider", () => {
    it("answers STRATEGY_UNAVAILABLE without a selector", async () => {
      await expect(selectedIds([], { strategy: { kind: "provider", name: "x" } })).rejects.toMatchObject({ code: "STRATEGY_UNAVAILABLE" });
    });

    it("asks services.selector with name, options and the working set, and keeps its order", async () => {
      const requests: unknown[] = [];
      const selector = {
        async select(request: ContextSelectRequest & { name: string }) {
          requests.push(request);
          return ["c", "a", "c"];
        },
      };
      const strategy = { kind: "provider", name: "recency", options: { days: 3 } } as const;
      const items = [item("a"), item("b"), item("c")];
      const selected = await selectedIds(items, { strategy, limit: 5, query: "q" }, createContext({ services: { selector } }));
      expect(selected).toEqual(["c", "a"]);
      expect(requests).toEqual([
        {
          name: "recency",
          options: { days: 3 },
          input: { context: { items }, purpose: "infer", query: "q", limit: 5, strategy },
          context: { items },
          limit: 5,
        },
      ]);
    });

    it.each([[["nope"]], [[1]], ["a"], [undefined], [[""]]])("answers INVALID_PROVIDER_OUTPUT to the answer %j", async (answer) => {
      const services = { selector: { select: async () => answer as string[] } };
      await expect(selectedIds([item("a")], { strategy: { kind: "provider", name: "x" } }, createContext({ services }))).rejects.toMatchObject({
        code: "INVALID_PROVIDER_OUTPUT",
      });
    });
  });

  describe("strategy rag", () => {
    const select = (answer: unknown, rest: Partial<ContextSelectInput> = {}) =>
      selectedIds([], { strategy: { kind: "rag" }, ...rest }, createContext({ services: { ragStrategy: { select: async () => answer as ContextItem[] } } }));

    it("answers STRATEGY_UNAVAILABLE without a ragStrategy", async () => {
      await expect(selectedIds([], { strategy: { kind: "rag" } })).rejects.toMatchObject({ code: "STRATEGY_UNAVAILABLE" });
    });

    it("takes the strategy's items in its order, the first of each id, within the caps", async () => {
      const answer = [item("b", {}, "x"), item("a", {}, "x".repeat(100)), item("b", {}, "second"), item("c", {}, "x"), item("d", {}, "x")];
      expect(await select(answer)).toEqual(["b", "a", "c", "d"]);
      expect(await select(answer, { limit: 2 })).toEqual(["b", "a"]);
      expect(await select(answer, { maxTokens: 4 })).toEqual(["b", "c", "d"]);
    });

    it("hands corpus and options on and does not ask at all for a limit of 0", async () => {
      const requests: ContextSelectRequest[] = [];
      const ragStrategy = { select: async (request: ContextSelectRequest) => (requests.push(request), []) };
      const sdk = createContext({ services: { ragStrategy } });
      const strategy = { kind: "rag", corpus: "docs", options: { k: 1 } } as const;
      expect(await selectedIds([], { strategy, limit: 0 }, sdk)).toEqual([]);
      expect(requests).toEqual([]);
      await selectedIds([item("a")], { strategy }, sdk);
      expect(requests[0]).toMatchObject({ input: { strategy }, context: { items: [item("a")] }, limit: 256 });
    });

    it.each([[undefined], ["x"], [[{ content: 1 }]], [[{ id: "", content: 1 }]], [[{ id: "a", content: new Date() }]], [[{ id: "a", content: 1, score: 1 }]]])(
      "answers INVALID_PROVIDER_OUTPUT to the answer %j",
      async (answer) => {
        await expect(select(answer)).rejects.toMatchObject({ code: "INVALID_PROVIDER_OUTPUT" });
      },
    );
  });

  it.each([
    ["no purpose", { purpose: undefined }],
    ["an unknown purpose", { purpose: "train" }],
    ["a query that is no text", { query: 5 }],
    ["a negative limit", { limit: -1 }],
    ["a limit above 1000000", { limit: 1_000_001 }],
    ["a broken limit", { limit: 1.5 }],
    ["limit: null", { limit: null }],
    ["a maxTokens that is a text", { maxTokens: "5" }],
    ["an unknown strategy", { strategy: { kind: "best" } }],
    ["a strategy that is a text", { strategy: "rag" }],
    ["a provider without name", { strategy: { kind: "provider" } }],
    ["options that are a list", { strategy: { kind: "rag", options: [] } }],
    ["a corpus that is no JSON", { strategy: { kind: "rag", corpus: new Date() } }],
    ["a corpus for the default strategy", { strategy: { kind: "default", corpus: "x" } }],
    ["a misspelt member", { maxToken: 5 }],
  ])("refuses %s as INVALID_INPUT", async (_name, rest) => {
    await expect(selectedIds([], rest as never)).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });
});
