import { createHash } from "node:crypto";

/**
 * A vector of length one that texts with the same words share: enough for tests to tell texts apart, without a model.
 *
 * @param text Any text.
 * @param dimensions Its length.
 */
export function wordVector(text: string, dimensions: number): readonly number[] {
  const vector = new Array<number>(dimensions).fill(0);
  // Characters of Han stand alone: there are no spaces between words.
  for (const word of text.toLowerCase().match(/\p{Script=Han}|[\p{L}\p{N}]+/gu) ?? []) {
    const at = createHash("sha256").update(word).digest().readUInt32LE(0) % dimensions;
    vector[at] = (vector[at] ?? 0) + 1;
  }
  const length = Math.hypot(...vector);
  if (length > 0) return vector.map((value) => value / length);
  vector[0] = 1;
  return vector;
}
