import type { EmbeddingProvider } from "@codesoul-co/ditto/retrieval";

const dimensions = 48;

/** A model in this process that needs no weights: words hashed to dimensions, so that texts with equal words are near. */
export const hashedEmbedding: EmbeddingProvider = {
  embed: async ({ contents }) => contents.map((content) => hashedVector(textOf(content))),
};

/** The vector of a text: of length 1, and of zeros for a text without words. */
export function hashedVector(text: string): readonly number[] {
  const counts = new Array<number>(dimensions).fill(0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    let hash = 2_166_136_261;
    for (const unit of word) hash = Math.imul(hash ^ unit.codePointAt(0)!, 16_777_619) >>> 0;
    counts[hash % dimensions]! += 1;
  }
  const length = Math.hypot(...counts);
  return length === 0 ? counts : counts.map((count) => count / length);
}

/** Cosine of two vectors of length 1. */
export function nearness(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

/** What an application embeds of a content that may be a whole memory. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (typeof content === "object" && content !== null && "content" in content) return textOf(content.content);
  return JSON.stringify(content);
}
