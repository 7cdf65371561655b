import { describe, expect, it } from "vitest";
import type { ContextItem, Message, Reference } from "../../../src/contracts/context.ts";
import { createContext } from "../../../src/worker/context/create-context.ts";

const resolver = (contents: Record<string, unknown>) => {
  const asked: string[] = [];
  return {
    asked,
    resolve: async ({ uri }: Reference) => {
      asked.push(uri);
      if (!Object.hasOwn(contents, uri)) throw new Error("secret=hunter2");
      return contents[uri] as never;
    },
  };
};

describe("CONTEXT.LOAD", () => {
  it("takes messages, references and items, in order", async () => {
    const item = { id: "own", content: { a: [1, null] }, metadata: { priority: 2 } };
    const { items } = await createContext().load({
      sources: [{ role: "user", content: "Hello", name: "ann", metadata: { priority: 1 } }, { uri: "file:///a.md", title: "A" }, item],
    });
    expect(items).toEqual([
      { id: expect.stringMatching(/^message:[0-9a-f]{32}$/), content: "Hello", metadata: { priority: 1, role: "user", name: "ann" } },
      { id: expect.stringMatching(/^reference:[0-9a-f]{32}$/), content: "file:///a.md", source: { uri: "file:///a.md", title: "A" } },
      item,
    ]);
  });

  it("gives messages and references ids that depend on what they are and not on the order of their members", async () => {
    const idOf = async (source: Message | Reference) => (await createContext().load({ sources: [source] })).items[0]?.id;
    const id = await idOf({ role: "user", content: { a: 1, b: 2 }, metadata: { x: 1, y: 2 } });
    expect(await idOf({ metadata: { y: 2, x: 1 }, content: { b: 2, a: 1 }, role: "user" })).toBe(id);
    const others = await Promise.all([
      idOf({ role: "assistant", content: { a: 1, b: 2 }, metadata: { x: 1, y: 2 } }),
      idOf({ role: "user", content: { a: 1 }, metadata: { x: 1, y: 2 } }),
      idOf({ role: "user", content: { a: 1, b: 2 }, name: "ann", metadata: { x: 1, y: 2 } }),
      idOf({ role: "user", content: { a: 1, b: 2 } }),
      idOf({ uri: "user" }),
    ]);
    expect(new Set([id, ...others]).size).toBe(6);
    // Pinned: the ids of stored contexts must not change between versions.
    expect(await idOf({ role: "user", content: "Hello" })).toBe("message:44726a03f59f90c1e3b9e01975961516");
  });

  it("puts a message's role and name into metadata, before what the message's own metadata says", async () => {
    const { items } = await createContext().load({ sources: [{ role: "user", content: "x", metadata: { role: "system" } }] });
    expect(items[0]?.metadata).toEqual({ role: "user" });
  });

  it("fetches references only when resolveReferences is true", async () => {
    const referenceResolver = resolver({ "db:1": { text: "whole" } });
    const context = createContext({ services: { referenceResolver } });
    const sources = [{ uri: "db:1", metadata: { retrievable: true } }];
    const left = await context.load({ sources });
    expect(referenceResolver.asked).toEqual([]);
    const fetched = await context.load({ sources, resolveReferences: true });
    expect(fetched.items[0]).toEqual({ ...left.items[0], content: { text: "whole" } });
    expect(fetched.items[0]?.source).toEqual(sources[0]);
  });

  it("answers RESOLVER_UNAVAILABLE when references shall be fetched and nothing can fetch them", async () => {
    await expect(createContext().load({ sources: [{ uri: "db:1" }], resolveReferences: true })).rejects.toMatchObject({ code: "RESOLVER_UNAVAILABLE" });
    await expect(createContext().load({ sources: [{ role: "user", content: "x" }], resolveReferences: true })).resolves.toBeDefined();
  });

  it("answers RESOLVER_UNAVAILABLE without the resolver's text when it fails, after all of them have ended", async () => {
    const referenceResolver = resolver({ "db:1": "one" });
    const sources = [{ uri: "db:2" }, { uri: "db:1" }];
    const failure = await createContext({ services: { referenceResolver } })
      .load({ sources, resolveReferences: true })
      .catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ code: "RESOLVER_UNAVAILABLE" });
    expect((failure as Error).message).not.toContain("hunter2");
    expect(referenceResolver.asked).toEqual(["db:2", "db:1"]);
  });

  it("fetches a reference that stands there twice once", async () => {
    const referenceResolver = resolver({ "db:1": "one" });
    await createContext({ services: { referenceResolver } }).load({ sources: [{ uri: "db:1" }, { uri: "db:1" }], resolveReferences: true });
    expect(referenceResolver.asked).toEqual(["db:1"]);
  });

  it("answers INVALID_PROVIDER_OUTPUT to fetched content that is no JSON, and INLINE_LIMIT_EXCEEDED to what is too long", async () => {
    const load = (content: unknown, maxInlineBytes = 100) =>
      createContext({ policy: { maxInlineBytes }, services: { referenceResolver: resolver({ a: content }) } }).load({
        sources: [{ uri: "a" }],
        resolveReferences: true,
      });
    await expect(load(new Date())).rejects.toMatchObject({ code: "INVALID_PROVIDER_OUTPUT" });
    await expect(load(undefined)).rejects.toMatchObject({ code: "INVALID_PROVIDER_OUTPUT" });
    await expect(load("x".repeat(99))).rejects.toMatchObject({ code: "INLINE_LIMIT_EXCEEDED" });
    await expect(load("x".repeat(98))).resolves.toBeDefined();
  });

  it.each([
    ["no sources", {}],
    ["sources that are no array", { sources: {} }],
    ["a source that is a text", { sources: ["x"] }],
    ["a source of no kind", { sources: [{ content: "x" }] }],
    ["a source of two kinds", { sources: [{ id: "a", role: "user", content: "x" }] }],
    ["a hole", { sources: new Array(1) }],
    ["an empty role", { sources: [{ role: "", content: "x" }] }],
    ["a message without content", { sources: [{ role: "user" }] }],
    ["a message with a member that would be lost", { sources: [{ role: "assistant", content: null, tool_calls: [] }] }],
    ["an empty uri", { sources: [{ uri: "" }] }],
    ["an empty id", { sources: [{ id: "", content: "x" }] }],
    ["a number as id", { sources: [{ id: 1, content: "x" }] }],
    ["metadata that is an array", { sources: [{ id: "a", content: "x", metadata: [] }] }],
    ["a source without uri", { sources: [{ id: "a", content: "x", source: { title: "t" } }] }],
    ["resolveReferences that is a text", { sources: [], resolveReferences: "true" }],
    ["an unknown member", { sources: [], resolve: true }],
  ])("refuses %s as INVALID_INPUT", async (_name, input) => {
    await expect(createContext().load(input as never)).rejects.toMatchObject({ name: "ContextError", code: "INVALID_INPUT" });
  });

  const cyclic: Record<string, unknown> = {};
  cyclic.self = [cyclic];
  let deep: unknown = 1;
  for (let level = 0; level < 200_000; level += 1) deep = [deep];
  it.each([
    ["NaN", Number.NaN],
    ["infinity", { a: [Number.POSITIVE_INFINITY] }],
    ["undefined", undefined],
    ["a hole in an array", new Array(1)],
    ["undefined in an array", [undefined]],
    ["a function", () => 1],
    ["a symbol", Symbol("x")],
    ["a big integer", { a: 1n }],
    ["a date", { at: new Date(0) }],
    ["a Map", new Map()],
    ["a typed array", new Float32Array(1)],
    ["a cycle", cyclic],
    ["endless depth", deep],
  ])("takes content that is finite, acyclic JSON only: refuses %s", async (_name, content) => {
    const context = createContext();
    for (const source of [
      { id: "a", content },
      { role: "user", content },
      { id: "a", content: 1, metadata: { x: content === undefined ? [undefined] : content } },
    ]) {
      await expect(context.load({ sources: [source as ContextItem] })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    }
  });

  it("takes an object that stands at two places, which is no cycle", async () => {
    const shared = { a: 1 };
    const { items } = await createContext().load({ sources: [{ id: "a", content: [shared, shared] }] });
    expect(items[0]?.content).toEqual([{ a: 1 }, { a: 1 }]);
  });

  it("keeps a member called __proto__ as data", async () => {
    const { items } = await createContext().load({ sources: [{ id: "a", content: JSON.parse('{"__proto__":{"admin":true}}') }] });
    expect(JSON.stringify(items[0]?.content)).toBe('{"__proto__":{"admin":true}}');
    expect((items[0]?.content as { admin?: unknown }).admin).toBeUndefined();
  });

  it("gives an independent, deeply frozen snapshot", async () => {
    const source = { id: "a", content: { list: [{ x: 1 }] }, source: { uri: "u", metadata: { y: [1] } }, metadata: { z: {} } };
    const result = await createContext().load({ sources: [source] });
    source.content.list.push({ x: 2 });
    source.metadata.z = { changed: true };
    expect(result.items[0]).toEqual({ id: "a", content: { list: [{ x: 1 }] }, source: { uri: "u", metadata: { y: [1] } }, metadata: { z: {} } });
    const visit = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return;
      expect(Object.isFrozen(value)).toBe(true);
      for (const member of Object.values(value)) visit(member);
    };
    visit(result);
    expect(Object.isFrozen(source.content)).toBe(false);
  });

  describe("policy", () => {
    const twice = [
      { id: "a", content: 1 },
      { id: "b", content: 2 },
      { id: "a", content: 3 },
    ];

    it("replaces a double at its first place by default", async () => {
      expect((await createContext().load({ sources: twice })).items).toEqual([
        { id: "a", content: 3 },
        { id: "b", content: 2 },
      ]);
    });

    it("keeps the first with keep-first", async () => {
      const context = createContext({ policy: { duplicate: "keep-first" } });
      expect((await context.load({ sources: twice })).items).toEqual([
        { id: "a", content: 1 },
        { id: "b", content: 2 },
      ]);
    });

    it("answers DUPLICATE_ITEM with reject", async () => {
      await expect(createContext({ policy: { duplicate: "reject" } }).load({ sources: twice })).rejects.toMatchObject({ code: "DUPLICATE_ITEM" });
    });

    it("answers ITEM_LIMIT_EXCEEDED to more than maxItems different items, 256 by default", async () => {
      const sources = Array.from({ length: 257 }, (_, index) => ({ id: `i${index}`, content: index }));
      await expect(createContext().load({ sources })).rejects.toMatchObject({ code: "ITEM_LIMIT_EXCEEDED" });
      await expect(createContext().load({ sources: sources.slice(1) })).resolves.toBeDefined();
      await expect(createContext({ policy: { maxItems: 2 } }).load({ sources: twice })).resolves.toBeDefined();
    });

    it("answers INLINE_LIMIT_EXCEEDED to content of more than maxInlineBytes UTF-8 bytes of JSON, 65536 by default", async () => {
      const load = (content: string, maxInlineBytes?: number) => createContext({ policy: { maxInlineBytes } }).load({ sources: [{ role: "user", content }] });
      await expect(load("x".repeat(65_534))).resolves.toBeDefined();
      await expect(load("x".repeat(65_535))).rejects.toMatchObject({ code: "INLINE_LIMIT_EXCEEDED" });
      await expect(load("字", 5)).resolves.toBeDefined();
      await expect(load("字", 4)).rejects.toMatchObject({ code: "INLINE_LIMIT_EXCEEDED" });
    });
  });
});
