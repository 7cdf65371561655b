import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Context, ContextUpdateInput } from "../../../src/contracts/context.ts";
import { createContext } from "../../../src/worker/context/create-context.ts";

const contextOf = (...ids: string[]): Context => ({ items: ids.map((id) => ({ id, content: `old ${id}` })) });
const ids = (context: Context): string[] => context.items.map((item) => item.id);

describe("CONTEXT.UPDATE", () => {
  it("removes, then adds, then takes in ingress", async () => {
    const result = await createContext().update({
      context: contextOf("a", "b"),
      removeIds: ["a"],
      add: [
        { id: "a", content: "added" },
        { id: "c", content: "added" },
      ],
      ingress: [{ id: "c", sourceNode: "MEMORY.SEARCH", content: "came in" }],
    });
    expect(result.items).toEqual([
      { id: "b", content: "old b" },
      { id: "a", content: "added" },
      { id: "c", content: "came in", metadata: { sourceNode: "MEMORY.SEARCH" } },
    ]);
  });

  it("records an ingress entry's sourceNode in metadata and its reference as source", async () => {
    const { items } = await createContext().update({
      context: contextOf(),
      ingress: [
        { id: "memory:1", sourceNode: "MEMORY.SEARCH", content: { a: 1 }, reference: { uri: "db:1" }, metadata: { relevance: 0.5, sourceNode: "forged" } },
      ],
    });
    expect(items).toEqual([{ id: "memory:1", content: { a: 1 }, source: { uri: "db:1" }, metadata: { relevance: 0.5, sourceNode: "MEMORY.SEARCH" } }]);
  });

  it("applies the duplicate rule to what is added: replace keeps the place, keep-first the item, reject answers DUPLICATE_ITEM", async () => {
    const input = { context: contextOf("a", "b"), add: [{ id: "a", content: "new" }] };
    expect((await createContext().update(input)).items[0]).toEqual({ id: "a", content: "new" });
    expect((await createContext({ policy: { duplicate: "keep-first" } }).update(input)).items[0]?.content).toBe("old a");
    await expect(createContext({ policy: { duplicate: "reject" } }).update(input)).rejects.toMatchObject({ code: "DUPLICATE_ITEM" });
  });

  it("ignores the removal of what is not there, or answers MISSING_ITEM where the policy rejects it", async () => {
    const input = { context: contextOf("a"), removeIds: ["a", "a", "x"] };
    expect((await createContext().update(input)).items).toEqual([]);
    const strict = createContext({ policy: { missingRemoval: "reject" } });
    await expect(strict.update(input)).rejects.toMatchObject({ code: "MISSING_ITEM" });
    expect((await strict.update({ ...input, removeIds: ["a", "a"] })).items).toEqual([]);
  });

  it("answers ITEM_LIMIT_EXCEEDED for the result only", async () => {
    const context = createContext({ policy: { maxItems: 2 } });
    const given = contextOf("a", "b", "c");
    expect(ids(await context.update({ context: given, removeIds: ["a"] }))).toEqual(["b", "c"]);
    await expect(context.update({ context: given })).rejects.toMatchObject({ code: "ITEM_LIMIT_EXCEEDED" });
  });

  it("answers DUPLICATE_ITEM to an explicit Context in which an id stands twice", async () => {
    await expect(createContext().update({ context: contextOf("a", "a") })).rejects.toMatchObject({ code: "DUPLICATE_ITEM" });
  });

  it("changes nothing that was given", async () => {
    const given = contextOf("a", "b");
    await createContext().update({ context: given, removeIds: ["a"], add: [{ id: "b", content: "new" }] });
    expect(given).toEqual(contextOf("a", "b"));
  });

  it("takes its own results back", async () => {
    const context = createContext();
    const first = await context.update({ context: contextOf("a"), add: [{ id: "b", content: 1 }] });
    expect(ids(await context.update({ context: first, add: [{ id: "c", content: 2 }] }))).toEqual(["a", "b", "c"]);
    // The snapshot is known, and the inline limit of another policy holds all the same.
    await expect(createContext({ policy: { maxInlineBytes: 2 } }).update({ context: first })).rejects.toMatchObject({ code: "INLINE_LIMIT_EXCEEDED" });
  });

  it.each([
    ["neither context nor scope", {}],
    ["both context and scope", { context: contextOf(), scope: { sessionId: "s" } }],
    ["a context without items", { context: {} }],
    ["a context with a further member", { context: { items: [], version: 1 } }],
    ["removeIds that are a text", { context: contextOf(), removeIds: "a" }],
    ["an empty id to remove", { context: contextOf(), removeIds: [""] }],
    ["ingress without sourceNode", { context: contextOf(), ingress: [{ id: "a", content: 1 }] }],
    ["ingress without content", { context: contextOf(), ingress: [{ id: "a", sourceNode: "X.Y" }] }],
    ["an item to add without content", { context: contextOf(), add: [{ id: "a" }] }],
    ["a misspelt member", { context: contextOf(), remove: ["a"] }],
  ])("refuses %s as INVALID_INPUT", async (_name, input) => {
    await expect(createContext().update(input as ContextUpdateInput)).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });

  it("equals, for any ids, a Map that removes, adds and takes in one after the other", async () => {
    const id = fc.constantFrom("a", "b", "c", "d", "e");
    const list = fc.array(id, { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(id), list, list, list, async (given, removeIds, add, ingress) => {
        const expected = new Map(given.map((name) => [name, "old"]));
        for (const name of removeIds) expected.delete(name);
        for (const name of add) expected.set(name, "add");
        for (const name of ingress) expected.set(name, "ingress");
        const { items } = await createContext().update({
          context: { items: given.map((name) => ({ id: name, content: "old" })) },
          removeIds,
          add: add.map((name) => ({ id: name, content: "add" })),
          ingress: ingress.map((name) => ({ id: name, content: "ingress", sourceNode: "X.Y" })),
        });
        expect(items.map((item) => [item.id, item.content])).toEqual([...expected]);
      }),
    );
  });
});
