import { cjkStopWords } from "./cjk-stop-words.ts";
import { cjkTokens } from "./cjk-tokens.ts";
import { foldAccents } from "./fold-accents.ts";
import { type LanguageRules, loadLanguage } from "./languages.ts";
import { splitWords } from "./split-words.ts";

/**
 * The version of everything that decides which tokens a text has. Indexes keep it; a change of any rule raises it,
 * and an index of another version has to be made anew.
 */
const analysisVersion = 1;

/**
 * Version and language, to be kept with an index: indexes of equal fingerprints have equal tokens.
 *
 * @param language A code of {@link languageCodes}.
 */
export function analysisFingerprint(language: string): string {
  return `${analysisVersion}:${language}`;
}

/** Turns texts into the tokens that full-text indexes hold and that queries ask for. */
export interface Analyzer {
  /**
   * The tokens of a text to be found, in order and with repetitions, for term frequencies and lengths.
   *
   * Tokens are lower case, never empty, at most 64 characters, and hold letters, marks, digits, `.`, `+` and `#` only.
   */
  index(text: string): string[];
  /**
   * The distinct tokens of a question. Words that say nothing (`what`, `the`, `的`) are left out unless there is nothing else.
   *
   * @returns An empty list for a text without words.
   */
  query(text: string): string[];
}

/**
 * Makes the analyzer of a language; stemmer and stop words are loaded here.
 *
 * Chinese, Japanese and Korean are handled the same way whatever the language is.
 *
 * @param language A code of {@link languageCodes}; `none` for no stemming and no stop words.
 */
export async function createAnalyzer(language: string): Promise<Analyzer> {
  const rules = await loadLanguage(language);
  const wordToken = cachedWordTokens(rules);
  const stopTokens = new Set<string>();
  const analyse = (text: string, purpose: "index" | "query"): string[] => {
    const tokens: string[] = [];
    for (const word of splitWords(text)) {
      if (word.kind === "cjk") tokens.push(...cjkTokens(word.text, purpose));
      else for (const part of word.parts) tokens.push(wordToken(part));
      if (word.kind === "word" && word.whole !== undefined) tokens.push(wordToken(word.whole));
    }
    return tokens;
  };
  // What is left of `won't` is a word that says something.
  for (const word of rules.stopWords) if (!/['’]/.test(word)) for (const token of analyse(word, "index")) stopTokens.add(token);
  if (language !== "none") for (const token of cjkStopWords) stopTokens.add(token);

  return Object.freeze({
    index: (text: string) => analyse(text, "index"),
    query: (text: string) => {
      const tokens = [...new Set(analyse(text, "query"))];
      const telling = tokens.filter((token) => !stopTokens.has(token));
      return telling.length > 0 ? telling : tokens;
    },
  });
}

/** Longest token; what is longer is no word, and cutting keeps it from filling the index. */
const longestToken = 64;
const cacheSize = 50_000;

/** A language's words repeat: stemming each once makes indexing several times faster. */
function cachedWordTokens(rules: LanguageRules): (word: string) => string {
  const known = new Map<string, string>();
  return (word) => {
    const found = known.get(word);
    if (found !== undefined) return found;
    const token = wordToken(word, rules);
    if (known.size >= cacheSize) known.clear();
    known.set(word, token);
    return token;
  };
}

function wordToken(word: string, rules: LanguageRules): string {
  const lower = word.toLowerCase();
  if (lower.length > longestToken) return cut(foldAccents(lower));
  if (rules.stem === undefined || !/^\p{L}[\p{L}\p{M}]*$/u.test(lower)) return foldAccents(lower);
  // English stems know plain letters only; the other stemmers need the accents that are folded afterwards.
  const stem = rules.foldFirst ? rules.stem(foldAccents(lower)) : foldAccents(rules.stem(lower));
  return stem === "" ? foldAccents(lower) : stem;
}

/** Cuts at a whole character, so that no half of a pair is left. */
function cut(token: string): string {
  const head = token.slice(0, longestToken);
  return /[\uD800-\uDBFF]$/.test(head) ? head.slice(0, -1) : head;
}
