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
  const toToken = cachedWordTokens(rules);
  const stopWords = language === "none" ? new Set<string>() : collectStopWords(rules);
  return Object.freeze({
    index: (text: string) => wordsOf(text, "index").map((word) => (word.stems ? toToken(word.text) : word.text)),
    query: (text: string) => {
      const words = wordsOf(text, "query");
      // Judged before stemming: `one` has the stem of `on`, and says something all the same.
      const telling = words.filter((word) => !stopWords.has(plainWord(word.text)));
      return [...new Set((telling.length > 0 ? telling : words).map((word) => (word.stems ? toToken(word.text) : word.text)))];
    },
  });
}

interface WordOfText {
  readonly text: string;
  /** False for what is a token already. */
  readonly stems: boolean;
}

function wordsOf(text: string, purpose: "index" | "query"): WordOfText[] {
  const words: WordOfText[] = [];
  for (const word of splitWords(text)) {
    if (word.kind === "cjk") for (const token of cjkTokens(word.text, purpose)) words.push({ text: token, stems: false });
    else for (const part of word.parts) words.push({ text: part, stems: true });
    if (word.kind === "word" && word.whole !== undefined) words.push({ text: word.whole, stems: true });
  }
  return words;
}

function collectStopWords(rules: LanguageRules): ReadonlySet<string> {
  // What is left of `won't` is a word that says something.
  const listed = rules.stopWords.filter((word) => !/['’]/.test(word)).flatMap((word) => wordsOf(word, "index"));
  return new Set([...listed.map(({ text }) => plainWord(text)), ...cjkStopWords]);
}

function plainWord(word: string): string {
  return foldAccents(word.toLowerCase());
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
  const plain = plainWord(word);
  if (plain.length > longestToken) return cut(plain);
  if (rules.stem === undefined || !/^\p{L}[\p{L}\p{M}]*$/u.test(word)) return plain;
  // The English stemmer knows plain letters only; the others need the accents, which are folded afterwards.
  const stem = rules.foldFirst ? rules.stem(plain) : foldAccents(rules.stem(word.toLowerCase()));
  return stem === "" ? plain : stem;
}

/** Cuts at a whole character, so that no half of a pair is left. */
function cut(token: string): string {
  const head = token.slice(0, longestToken);
  return /[\uD800-\uDBFF]$/.test(head) ? head.slice(0, -1) : head;
}
