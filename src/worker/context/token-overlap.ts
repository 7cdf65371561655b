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

const wordPattern = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])[\p{L}\p{M}\p{N}])+/gu;

function wordsOf(text: string): Set<string> {
  return new Set(text.normalize("NFKC").toLowerCase().match(wordPattern));
}
