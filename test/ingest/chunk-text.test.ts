import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chunkText } from "../../src/ingest/chunk-text.ts";

const texts = (text: string, size: number, overlap = 0): readonly string[] => chunkText(text, { size, overlap }).map((chunk) => chunk.text);

/** No half of a code point stands alone. */
const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text);

describe("chunkText", () => {
  it("leaves a text that fits in one piece, the empty one too", () => {
    expect(texts("Short.", 10)).toEqual(["Short."]);
    expect(texts("", 10)).toEqual([""]);
    expect(texts("exactly 10", 10)).toEqual(["exactly 10"]);
  });

  it("cuts between paragraphs first", () => {
    const text = `${"One two. ".repeat(5).trim()}\n\n${"Three four. ".repeat(5).trim()}`;
    expect(texts(text, 80)).toEqual([`${"One two. ".repeat(5).trim()}\n\n`, "Three four. ".repeat(5).trim()]);
    expect(texts(text.replace("\n\n", "\r\n \r\n"), 80)).toHaveLength(2);
  });

  it("does not end a small piece at a heading", () => {
    const [first] = texts(`Heading\n\n${"A sentence of some words. ".repeat(10)}`, 100);
    expect(first).toMatch(/^Heading\n\nA sentence of some words\. .*\. $/s);
  });

  it("cuts between sentences, in English and in Chinese", () => {
    expect(texts("One is here. Two is there! Is three? Four.", 14)).toEqual(["One is here. ", "Two is there! ", "Is three? ", "Four."]);
    expect(texts("第一句话在这里。第二句话！第三句吗？第四句；第五句。", 8)).toEqual(["第一句话在这里。", "第二句话！", "第三句吗？", "第四句；第五句。"]);
    expect(texts("他说：“你好。”然后走了。", 8)).toEqual(["他说：“你好。”", "然后走了。"]);
  });

  it.each([
    "We met Dr. Smith and Mrs. Jones there again",
    "J. R. R. Tolkien wrote it in the U.S. Army",
    "The value is 3.14 as Fig. 2 and No. 7 show",
    "Vectors, e.g. those of e5, i.e. small ones, and so on",
    "Ask node.js v20.1 or www.example.com about it",
    "It is small, approx. Five or so, and others et al. Who",
  ])("finds no sentence's end inside %j", (text) => {
    const whole = `${text}. Second sentence here.`;
    expect(texts(whole, text.length + 3)[0]).toBe(`${text}. `);
  });

  it("never cuts a sentence that fits into a chunk", () => {
    expect(texts(`Short one. ${"A".repeat(40)} ${"b".repeat(40)}. End.`, 90)).toEqual(["Short one. ", `${"A".repeat(40)} ${"b".repeat(40)}. End.`]);
  });

  it("cuts at words where sentences are too long, and inside a word only when nothing else is there", () => {
    expect(texts("alpha beta gamma delta", 12)).toEqual(["alpha beta ", "gamma delta"]);
    expect(texts("abcdefghij", 4)).toEqual(["abcd", "efgh", "ij"]);
    expect(texts("- first item\n- second item\n- third item", 30)).toEqual(["- first item\n- second item\n", "- third item"]);
  });

  it("keeps the words of scripts without spaces together", () => {
    expect(texts("我们喜欢北京大学", 5).join("|")).toBe("我们喜欢|北京大学");
    for (const piece of texts("这个问题的答案很简单，没有句号的长句子也要切开", 6)) expect(piece).not.toMatch(/^[，。]/);
  });

  it("begins a chunk with whole sentences of the one before, or else with words", () => {
    expect(texts("One one. Two two. Three three. Four four.", 28, 10)).toEqual(["One one. Two two. ", "Two two. Three three. ", "three. Four four."]);
    expect(texts("alpha beta gamma delta epsilon", 16, 7)).toEqual(["alpha beta gamma", "gamma delta ", "delta epsilon"]);
    expect(texts("abcdefghij", 4, 2)).toEqual(["abcd", "efgh", "ij"]);
  });

  it("never splits what is seen as one character", () => {
    const family = "👨‍👩‍👧‍👦";
    expect(texts(family.repeat(3), 8)).toEqual([family, family, family]);
    expect(texts("e\u0301".repeat(4), 3)).toEqual(["e\u0301", "e\u0301", "e\u0301", "e\u0301"]);
    expect(texts("😀😀😀", 2)).toEqual(["😀😀", "😀"]);
    expect(texts("😀😀", 1)).toEqual(["😀", "😀"]);
  });

  it("counts tokens where asked to", () => {
    const countTokens = (text: string): number => text.split(/\s+/u).filter((word) => word !== "").length + 2;
    const text = Array.from({ length: 300 }, (_, index) => (index % 12 === 11 ? `word${index}.` : `Word${index}`)).join(" ");
    const chunks = chunkText(text, { size: 40, overlap: 15, unit: "tokens", countTokens });
    expect(chunks.length).toBeGreaterThan(8);
    for (const chunk of chunks) expect(countTokens(chunk.text)).toBeLessThanOrEqual(40);
    for (const chunk of chunks.slice(0, -1)) expect(chunk.text).toMatch(/\. $/);
    expect(chunks[1]?.start).toBeLessThan(chunks[0]?.end ?? 0);
  });

  const piece = fc.oneof(
    fc.constantFrom("Hello. ", "你好。", "\n\n", " ", "\r\n", "e\u0301", "👩‍🚀", "Dr. ", "word ", "，", "\u00a0", "?!", "ไทย", "\ud83d", "\udc00"),
    fc.string({ unit: "grapheme", maxLength: 5 }),
  );
  const anyText = fc.array(piece, { maxLength: 120 }).map((parts) => parts.join(""));

  it("holds every character in order, in pieces that are not too long and always get on", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 60 }), fc.double({ min: 0, max: 0.99, noNaN: true }), (text, size, share) => {
        const overlap = Math.floor(size * share);
        const chunks = chunkText(text, { size, overlap });
        let end = 0;
        for (const chunk of chunks) {
          expect(chunk.text).toBe(text.slice(chunk.start, chunk.end));
          expect([...chunk.text].length).toBeLessThanOrEqual(size);
          expect(chunk.start).toBeLessThanOrEqual(end);
          expect([...text.slice(chunk.start, end)].length).toBeLessThanOrEqual(overlap);
          expect(isWellFormed(text) && !isWellFormed(chunk.text)).toBe(false);
          if (text !== "") expect(chunk.end).toBeGreaterThan(end);
          end = chunk.end;
        }
        expect(end).toBe(text.length);
      }),
      { numRuns: 1000 },
    );
  });

  it("counts tokens right whatever the text", () => {
    const countTokens = (text: string): number => Math.ceil([...text].filter((character) => character.trim() !== "").length / 2);
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 30 }), fc.integer({ min: 0, max: 29 }), (text, size, wanted) => {
        const overlap = Math.min(wanted, size - 1);
        const chunks = chunkText(text, { size, overlap, unit: "tokens", countTokens });
        let end = 0;
        for (const chunk of chunks) {
          expect(countTokens(chunk.text)).toBeLessThanOrEqual(size);
          expect(chunk.start).toBeLessThanOrEqual(end);
          expect(countTokens(text.slice(chunk.start, end))).toBeLessThanOrEqual(overlap);
          end = chunk.end;
        }
        expect(end).toBe(text.length);
      }),
      { numRuns: 500 },
    );
  });
});
