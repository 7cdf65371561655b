import type { TermStatistics } from "./term-counts.ts";

/** A sparse vector, by the numbers of its dimensions. */
export type SparseVector = Readonly<Record<number, number>>;

/**
 * The weights of a document's terms: BM25 without the part that the question brings (k1 1.2, b 0.75). Their inner product with
 * {@link queryWeights} is the score, with the same arithmetic as on every other engine.
 *
 * @param tokens The text's tokens, with repetitions.
 * @param average Average number of tokens of a text.
 * @returns For a text without tokens, one dimension that no term has: servers refuse an empty vector.
 */
export function documentWeights(tokens: readonly string[], average: number): SparseVector {
  if (tokens.length === 0) return { [emptyDimension]: 1 };
  const frequencies = new Map<string, number>();
  for (const token of tokens) frequencies.set(token, (frequencies.get(token) ?? 0) + 1);
  const length = (0.25 + (tokens.length / average) * 0.75) * 1.2;
  const weights: Record<number, number> = {};
  for (const [token, frequency] of frequencies) {
    const dimension = dimensionOf(token);
    weights[dimension] = (weights[dimension] ?? 0) + (frequency * 2.2) / (frequency + length);
  }
  return weights;
}

/** The weights of a question's terms; undefined where no row has any of them. */
export function queryWeights(terms: readonly string[], { documents, frequencies }: TermStatistics): SparseVector | undefined {
  const weights: Record<number, number> = {};
  for (const term of terms) {
    const having = frequencies.get(term) ?? 0;
    if (having === 0) continue;
    const dimension = dimensionOf(term);
    weights[dimension] = (weights[dimension] ?? 0) + (documents > 2 * having ? Math.log((documents - having + 0.5) / (having + 0.5)) : 0.000001);
  }
  return Object.keys(weights).length === 0 ? undefined : weights;
}

const emptyDimension = 0;

/**
 * The dimension of a term: its hash (FNV-1a over the bytes, stirred), from 1 to 2^32 - 3. Two of a million terms share one with a
 * probability of one in four thousand for each of them; numbers from a table would have to be given out by one writer at a time.
 */
function dimensionOf(term: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(term)) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (((hash ^ (hash >>> 16)) >>> 0) % 4_294_967_293) + 1;
}
