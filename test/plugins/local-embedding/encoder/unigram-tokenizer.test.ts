import { expect, test } from "vitest";
import { isBlank } from "../../../../plugins/local-embedding/encoder/is-blank.ts";
import { readModelHeader } from "../../../../plugins/local-embedding/encoder/model-header.ts";
import { loadUnigramTokenizer, UnigramTokenizer } from "../../../../plugins/local-embedding/encoder/unigram-tokenizer.ts";
import { golden, modelFolder } from "../golden.ts";

const header = readModelHeader(modelFolder);
const { bos, eos, unk } = header.tokenizer;
const tokenizer = loadUnigramTokenizer(modelFolder, header.tokenizer);

test.each(golden)("Its tokens are the golden ones: $kind $text", ({ kind, text, tokens }) => {
  const prefix = kind === "" ? "" : header.prefix[kind];
  expect([bos, ...tokenizer.tokenize(prefix + text, header.maxTokens - 2), eos]).toEqual(tokens);
});

test("What has nothing to read has no token", () => {
  for (const text of ["", " ", "   ", "\t\r\n", "\u3000", "\u200b\ufeff", "\u0001\u007f", "\u2581"]) expect(tokenizer.tokenize(text)).toEqual([]);
});

test("Spaces around and between words do not count", () => {
  expect(tokenizer.tokenize("  reset \n\t your   password ")).toEqual(tokenizer.tokenize("reset your password"));
});

test("An accent of its own is the accented letter", () => {
  expect(tokenizer.tokenize("cafe\u0301")).toEqual(tokenizer.tokenize("caf\u00e9"));
});

test("Full-width letters are letters, and the full-width tilde stays what it is", () => {
  expect(tokenizer.tokenize("ＦＵＬＬ１２３")).toEqual(tokenizer.tokenize("FULL123"));
  expect(tokenizer.tokenize("～")).not.toEqual(tokenizer.tokenize("~"));
});

test("A character that the vocabulary lacks is one unknown token, a surrogate pair too", () => {
  expect(tokenizer.tokenize("\u{1f9ff}").filter((id) => id === unk)).toHaveLength(1);
});

test("Half a surrogate pair is an unknown token and harms nothing beside it", () => {
  const word = tokenizer.tokenize("password");
  expect(tokenizer.tokenize("password \ud83d").slice(0, word.length)).toEqual(word);
  expect(tokenizer.tokenize("\ude00 password").slice(-word.length)).toEqual(word);
  expect(tokenizer.tokenize("\ud83d")).toContain(unk);
});

test("A limit cuts the tokens and changes none", () => {
  const text = "The quick brown fox jumps over the lazy dog. 敏捷的棕色狐狸跳过了懒狗。";
  const all = tokenizer.tokenize(text);
  for (let limit = 0; limit <= all.length + 1; limit++) expect(tokenizer.tokenize(text, limit)).toEqual(all.slice(0, limit));
});

test("A word of 100,000 characters is cut into pieces like any other", () => {
  expect(tokenizer.tokenize("狗".repeat(100_000)).length).toBeGreaterThan(10_000);
  expect(tokenizer.tokenize(`${"word ".repeat(20_000)}`)).toEqual(Array(20_000).fill(tokenizer.tokenize("word")).flat());
});

test("More words than it keeps give the same tokens as at first", () => {
  const before = tokenizer.tokenize("unforgettable");
  for (let i = 0; i < 60_000; i++) tokenizer.tokenize(i.toString(36));
  expect(tokenizer.tokenize("unforgettable")).toEqual(before);
});

test("Each character that is visible has a token", () => {
  const wrong: string[] = [];
  const planes = [
    [0, 0x1ffff],
    [0xe0000, 0xe0fff],
  ] as const; // Han extensions, unassigned and private planes left out
  for (const [first, last] of planes) {
    for (let code = first; code <= last; code++) {
      const character = String.fromCodePoint(code);
      if (!isBlank(character) && tokenizer.tokenize(character).length === 0) wrong.push(code.toString(16));
    }
  }
  expect(wrong).toEqual([]);
});

test("A vocabulary of another length than the header's is refused", () => {
  expect(() => new UnigramTokenizer(header.tokenizer, "a\t-1\nb\t-2\n")).toThrow("2 pieces");
});

test("The best sum of scores wins, not the longest piece", () => {
  const small = new UnigramTokenizer(
    { pieces: 8, bos: 0, pad: 1, eos: 2, unk: 3, unkScore: -20, exceptions: {} },
    "<s>\t0\n<pad>\t0\n</s>\t0\n<unk>\t0\n\u2581ab\t-3\n\u2581abc\t-9\nc\t-2\ncd\t-2.5\n",
  );
  expect(small.tokenize("abc")).toEqual([4, 6]);
  expect(small.tokenize("abcd")).toEqual([4, 7]);
  expect(small.tokenize("abx")).toEqual([4, 3]);
});
