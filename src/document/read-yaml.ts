import { Composer, type CST, type Document, Lexer, Parser, type YAMLParseError, type YAMLWarning } from "yaml";

/** What the YAML library made of a text. */
export interface YamlReading {
  readonly documents: readonly Document.Parsed[];
  /** Where each document begins: at its `---`, or at its first token. */
  readonly documentStarts: readonly number[];
  /** Its `%...` lines. */
  readonly directives: readonly CST.Directive[];
  readonly faults: readonly (YAMLParseError | YAMLWarning)[];
  /** Offset where collections are nested deeper than allowed; nothing is read then. */
  readonly tooDeepAt: number | undefined;
}

/** Levels of nesting that are read; every phase behind this may recurse that deep. */
export const nestingLimit = 100;

/** Cuts a text into the smallest pieces that YAML tells apart. */
export function lexYaml(text: string): readonly string[] {
  return [...new Lexer().lex(text)];
}

/**
 * Reads a text by the YAML 1.2 core schema, with the source tokens kept.
 *
 * @param text The source.
 * @param lexemes What {@link lexYaml} makes of it.
 */
export function readYaml(text: string, lexemes: readonly string[]): YamlReading {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  for (const lexeme of lexemes) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (parser.stack.length > nestingLimit) return { documents: [], documentStarts: [], directives: [], faults: [], tooDeepAt: parser.offset };
  }
  for (const token of parser.end()) tokens.push(token);
  const composer = new Composer({
    version: "1.2",
    schema: "core",
    merge: false,
    resolveKnownTags: false,
    uniqueKeys: false,
    keepSourceTokens: true,
  });
  const documents = [...composer.compose(tokens, true, text.length)] as Document.Parsed[];
  return {
    documents,
    documentStarts: tokens.flatMap((token) => (token.type === "document" ? [documentStart(token)] : [])),
    directives: tokens.filter((token) => token.type === "directive"),
    faults: documents.flatMap((document) => [...document.errors, ...document.warnings]),
    tooDeepAt: undefined,
  };
}

function documentStart(token: CST.Document): number {
  return token.start.find((part) => part.type === "doc-start")?.offset ?? token.offset;
}
