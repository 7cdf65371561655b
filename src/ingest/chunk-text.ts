import { invariant } from "../base/invariant.ts";
import { isGraphemeBorder, isLineBorder, isParagraphBorder, isSentenceBorder, isWordBorder } from "./text-borders.ts";
import { isSpace, isTrailingPunctuation, isUnspaced, splitsPair } from "./text-characters.ts";
import { characterMeasure, type TextMeasure, tokenMeasure } from "./text-measure.ts";

/** Options of {@link chunkText}. */
export interface ChunkTextOptions {
  /** Largest chunk in units, at least 1. */
  readonly size: number;
  /** At most so much of a chunk is repeated by the next one; less than `size`, 0 by default. */
  readonly overlap?: number | undefined;
  /** `characters` (Unicode code points) by default. */
  readonly unit?: "characters" | "tokens" | undefined;
  /** Counts the tokens of a text; needed for `tokens`. */
  readonly countTokens?: ((text: string) => number) | undefined;
}

/** A piece of a text. */
export interface TextChunk {
  readonly text: string;
  /** UTF-16 offset of its first unit in the whole text. */
  readonly start: number;
  /** UTF-16 offset after its last unit. */
  readonly end: number;
}

/**
 * Cuts a text into chunks that overlap.
 *
 * It cuts between paragraphs where that fills a chunk by a third or more, otherwise between sentences (a sentence that fits into a
 * chunk is never cut), lines, words, and only then inside a word, where it keeps what a reader sees as one character together.
 * A chunk begins inside the one before it, at a sentence or else a word, unless that would tear its own first sentence.
 *
 * @param text Any text.
 * @param options Sizes.
 * @returns At least one chunk; every character of the text is in one, in order, white space included.
 * @example
 * ```ts
 * chunkText(article, { size: 400, overlap: 60 }).map((chunk) => chunk.text);
 * ```
 */
export function chunkText(text: string, options: ChunkTextOptions): readonly TextChunk[] {
  const { size, overlap = 0, unit = "characters", countTokens } = options;
  invariant(size >= 1 && overlap >= 0 && overlap < size, "an overlap is smaller than the chunk");
  invariant(unit === "characters" || countTokens !== undefined, "tokens need a tokenizer");
  const measure = unit === "tokens" && countTokens !== undefined ? tokenMeasure(text, countTokens) : characterMeasure(text);
  const cutter: Cutter = { text, size, measure };

  const chunks: TextChunk[] = [];
  for (let done = 0; ; ) {
    const { start, end } = nextPiece(cutter, { done, overlap: done === 0 ? 0 : overlap });
    chunks.push({ text: text.slice(start, end), start, end });
    if (end >= text.length) return chunks;
    done = end;
  }
}

interface Cutter {
  readonly text: string;
  readonly size: number;
  readonly measure: TextMeasure;
}

interface Piece {
  readonly start: number;
  readonly end: number;
  /** It ends where a sentence does. */
  readonly whole: boolean;
}

/** The piece after `done`, with as much overlap as leaves room for a whole sentence. */
function nextPiece(cutter: Cutter, { done, overlap }: { readonly done: number; readonly overlap: number }): Piece {
  const start = overlap === 0 ? done : overlapStart(cutter.text, { from: cutter.measure.reachBack(done, overlap), to: done });
  if (start < done) {
    const piece = cut(cutter, { start, after: done });
    if (piece?.whole === true || (piece !== undefined && !isSentenceBorder(cutter.text, done))) return piece;
    const bare = cut(cutter, { start: done, after: done });
    if (piece !== undefined && bare?.whole !== true) return piece;
  }
  const piece = cut(cutter, { start: done, after: done });
  invariant(piece !== undefined, "a piece without overlap holds something new");
  return piece;
}

