/** A code block of a document. */
export interface DocumentBlock {
  readonly language: "typescript" | "yaml" | "sql";
  /** First line in the document, from 1. */
  readonly line: number;
  readonly code: string;
}

/** What was found in a document. */
export interface ExtractedBlocks {
  readonly blocks: readonly DocumentBlock[];
  /** Numbers of lines that look like code and stand in no block: the extractor has missed something. */
  readonly missed: readonly number[];
}

const statement =
  /^(?:import (?:type )?\{|export (?:async )?(?:const|function|interface|type|class) |interface \w+(?:<[^>]*>)?(?: extends [^{]*)? ?\{|type \w+ =|(?:async )?function \w+[(<]|const (?:\w+|[{[].*[}\]])(?:: .*)? =|class \w+.* \{|\/\/ |query: )/u;

const openings: readonly (readonly [DocumentBlock["language"], RegExp])[] = [
  ["typescript", statement],
  ["yaml", /^[a-z][\w-]*:$/u],
  ["sql", /^(?:-- \w|SELECT )/u],
];

/** How a block may go on at its outermost level; anything else there is prose again. */
const continuations: Readonly<Record<DocumentBlock["language"], RegExp>> = {
  typescript: new RegExp(String.raw`${statement.source}|^[\s})\]]|^(?:if|for|while|switch) \(|^(?:try|else|finally) \{|^(?:return|await|throw new|let) `, "u"),
  yaml: /^(?:\s|[a-z][\w-]*:|#|- )/u,
  sql: /^(?:\s|-- |[A-Z]{2,})/u,
};

/**
 * Finds the code in Markdown, where fences with a language hold it; other fences are no code of ours.
 *
 * @param text The document.
 */
export function extractFencedBlocks(text: string): ExtractedBlocks {
  const blocks: DocumentBlock[] = [];
  for (const match of text.matchAll(/^```(ts|yaml|sql)\n(.*?)^```$/gmsu)) {
    const language = match[1] === "ts" ? "typescript" : (match[1] as "yaml" | "sql");
    blocks.push({ language, line: text.slice(0, match.index).split("\n").length + 1, code: match[2]!.trimEnd() });
  }
  return { blocks, missed: [] };
}

/**
 * Finds the code in a page that was exported as plain text, where nothing fences it: a block begins with a line of a known shape
 * and goes on, over blank lines too, until a line at its outermost level is prose.
 *
 * @param text The document.
 */
export function extractBlocks(text: string): ExtractedBlocks {
  const lines = text.split(/\r?\n/u);
  const blocks: DocumentBlock[] = [];
  const missed: number[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const language = languageOf(lines[at]!);
    if (language === undefined) {
      if (looksLikeCode(lines[at]!)) missed.push(at + 1);
      continue;
    }
    const end = endOfBlock(lines, at, language);
    blocks.push({ language, line: at + 1, code: lines.slice(at, end).join("\n") });
    at = end - 1;
  }
  return { blocks, missed };
}

function languageOf(line: string): DocumentBlock["language"] | undefined {
  return openings.find(([, opening]) => opening.test(line))?.[0];
}

function endOfBlock(lines: readonly string[], start: number, language: DocumentBlock["language"]): number {
  let end = start;
  let depth = 0;
  for (let at = start; at < lines.length; at += 1) {
    const line = lines[at]!;
    if (line.trim() === "") continue;
    if (at > start && depth <= 0 && !continuations[language].test(line)) break;
    if (language === "typescript") depth += bracketsIn(line);
    end = at + 1;
  }
  return end;
}

/** Opened less closed brackets, outside of strings and comments. */
function bracketsIn(line: string): number {
  const bare = line.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/gu, "").replace(/\/\/.*$/u, "");
  return (bare.match(/[([{]/gu)?.length ?? 0) - (bare.match(/[)\]}]/gu)?.length ?? 0);
}

function looksLikeCode(line: string): boolean {
  return /(?:[;{]|=>|\}\);?|\],)\s*$/u.test(line) || /^\s*(?:await|return|const|let|throw)\s/u.test(line);
}
