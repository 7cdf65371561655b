import type { Embedding } from "../contracts/collection.ts";

const dimensions = 32;

/** An embedding for tests: words hashed to dimensions, so that texts with the same words are near, and nothing has to be loaded. */
export const wordEmbedding: Embedding = {
  facts: { model: "words-1", dimensions },
  embed: async ({ contents }) => contents.map((content) => wordVector(String(content))),
};

/** The vector of a text, of length 1; no text has the vector of zeros. */
export function wordVector(text: string): readonly number[] {
  const counts = new Array<number>(dimensions).fill(0);
  counts[0] = 0.01;
  for (const word of text.toLowerCase().match(/\p{Script=Han}|[\p{L}\p{N}]+/gu) ?? []) {
    let hash = 0;
    for (const unit of word) hash = (hash * 31 + unit.codePointAt(0)!) % 1_000_003;
    counts[1 + (hash % (dimensions - 1))]! += 1;
  }
  const length = Math.hypot(...counts);
  return counts.map((count) => count / length);
}
