import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Context, ContextItem } from "../../../src/contracts/context.ts";
import { createContext } from "../../../src/worker/context/create-context.ts";

const item = (id: string, metadata: object = {}, content: string = "x"): ContextItem => ({
  id,
  content,
  metadata: metadata as NonNullable<ContextItem["metadata"]>,
});
const compressedIds = async (items: ContextItem[], caps: { maxItems?: number; maxTokens?: number }, sdk = createContext()) =>
  (await sdk.compress({ context: { items }, ...caps })).items.map((entry) => entry.id);

describe("CONTEXT.COMPRESS", () => {
  it("leaves a Context as it is that fits", async () => {
    const items = [item("a"), item("b")];
    expect(await compressedIds(items, {})).toEqual(["a", "b"]);
    expect(await compressedIds(items, { maxItems: 2, maxTokens: 2 })).toEqual(["a", "b"]);
  });

  it.each([{ protected: true }, { safety: true }, { currentGoal: true }, { currentGoal: "ship it" }, { pending: true }, { role: "system" }])(
    "keeps %j",
    async (metadata) => {
      expect(await compressedIds([item("keep", metadata), item("a", { priority: 9 })], { maxItems: 1 })).toEqual(["keep"]);
    },
  );

  it.each([{ protected: false }, { pending: false }, { pending: "later" }, { role: "user" }])("does not keep %j", async (metadata) => {
    expect(await compressedIds([item("goes", metadata), item("a", { priority: 9 })], { maxItems: 1 })).toEqual(["a"]);
  });

  it("removes low priority, then low relevance, then what is retrievable, then what is older", async () => {
    const items = [
      item("old"),
      item("new"),
      item("retrievable", { retrievable: true }),
      item("relevant", { relevance: 0.5 }),
      item("prior", { priority: 1 }),
      item("low", { priority: -1, relevance: 9 }),
    ];
    const gone: string[] = [];
    let rest = items.map((entry) => entry.id);
    for (let maxItems = 5; maxItems >= 0; maxItems -= 1) {
      const kept = await compressedIds(items, { maxItems });
      gone.push(...rest.filter((id) => !kept.includes(id)));
      rest = kept;
    }
    expect(gone).toEqual(["low", "retrievable", "old", "new", "relevant", "prior"]);
  });

  it("lets items of one callId live or die together, by the best and the newest of them", async () => {
    const call = [item("call", { callId: "c" }), item("a"), item("result", { callId: "c", priority: 1 }), item("b", { callId: "" }), item("c", { callId: "" })];
    expect(await compressedIds(call, { maxItems: 4 })).toEqual(["call", "result", "b", "c"]);
    expect(await compressedIds(call, { maxItems: 2 })).toEqual(["call", "result"]);
    expect(await compressedIds(call, { maxItems: 1 })).toEqual([]);
    const pending = [item("call", { callId: "c" }), item("result", { callId: "c", pending: true }), item("a", { priority: 9 })];
    expect(await compressedIds(pending, { maxItems: 2 })).toEqual(["call", "result"]);
  });

  it("answers BUDGET_UNSATISFIABLE when what is kept exceeds the budget", async () => {
    const items = [item("a", { protected: true }), item("b", { role: "system" })];
    await expect(compressedIds(items, { maxItems: 1 })).rejects.toMatchObject({ code: "BUDGET_UNSATISFIABLE" });
    await expect(compressedIds(items, { maxTokens: 1 })).rejects.toMatchObject({ code: "BUDGET_UNSATISFIABLE" });
    expect(await compressedIds([], { maxItems: 0, maxTokens: 0 })).toEqual([]);
  });

  it("takes the policy's caps, which a request may lower and never raise", async () => {
    const items = ["a", "b", "c"].map((id) => item(id));
    const sdk = createContext({ policy: { maxItems: 2 } });
    expect(await compressedIds(items, {}, sdk)).toEqual(["b", "c"]);
    expect(await compressedIds(items, { maxItems: 100 }, sdk)).toEqual(["b", "c"]);
    expect(await compressedIds(items, { maxItems: 1 }, sdk)).toEqual(["c"]);
    expect(await compressedIds(items, { maxTokens: 100 }, createContext({ policy: { maxTokens: 1 } }))).toEqual(["c"]);
  });

  it("uses the application's estimator", async () => {
    const sdk = createContext({ services: { tokenEstimator: { estimate: async (entry: ContextItem) => (entry.id === "a" ? 0.1 : 0.2) } } });
    expect(
      await compressedIds(
        ["a", "b", "c"].map((id) => item(id)),
        { maxTokens: 1 },
        sdk,
      ),
    ).toEqual(["a", "b", "c"]);
    expect(
      await compressedIds(
        ["a", "b", "c"].map((id) => item(id)),
        { maxTokens: 0 },
        sdk,
      ),
    ).toEqual([]);
  });

  it.each([{ maxItems: -1 }, { maxItems: 1.5 }, { maxTokens: 1_000_001 }, { limit: 3 }])("refuses %j as INVALID_INPUT", async (caps) => {
    await expect(compressedIds([], caps)).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });

  it("keeps order, protected items and whole groups, fits the budget, and removes no more groups than its order needs, whatever the items", async () => {
    const metadata = fc.record(
      {
        priority: fc.integer({ min: 0, max: 2 }),
        relevance: fc.double({ min: 0, max: 1, noNaN: true }),
        retrievable: fc.boolean(),
        callId: fc.constantFrom("", "x", "y"),
        protected: fc.constantFrom(false, false, false, true),
      },
      { requiredKeys: [] },
    );
    const part = fc.record({ content: fc.string({ maxLength: 12 }), metadata });
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 10 }), fc.nat({ max: 10 }), fc.nat({ max: 25 }), async (parts, maxItems, maxTokens) => {
        const items = parts.map((entry, index) => ({ id: String(index), ...entry })) as ContextItem[];
        const cost = (entry: ContextItem) => Math.ceil(Buffer.byteLength(JSON.stringify(entry.content)) / 4);
        const groupOf = (entry: ContextItem) => entry.metadata?.callId || entry.id;
        const isKept = (entry: ContextItem) => items.some((other) => groupOf(other) === groupOf(entry) && other.metadata?.protected === true);
        const needed = items.filter(isKept);
        const total = (list: readonly ContextItem[]) => list.reduce((sum, entry) => sum + cost(entry), 0);
        const compress = (caps: { maxItems: number; maxTokens: number }) => createContext().compress({ context: { items }, ...caps });
        if (needed.length > maxItems || total(needed) > maxTokens) {
          await expect(compress({ maxItems, maxTokens })).rejects.toMatchObject({ code: "BUDGET_UNSATISFIABLE" });
          return;
        }
        const kept = (await compress({ maxItems, maxTokens })).items;
        expect(kept.length).toBeLessThanOrEqual(maxItems);
        expect(total(kept)).toBeLessThanOrEqual(maxTokens);
        const ids = kept.map((entry) => entry.id);
        expect(items.map((entry) => entry.id).filter((id) => ids.includes(id))).toEqual(ids);
        for (const entry of needed) expect(ids).toContain(entry.id);
        const keptGroups = new Set(kept.map(groupOf));
        for (const entry of items) expect(ids.includes(entry.id)).toBe(keptGroups.has(groupOf(entry)));
        // A wider budget keeps at least as much.
        const wider = (await compress({ maxItems: maxItems + 1, maxTokens: maxTokens + 5 })).items.map((entry) => entry.id);
        for (const id of ids) expect(wider).toContain(id);
        // And it is deterministic.
        expect((await compress({ maxItems, maxTokens })).items).toEqual(kept);
      }),
    );
  });

  describe("with the application's compressor", () => {
    const compressBy = (answer: (context: Context) => unknown, items: ContextItem[], caps = {}) =>
      createContext({ services: { compressor: { compress: async ({ context }) => answer(context) as Context } } }).compress({ context: { items }, ...caps });
    const items = [item("a"), item("keep", { protected: true }), item("c1", { callId: "c" }), item("c2", { callId: "c" })];

    it("takes its answer, which may hold new items", async () => {
      const summary = item("summary", {}, "short");
      expect((await compressBy(() => ({ items: [summary, items[1]] }), items)).items).toEqual([summary, items[1]]);
    });

    it.each([
      ["loses what must be kept", () => ({ items: [] })],
      ["has a part of a call group", (context: Context) => ({ items: context.items.slice(1, 3) })],
      ["has one id twice", (context: Context) => ({ items: [...context.items, context.items[0]] })],
      ["exceeds the items", (context: Context) => context, { maxItems: 3 }],
      ["exceeds the tokens", (context: Context) => context, { maxTokens: 1 }],
      ["is no Context", () => undefined],
      ["has an item that is none", () => ({ items: [{ id: "x" }] })],
    ])("answers INVALID_PROVIDER_OUTPUT when it %s", async (_name, answer, caps: object = {}) => {
      await expect(compressBy(answer, items, caps)).rejects.toMatchObject({ code: "INVALID_PROVIDER_OUTPUT" });
    });
  });
});
