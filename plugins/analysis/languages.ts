/** What is peculiar to a language. */
export interface LanguageRules {
  /** Makes one stem of a word's forms; absent where there is no stemmer. */
  readonly stem?: ((word: string) => string) | undefined;
  /** Accents come off before stemming, for a stemmer that knows plain letters only. */
  readonly foldFirst: boolean;
  readonly stopWords: readonly string[];
}

/**
 * Loads stemmer and stop words of a language.
 *
 * @param language A code of {@link languageCodes}.
 * @throws RangeError For another code; configuration schemas allow only these.
 */
export async function loadLanguage(language: string): Promise<LanguageRules> {
  const load = loaders[language];
  if (load === undefined) throw new RangeError(`Unknown language "${language}"`);
  const { stem, stopWords } = await load();
  return { stem, stopWords, foldFirst: language === "en" };
}

interface LanguageFiles {
  readonly stem?: ((word: string) => string) | undefined;
  readonly stopWords: readonly string[];
}

const both = async (
  stemmers: Promise<{ readonly stemmer: (word: string) => string }>,
  words: Promise<{ readonly stopwords: readonly string[] }>,
  more: readonly string[] = [],
): Promise<LanguageFiles> => ({ stem: whereItWorks((await stemmers).stemmer), stopWords: [...(await words).stopwords, ...more] });

/** The Bulgarian stemmer throws on some words, such as `учители`: they stay whole. */
function whereItWorks(stemmer: (word: string) => string): (word: string) => string {
  return (word) => {
    try {
      return stemmer(word);
    } catch {
      return word;
    }
  };
}

/** What the list lacks, and what is left of `isn't` and the like. */
const englishToo = "a isn aren wasn weren hasn hadn doesn didn wouldn shan shouldn couldn mustn".split(" ");

/**
 * Written out one by one, so that bundlers see each import. Chinese, Japanese and Korean have no stems, and what they
 * need is done for every language.
 */
const loaders: Readonly<Record<string, () => Promise<LanguageFiles>>> = {
  none: async () => ({ stopWords: [] }),
  zh: async () => ({ stopWords: [] }),
  ja: async () => ({ stopWords: [] }),
  ko: async () => ({ stopWords: [] }),
  ar: () => both(import("@orama/stemmers/arabic"), import("@orama/stopwords/arabic")),
  bg: () => both(import("@orama/stemmers/bulgarian"), import("@orama/stopwords/bulgarian")),
  da: () => both(import("@orama/stemmers/danish"), import("@orama/stopwords/danish")),
  de: () => both(import("@orama/stemmers/german"), import("@orama/stopwords/german")),
  el: () => both(import("@orama/stemmers/greek"), import("@orama/stopwords/greek")),
  en: () => both(import("@orama/stemmers/english"), import("@orama/stopwords/english"), englishToo),
  es: () => both(import("@orama/stemmers/spanish"), import("@orama/stopwords/spanish")),
  fi: () => both(import("@orama/stemmers/finnish"), import("@orama/stopwords/finnish")),
  fr: () => both(import("@orama/stemmers/french"), import("@orama/stopwords/french")),
  ga: () => both(import("@orama/stemmers/irish"), import("@orama/stopwords/irish")),
  hi: () => both(import("@orama/stemmers/indian"), import("@orama/stopwords/indian")),
  hu: () => both(import("@orama/stemmers/hungarian"), import("@orama/stopwords/hungarian")),
  hy: () => both(import("@orama/stemmers/armenian"), import("@orama/stopwords/armenian")),
  id: () => both(import("@orama/stemmers/indonesian"), import("@orama/stopwords/indonesian")),
  it: () => both(import("@orama/stemmers/italian"), import("@orama/stopwords/italian")),
  lt: () => both(import("@orama/stemmers/lithuanian"), import("@orama/stopwords/lithuanian")),
  ne: () => both(import("@orama/stemmers/nepali"), import("@orama/stopwords/nepali")),
  nl: () => both(import("@orama/stemmers/dutch"), import("@orama/stopwords/dutch")),
  no: () => both(import("@orama/stemmers/norwegian"), import("@orama/stopwords/norwegian")),
  pt: () => both(import("@orama/stemmers/portuguese"), import("@orama/stopwords/portuguese")),
  ro: () => both(import("@orama/stemmers/romanian"), import("@orama/stopwords/romanian")),
  ru: () => both(import("@orama/stemmers/russian"), import("@orama/stopwords/russian")),
  sa: () => both(import("@orama/stemmers/sanskrit"), import("@orama/stopwords/sanskrit")),
  sr: () => both(import("@orama/stemmers/serbian"), import("@orama/stopwords/serbian")),
  sv: () => both(import("@orama/stemmers/swedish"), import("@orama/stopwords/swedish")),
  ta: () => both(import("@orama/stemmers/tamil"), import("@orama/stopwords/tamil")),
  tr: () => both(import("@orama/stemmers/turkish"), import("@orama/stopwords/turkish")),
  uk: () => both(import("@orama/stemmers/ukrainian"), import("@orama/stopwords/ukrainian")),
};

/** The codes that `language` of a collection may be: two letters (ISO 639-1), or `none`. */
export const languageCodes: readonly string[] = Object.keys(loaders);
