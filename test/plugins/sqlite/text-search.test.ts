import type { Collection, RetrievalCandidate } from "@codesoul-co/ditto/plugin";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCollection, type TestCollection } from "./open-test-collection.ts";

let test: TestCollection;
let kb: Collection;

beforeEach(async () => {
  test = await openCollection({ fields: { site: { type: "string" } } });
  kb = test.collection;
});
afterEach(async () => await test.close());

const code = (expected: string): object => expect.objectContaining({ code: expected });

async function put(texts: Readonly<Record<string, unknown>>): Promise<void> {
  await kb.records.replace(Object.entries(texts).map(([id, content]) => ({ id, hash: "h", parts: [{ id, content }] })));
}

async function search(
  content: unknown,
  more: { readonly limit?: number; readonly filter?: Record<string, unknown> } = {},
): Promise<readonly RetrievalCandidate[]> {
  return (await kb.text.search({ query: { content }, target: { name: "t" }, ...more })).candidates;
}

const ids = async (...given: Parameters<typeof search>): Promise<readonly (string | undefined)[]> => (await search(...given)).map(({ id }) => id);

describe("a text of a user", () => {
  const texts = {
    agent: "a multi-agent system",
    dont: "why don't we",
    node: "we run node.js here",
    half: "50% of it",
    ai: "AI AND something",
    near: "far and near",
    title: "title: the foo",
    cpp: "written in C++",
    icu: "install icu4c@78 now",
    filler: "nothing else to see",
    more: "other lines that fill the table",
  };

  it.each([
    ["multi-agent", "agent"],
    ["why don't", "dont"],
    ["node.js", "node"],
    ["50%", "half"],
    ["AI AND", "ai"],
    ["NEAR(", "near"],
    ["title:foo", "title"],
    ["C++", "cpp"],
    ["icu4c@78", "icu"],
    ['"far', "near"],
    ["^foo* -bar", "title"],
  ])("is words and never syntax: %s", async (question, expected) => {
    await put(texts);
    expect((await ids(question))[0]).toBe(expected);
  });

  it.each(["*", "()", '"', "!--", "🎉", "AND", "{a b}:"])("finds what it has words for, and nothing else: %s", async (question) => {
    await put(texts);
    for (const candidate of await search(question)) expect(String(candidate.content).toLowerCase()).toMatch(/\band\b|\ba\b/);
  });

  it("is refused when blank, before anything is read", async () => {
    for (const content of ["", "  \n\t", 5, null, ["a"], undefined]) await expect(search(content)).rejects.toEqual(code("RETRIEVAL_INVALID_INPUT"));
  });

  it("may be anything", async () => {
    await put(texts);
    const hostile = fc.oneof(
      fc.string({ unit: "binary", maxLength: 40 }),
      fc.string({ unit: "grapheme", maxLength: 40 }),
      fc
        .array(
          fc.constantFrom(
            '"',
            "'",
            "*",
            "(",
            ")",
            "AND",
            "OR",
            "NOT",
            "NEAR",
            "NEAR(a b, 2)",
            ":",
            "-",
            "+",
            "^",
            "{",
            "}",
            "tokens",
            "rank",
            "kb$text",
            "foo",
            "\u0000",
            "--",
            ";",
            "a*",
            "重",
          ),
          { maxLength: 12 },
        )
        .map((words) => words.join(" ")),
    );
    await fc.assert(
      fc.asyncProperty(hostile, async (question) => {
        if (question.trim() === "") return;
        const found = await search(question);
        for (const { score } of found) expect(Number.isFinite(score)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it("may be a whole book", async () => {
    await put(texts);
    const words = Array.from({ length: 30_000 }, (_, index) => `word${index}`).join(" ");
    expect(await ids(`${words} icu4c`)).toEqual(["icu"]);
  });
});

describe("the ranking", () => {
  it("lets any word count and the better one come first, with a score that rises", async () => {
    await put({
      both: "reset the password",
      one: "reset the clock",
      none: "paint the fence",
      long: `password ${"filler ".repeat(50)}`,
      other: "water the plants",
    });
    const found = await search("How do I reset my password?");
    expect(found.map(({ id }) => id)).toEqual(["both", "one", "long"]);
    const scores = found.map(({ score }) => score ?? 0);
    expect([...scores].sort((a, b) => b - a)).toEqual(scores);
    expect(new Set(scores).size).toBe(3);
    expect(scores.every((score) => score > 0)).toBe(true);
  });

  it("is BM25 with k1 1.2 and b 0.75", async () => {
    await put({ a: "apple apple pear", b: "apple", c: "plum", d: "fig", e: "kiwi", f: "lime" });
    const idf = Math.log((6 - 2 + 0.5) / (2 + 0.5));
    const score = (frequency: number, length: number): number => (idf * frequency * 2.2) / (frequency + 1.2 * (0.25 + (0.75 * length) / (8 / 6)));
    const found = new Map((await search("apples")).map((each) => [each.id, each.score]));
    expect(found.get("a")).toBeCloseTo(score(2, 3), 10);
    expect(found.get("b")).toBeCloseTo(score(1, 1), 10);
  });

  it("breaks ties by id, at any limit", async () => {
    const names = Array.from({ length: 60 }, (_, index) => `row-${String((index * 37) % 60).padStart(2, "0")}`);
    await put({
      ...Object.fromEntries(names.map((id) => [id, "same words"])),
      best: "same words words",
      ...Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`x${index}`, "else"])),
    });
    const all = await ids("words", { limit: 1000 });
    expect(all).toEqual(["best", ...[...names].sort()]);
    for (const limit of [1, 2, 7, 50]) expect(await ids("words", { limit })).toEqual(all.slice(0, limit));
  });

  it("forgets what was removed or changed, also in its statistics", async () => {
    const final = { a: "apple pear", b: "plum pear pear", c: "fig", d: "kiwi lime", e: "grape" };
    await put({ ...final, a: "apple apple apple", x: "apple of old", y: "pear apple" });
    await kb.records.remove(["x"]);
    await put({ a: final.a });
    const [y] = await kb.get({ ids: ["y"] });
    await kb.delete({ ids: [y?.id ?? ""] });
    const fresh = await openCollection({});
    await fresh.collection.records.replace(Object.entries(final).map(([id, content]) => ({ id, hash: "h", parts: [{ id, content }] })));
    const expected = (await fresh.collection.text.search({ query: { content: "apple pear" }, target: { name: "t" } })).candidates;
    expect((await search("apple pear")).map(({ id, score }) => [id, score])).toEqual(expected.map(({ id, score }) => [id, score]));
    await fresh.close();
  });

  it("fills pages from the rows that pass the filter", async () => {
    await kb.records.replace(
      Array.from({ length: 300 }, (_, index) => ({
        id: `r${String(index).padStart(3, "0")}`,
        hash: "h",
        parts: [
          {
            id: `r${String(index).padStart(3, "0")}`,
            content: index < 280 ? "word word" : "word and more words of another kind",
            metadata: { site: index < 280 ? "big" : "small" },
          },
        ],
      })),
    );
    expect(await ids("word", { limit: 10, filter: { site: "small" } })).toHaveLength(10);
    expect(await ids("word", { limit: 10_000, filter: { site: "small" } })).toHaveLength(20);
    expect(await ids("word", { limit: 10, filter: { site: { exists: false } } })).toEqual([]);
  });
});

describe("Chinese", () => {
  beforeEach(async () => await put({ mixed: "重跑gen-itgc后", long: "黑豹队的防守只丢了308分", other: "天气很好", more: "今天下雨" }));

  it.each([
    ["重", "mixed"],
    ["重跑", "mixed"],
    ["后", "mixed"],
    ["gen-itgc", "mixed"],
    ["itgc", "mixed"],
    ["防守", "long"],
    ["308", "long"],
    ["黑豹队的防守丢了多少分？", "long"],
  ])("is found by %s", async (question, expected) => {
    expect((await ids(question))[0]).toBe(expected);
  });

  it("is not found by what it does not say", async () => {
    expect(await ids("跑后")).not.toContain("long");
    expect(await ids("狮子")).toEqual([]);
  });
});

describe("a search", () => {
  it("answers with id, content, score, source and metadata, and the target as it was asked", async () => {
    await kb.records.replace([{ id: "r", hash: "h", parts: [{ id: "r", content: { title: "Apples" }, metadata: { site: "s", more: 1 } }] }]);
    const target = { name: "t", type: "x", metadata: { a: 1 } };
    expect(await kb.text.search({ query: { content: "apple" }, target, strategy: "keyword" })).toEqual({
      candidates: [{ id: "r", content: { title: "Apples" }, score: expect.any(Number), source: { target: "kb" }, metadata: { site: "s", more: 1 } }],
      target,
      strategy: "keyword",
    });
  });

  it("refuses options, limits and filters that mean nothing", async () => {
    const request = { query: { content: "a" }, target: { name: "t" } };
    await expect(kb.text.search({ ...request, options: { fuzzy: true } })).rejects.toEqual(code("RETRIEVAL_INVALID_INPUT"));
    await expect(kb.text.search({ ...request, limit: 0 })).rejects.toEqual(code("RETRIEVAL_INVALID_INPUT"));
    await expect(kb.text.search({ ...request, limit: 10_001 })).rejects.toEqual(code("RETRIEVAL_INVALID_INPUT"));
    await expect(kb.text.search({ ...request, filter: { nope: 1 } })).rejects.toMatchObject({
      code: "RETRIEVAL_INVALID_INPUT",
      message: 'Unknown filter field "nope"; legal ones: site, key, parent',
    });
  });

  it("takes its default limit from the context", async () => {
    await put(Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`r${index}`, "word"])));
    expect(await ids("word")).toHaveLength(10);
    expect((await kb.text.search({ query: { content: "word" }, target: { name: "t" } }, { defaults: { searchLimit: 3 } })).candidates).toHaveLength(3);
  });

  it("indexes what the expression makes of a row, and nothing of a blank text", async () => {
    const own = await openCollection({
      text: ({ content, metadata }: { content: { body: string }; metadata: { title?: string } }) => `${metadata.title ?? ""} ${content.body}`,
    });
    const [a, b] = await own.collection.write({ memories: [{ content: { body: "pears" }, metadata: { title: "Apples" } }, { content: { body: " " } }] });
    const found = async (content: string): Promise<readonly unknown[]> =>
      (await own.collection.text.search({ query: { content }, target: { name: "t" } })).candidates.map(({ id }) => id);
    expect(await found("apple")).toEqual([a?.id]);
    expect(await found("body")).toEqual([]);
    await own.collection.update({ memories: [{ id: a?.id ?? "", metadata: { title: "Plums" } }] });
    expect(await found("apple")).toEqual([]);
    expect(await found("plum pear")).toEqual([a?.id]);
    expect(await own.collection.get({ ids: [b?.id ?? ""] })).toHaveLength(1);
    await own.close();
  });
});
