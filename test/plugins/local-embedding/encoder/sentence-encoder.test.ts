import { expect, test } from "vitest";
import { readModelHeader } from "../../../../plugins/local-embedding/encoder/model-header.ts";
import { loadPackedModel } from "../../../../plugins/local-embedding/encoder/packed-model.ts";
import { countDocumentTokens, SentenceEncoder } from "../../../../plugins/local-embedding/encoder/sentence-encoder.ts";
import { loadUnigramTokenizer } from "../../../../plugins/local-embedding/encoder/unigram-tokenizer.ts";
import { golden, goldenDifference, goldenTolerance, modelFolder } from "../golden.ts";

const header = readModelHeader(modelFolder);
const tokenizer = loadUnigramTokenizer(modelFolder, header.tokenizer);
const model = loadPackedModel(modelFolder, header);
const encoder = new SentenceEncoder({ header, tokenizer, model });
const count = (text: string): number => countDocumentTokens(text, { header, tokenizer });

test.each(golden.filter(({ kind }) => kind !== ""))("The purpose chooses the prefix: $kind $text", (expected) => {
  const { vector, tokens } = encoder.encode(expected.text, expected.kind === "query" ? "query" : "document");
  expect(goldenDifference(expected, vector)).toBeLessThanOrEqual(goldenTolerance);
  expect(tokens).toBe(expected.tokens.length);
});

test("A text is cut when its count is over the limit, and not when it just fits", () => {
  const text = "reset your password from the sign-in page";
  const length = count(text);
  const just = new SentenceEncoder({ header, tokenizer, model, maxTokens: length });
  const under = new SentenceEncoder({ header, tokenizer, model, maxTokens: length - 1 });
  expect(just.encode(text, "document")).toMatchObject({ tokens: length, cut: false });
  expect(just.encode(text, "document").vector).toEqual(encoder.encode(text, "document").vector);
  expect(under.encode(text, "document")).toMatchObject({ tokens: length - 1, cut: true });
});

test("What is cut off does not change the vector", () => {
  const words = (n: number): string => "the lazy dog sleeps ".repeat(n);
  expect(encoder.encode(words(100), "document")).toMatchObject({ tokens: 256, cut: true });
  expect(encoder.encode(words(25_000), "document")).toEqual(encoder.encode(words(100), "document"));
});

test("Trailing spaces never count as cut", () => {
  const text = "reset your password";
  const just = new SentenceEncoder({ header, tokenizer, model, maxTokens: count(text) });
  expect(just.encode(`${text}  \n\u3000`, "document").cut).toBe(false);
  expect(just.encode(`${text} .`, "document").cut).toBe(true);
});

test("Emoji, half pairs, Chinese and long texts all give vectors of length one", () => {
  for (const text of ["😀👩‍👩‍👧", "a\ud83d", "\udc00", "忘记密码怎么办", "ｆｕｌｌ　ｗｉｄｔｈ", "x".repeat(100_000), "中".repeat(100_000), " "]) {
    expect(Math.hypot(...encoder.encode(text, "document").vector)).toBeCloseTo(1, 5);
  }
});
