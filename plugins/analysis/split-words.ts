/** A stretch of text that is looked at as one. */
export type Word =
  | {
      /** A run of Han, Kana or Hangul, which has no spaces between words. */
      readonly kind: "cjk";
      readonly text: string;
    }
  | {
      readonly kind: "word";
      /** The words that it is made of: `node` and `js` of `node.js`. */
      readonly parts: readonly string[];
      /** The name as one word, where it reads like one of a program, a product or a version: `nodejs`, `E1042`, `C++`, `1.20.3`. */
      readonly whole?: string | undefined;
    };

/**
 * Finds the words of a text: runs of letters, marks and digits, with compatibility forms (full width, ligatures) made plain.
 *
 * What is joined by `-`, `_`, `.`, `:` or an apostrophe is taken apart. The whole is kept besides where it has a digit, a
 * dot, an underscore, or ends in `++` or `#`; its joiners are dropped, so that `E-1042` and `E1042` meet, except between
 * digits, where `1.20.3` and `12.0.3` must differ. A plain hyphenated word gets no whole: it only weakens the ranking.
 */
export function splitWords(text: string): Word[] {
  const words: Word[] = [];
  for (const match of text.normalize("NFKC").matchAll(pattern)) {
    const [, run, compound, suffix] = match;
    if (run !== undefined) words.push({ kind: "cjk", text: run });
    else if (compound !== undefined) words.push(readCompound(compound, suffix));
  }
  return words;
}

const cjkLetter = "[[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}]&&[\\p{L}\\p{N}]]";
const otherLetter = `[[\\p{L}\\p{N}]--${cjkLetter}]`;
/** A mark belongs to the letter before it; alone it is no word. */
const otherWord = `(?:${otherLetter}\\p{M}*)+`;
const joiner = "[\\-_.:'’]";
/** Built from text, for the class subtraction of the `v` flag is newer than the language level of this source. */
const pattern = new RegExp(`((?:${cjkLetter}\\p{M}*)+)|(${otherWord}(?:${joiner}${otherWord})*)(\\+\\+|#(?!${otherLetter}))?`, "gv");
const joiners = /[-_.:'’]/;
const apostrophe = /['’]/;
/** What follows an apostrophe in `it's`, `don't`, `we'll`: no word of its own. */
const contraction = /^(?:s|t|ll|re|ve|d|m)$/i;

function readCompound(compound: string, suffix: string | undefined): Word {
  if (!joiners.test(compound)) {
    return { kind: "word", parts: [compound], whole: suffix === undefined ? undefined : compound + suffix };
  }
  if (apostrophe.test(compound)) return { kind: "word", parts: withoutContraction(compound) };
  const parts = compound.split(joiners);
  const whole = /[_.\p{N}]/u.test(compound) || suffix !== undefined ? joinParts(parts) + (suffix ?? "") : undefined;
  return { kind: "word", parts, whole };
}

function withoutContraction(compound: string): string[] {
  const parts = compound.split(joiners);
  return parts.filter((part, index) => index === 0 || !contraction.test(part));
}

function joinParts(parts: readonly string[]): string {
  let whole = "";
  for (const part of parts) whole += /\p{N}$/u.test(whole) && /^\p{N}/u.test(part) ? `.${part}` : part;
  return whole;
}
