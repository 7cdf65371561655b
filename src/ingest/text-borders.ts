import { isCloser, isHigh, isLow, isSpace, isTrailingPunctuation, isUnspaced, isWideTerminator } from "./text-characters.ts";

/**
 * Tells whether one paragraph ends and another begins at an offset: the white space that touches it holds an empty line.
 *
 * @param text The text.
 * @param at An offset inside it.
 */
export function isParagraphBorder(text: string, at: number): boolean {
  const { end, next } = spaceAround(text, at);
  let lines = 0;
  for (let i = end; i < next; i += 1) if (text.charCodeAt(i) === 10) lines += 1;
  return lines >= 2;
}

/**
 * Tells whether a sentence ends at an offset, in English or Chinese; an abbreviation, an initial or a number does not end one.
 *
 * @param text The text.
 * @param at An offset inside it; the white space after a sentence may lie on either side.
 */
export function isSentenceBorder(text: string, at: number): boolean {
  const around = spaceAround(text, at);
  return around.end > 0 && (endsSentence(text, around) || (around.next > around.end && isParagraphBorder(text, at)));
}

/** Whether a line ends at an offset. */
export function isLineBorder(text: string, at: number): boolean {
  return text.charCodeAt(at - 1) === 10 || text.charCodeAt(at) === 10;
}

/**
 * Tells whether a word ends or begins at an offset. In scripts without spaces the system's dictionary decides.
 *
 * @param text The text.
 * @param at An offset inside it.
 */
export function isWordBorder(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  if (isSpace(before) || isSpace(after)) return true;
  if (isTrailingPunctuation(after) || isLow(after)) return false;
  if (isTrailingPunctuation(before) && before > 0x7f) return true;
  if (!isUnspaced(before) && !isUnspaced(after) && !isLow(before)) return false;
  return startsSegment(text, { at, granularity: "word" });
}

/**
 * Tells whether an offset lies between two characters as a reader sees them, so not inside a letter with its accents, an emoji
 * made of several, or a line end of two.
 *
 * @param text The text.
 * @param at An offset inside it.
 */
export function isGraphemeBorder(text: string, at: number): boolean {
  const after = text.charCodeAt(at);
  if (after < 0x300) return !(after === 10 && text.charCodeAt(at - 1) === 13);
  if (isLow(after) && isHigh(text.charCodeAt(at - 1))) return false;
  if (after >= 0x3400 && after <= 0x9fff) return true;
  return startsSegment(text, { at, granularity: "grapheme" });
}

/** The white space that touches an offset. */
interface Around {
  /** After the last character before it that is no space. */
  readonly end: number;
  /** The first one behind it. */
  readonly next: number;
}

/** How far to look through white space: pages of it would take quadratic time. */
const widestSpace = 256;

function spaceAround(text: string, at: number): Around {
  let end = at;
  while (end > 0 && at - end < widestSpace && isSpace(text.charCodeAt(end - 1))) end -= 1;
  let next = at;
  while (next < text.length && next - at < widestSpace && isSpace(text.charCodeAt(next))) next += 1;
  return { end, next };
}

function endsSentence(text: string, { end, next }: Around): boolean {
  let last = end - 1;
  while (last > 0 && end - last < 8 && isCloser(text.charCodeAt(last))) last -= 1;
  const mark = text.charCodeAt(last);
  const following = text.charCodeAt(next);
  if (isWideTerminator(mark)) return !isCloser(following) && !isWideTerminator(following);
  if (next === end) return (mark === 33 || mark === 63) && isUnspaced(following);
  if (mark === 33 || mark === 63 || mark === 0x2026) return last === end - 1 || !isLowerCase(text, next);
  return mark === 46 && !isLowerCase(text, next) && !isAbbreviation(text, { dot: last, next });
}

function isLowerCase(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 0x80) return code >= 97 && code <= 122;
  return /\p{Ll}/u.test(text.charAt(at));
}

/** Words that a full stop follows without ending a sentence; those of the second list only before a number. */
const abbreviations = new Set("mr mrs ms dr prof sr jr st mt vs al cf ca resp approx est dept gen col sgt capt lt rev hon gov sen rep ed eds viz".split(" "));
const numbered = new Set("no nos vol vols p pp fig figs ch sec eq eqs art para tab jan feb mar apr jun jul aug sep sept oct nov dec".split(" "));

function isAbbreviation(text: string, { dot, next }: { readonly dot: number; readonly next: number }): boolean {
  let start = dot;
  while (start > 0 && dot - start < 12 && /[\p{L}.]/u.test(text.charAt(start - 1))) start -= 1;
  const word = text.slice(start, dot).toLowerCase();
  if (word.length === 1 || /^\p{L}\.(\p{L}\.)*\p{L}$/u.test(word)) return true;
  return abbreviations.has(word) || (numbered.has(word) && /[\dIVXivx]/.test(text.charAt(next)));
}

const segmenters: { word?: Intl.Segmenter; grapheme?: Intl.Segmenter } = {};

/** Asks the system about a short piece around the offset: asking about the whole text would take quadratic time. */
function startsSegment(text: string, { at, granularity }: { readonly at: number; readonly granularity: "word" | "grapheme" }): boolean {
  segmenters[granularity] ??= new Intl.Segmenter(undefined, { granularity });
  let from = Math.max(0, at - 24);
  if (from > 0 && isLow(text.charCodeAt(from))) from -= 1;
  return segmenters[granularity].segment(text.slice(from, at + 16)).containing(at - from)?.index === at - from;
}