/** Cuts one piece that ends beyond `after`; undefined where none that fits does. */
function cut(cutter: Cutter, { start, after }: { readonly start: number; readonly after: number }): Piece | undefined {
  const { text, size, measure } = cutter;
  let limit = measure.reach(start, size);
  for (;;) {
    if (limit >= text.length && measure.fits(start, text.length, size)) return { start, end: text.length, whole: true };
    if (limit <= after) return undefined;
    const window = { start, after, limit: Math.min(limit, text.length) };
    const sentence = paragraphEnd(text, window) ?? sentenceEnd(cutter, window);
    const end = sentence ?? lineEnd(text, window) ?? wordEnd(text, window) ?? hardEnd(text, window);
    if (measure.fits(start, end, size) || end - start <= 2) return { start, end, whole: sentence !== undefined };
    limit = start + Math.floor((end - start) * 0.9);
    if (splitsPair(text, limit)) limit -= 1;
  }
}

/** Where a piece may end: beyond `after`, at `limit` at the latest. */
interface Window {
  readonly start: number;
  readonly after: number;
  readonly limit: number;
}

/** A third of what fits: below that a piece is too small to end at a mere paragraph. */
function thirdOf({ start, after, limit }: Window): number {
  return Math.max(after + 1, start + Math.ceil((limit - start) / 3));
}

function paragraphEnd(text: string, window: Window): number | undefined {
  if (isParagraphBorder(text, window.limit)) return window.limit;
  const enough = thirdOf(window);
  for (let at = window.limit - 1; at >= enough; at -= 1) {
    if (text.charCodeAt(at - 1) === 10 && !isSpace(text.charCodeAt(at)) && isParagraphBorder(text, at)) return at;
  }
  return undefined;
}

/** The last sentence's end: one that fills a third, or an earlier one when the sentence behind it fits a piece of its own. */
function sentenceEnd(cutter: Cutter, window: Window): number | undefined {
  const { text, size, measure } = cutter;
  if (isSentenceBorder(text, window.limit)) return window.limit;
  const enough = thirdOf(window);
  for (let at = window.limit - 1; at > window.after; at -= 1) {
    if (!maybeSentence(text, at) || !isSentenceBorder(text, at)) continue;
    return at >= enough || sentenceFits(text, at, measure.reach(at, size)) ? at : undefined;
  }
  return undefined;
}

function sentenceFits(text: string, from: number, limit: number): boolean {
  if (limit >= text.length) return true;
  for (let at = limit; at > from; at -= 1) if ((at === limit || maybeSentence(text, at)) && isSentenceBorder(text, at)) return true;
  return false;
}

/** A cheap look before the full one: after white space, or between wide characters. */
function maybeSentence(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  if (isSpace(before)) return !isSpace(text.charCodeAt(at));
  return isTrailingPunctuation(before) && (before > 0x7f || isUnspaced(text.charCodeAt(at)));
}

function lineEnd(text: string, window: Window): number | undefined {
  if (isLineBorder(text, window.limit)) return window.limit;
  const enough = thirdOf(window);
  for (let at = window.limit - 1; at >= enough; at -= 1) if (text.charCodeAt(at - 1) === 10) return at;
  return undefined;
}

function wordEnd(text: string, { after, limit }: Window): number | undefined {
  for (let at = limit; at > after; at -= 1) {
    if (at < limit && isSpace(text.charCodeAt(at))) continue;
    if (isWordBorder(text, at) && isGraphemeBorder(text, at)) return at;
  }
  return undefined;
}

/** Between two characters as a reader sees them; inside one only where it alone is longer than a piece. */
function hardEnd(text: string, { after, limit }: Window): number {
  for (let at = limit; at > after; at -= 1) if (isGraphemeBorder(text, at)) return at;
  return limit;
}

function overlapStart(text: string, { from, to }: { readonly from: number; readonly to: number }): number {
  for (let at = Math.max(from, 1); at < to; at += 1) if (maybeSentence(text, at) && isSentenceBorder(text, at)) return at;
  for (let at = Math.max(from, 1); at < to; at += 1) {
    if (!isSpace(text.charCodeAt(at)) && isWordBorder(text, at) && isGraphemeBorder(text, at)) return at;
  }
  return to;
}
