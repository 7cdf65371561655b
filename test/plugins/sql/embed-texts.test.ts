import { describe, expect, it } from "vitest";
import type { Embedding } from "@codesoul-co/ditto/plugin";
import { countCut, embedTexts, toVector } from "../../../plugins/sql/embed-texts.ts";

function embedding(answers: (contents: readonly unknown[]) => unknown): Embedding {
  return { facts: { model: "m", maxTokens: 3 }, countTokens: (text) => text.split(" ").length, embed: async ({ contents }) => answers(contents) as never };
}
const texts = [
  { text: "one", place: "memories[0]" },
  { text: "two", place: "memories[1]" },
  { text: "three", place: "memories[2]" },
];
const options = { dimensions: undefined, collection: "kb", batchSize: 2, context: {} };

describe("embedTexts", () => {
  it("keeps the order across batches", async () => {
    const sizes: number[] = [];
    const lengths = embedding((contents) => {
      sizes.push(contents.length);
      return contents.map((content) => [String(content).length, 1]);
    });
    expect((await embedTexts(lengths, texts, options)).map(([first]) => first)).toEqual([3, 3, 5]);
    expect(sizes).toEqual([2, 1]);
  });

  it.each([
    ["too few vectors", () => [[1, 2]], "gave 1 vectors for 2 texts"],
    ["no list", () => null, "gave no vectors for 2 texts"],
    ["another dimension in the middle", () => [[1, 2], [1]], 'The vector of memories[1] has 1 dimensions, but collection "kb" keeps 2'],
    [
      "NaN",
      () => [
        [1, 2],
        [1, Number.NaN],
      ],
      "The vector of memories[1] has a component that is no finite number",
    ],
    [
      "a number that single precision has not",
      () => [
        [1e300, 2],
        [1, 1],
      ],
      "The vector of memories[0] has a component that is no finite number",
    ],
    [
      "null for a number",
      () => [
        [1, null],
        [1, 1],
      ],
      "The vector of memories[0]",
    ],
    [
      "zeros",
      () => [
        [1, 2],
        [0, 0],
      ],
      "The vector of memories[1] is zero",
    ],
    [
      "numbers that single precision makes zero",
      () => [
        [1e-60, 0],
        [1, 1],
      ],
      "The vector of memories[0] is zero",
    ],
  ])("refuses %s", async (_, answers, message) => {
    await expect(embedTexts(embedding(answers), texts, options)).rejects.toThrow(message);
  });

  it("refuses vectors that do not fit those that are kept", async () => {
    await expect(
      embedTexts(
        embedding((contents) => contents.map(() => [1, 2])),
        texts,
        { ...options, dimensions: 3 },
      ),
    ).rejects.toThrow('has 2 dimensions, but collection "kb" keeps 3');
  });

  it("stops at a signal", async () => {
    const context = { signal: AbortSignal.abort() };
    await expect(
      embedTexts(
        embedding(() => []),
        texts,
        { ...options, context },
      ),
    ).rejects.toThrow();
  });
});

it("counts the texts that the encoder cuts", () => {
  expect(
    countCut(
      embedding(() => []),
      ["a b c", "a b c d", ""],
    ),
  ).toBe(1);
  expect(countCut(undefined, ["a b c d"])).toBe(0);
});

it("takes typed arrays as vectors", () => {
  expect(toVector(new Float32Array([1, 0]), "It")).toEqual(new Float32Array([1, 0]));
  expect(() => toVector("1,2", "It")).toThrow("It is no list of numbers");
});
