import type { MessageContent } from "../../contracts/context.ts";

/**
 * Prepares a query for counting how many of its distinct words a content has.
 *
 * Letters and digits make words, case and width do not count; Han, kana and Hangul, which are written without spaces, count
 * letter by letter.
 *
 * @param query Any text; it has no syntax.
 * @returns Counts for one content.
 */
export function tokenOverlap(query: string): (content: MessageContent) => number {
  const wanted = wordsOf(query);
  if (wanted.size === 0) return () => 0;
  return (content) => {
    const words = wordsOf(typeof content === "string" ? content : JSON.stringify(content));
    let count = 0;
    for (const word of wanted) if (words.has(word)) count += 1;
    return count;
  };
}

const run = /[\p{L}\p{M}\p{N}]+/gu;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const letterOrRest =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu;

/** Two steps, since most runs need only the first. */
function wordsOf(text: string): Set<string> {
  const words = new Set<string>();
  for (const found of text.normalize("NFKC").toLowerCase().match(run) ?? []) {
    if (unspaced.test(found)) for (const part of found.match(letterOrRest) ?? []) words.add(part);
    else words.add(found);
  }
  return words;
}
