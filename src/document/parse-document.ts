import { isScalar, type YAMLParseError, type YAMLWarning } from "yaml";
import { type ConversionSource, type ConvertedDocument, convertDocument } from "./convert-document.ts";
import type { DocumentProblem, DocumentProblemCode, ParsedDocument, SourceFile, Span } from "./document.ts";
import type { CutExpression } from "./find-cut-expressions.ts";
import { readPlainYaml } from "./read-plain-yaml.ts";
import { nestingLimit, readYaml, type YamlReading } from "./read-yaml.ts";
import { type RepairedText, repairCuts } from "./repair-cuts.ts";

/** Problems that leave no tree one could go on with. */
const fatal: ReadonlySet<DocumentProblemCode> = new Set(["DITTO101", "DITTO108", "DITTO111", "DITTO114"]);

/**
 * Reads a text as one YAML document of this package's profile: YAML 1.2, core schema, unique string keys.
 *
 * It never throws. An expression that YAML would cut is a problem, and the tree is the one that its author meant, so that the rest of the
 * file can be checked too.
 *
 * @param file The text and its path.
 * @returns The tree, in time linear in the text, and every violation of the profile in the order of the text.
 * @example
 * ```ts
 * const { root, problems } = parseDocument({ path: "pipelines/kb.yaml", text });
 * ```
 */
export function parseDocument(file: SourceFile): ParsedDocument {
  const root = readPlainYaml(file.text);
  return root === undefined ? parseByLibrary(file) : { file, root, problems: [] };
}

/** Reads a text by the YAML library, whatever is in it: what {@link parseDocument} does where a text is out of the ordinary. */
export function parseByLibrary(file: SourceFile): ParsedDocument {
  const repaired = repairCuts(file.text);
  const reading = readYaml(repaired.text, repaired.lexemes);
  const place = (span: Span): Span => ({ start: repaired.originalOffset(span.start), end: repaired.originalOffset(span.end) });
  const source = { text: file.text, originalOffset: repaired.originalOffset, repaired: repairedScalar(repaired) };
  const converted = convertRoot(reading, source);
  const faults = reading.faults
    .filter((fault) => !isUnclosed(fault, converted?.unclosedAt) && !isTold(fault, converted?.problems, place))
    .map((fault) => faultProblem(fault, repaired.text, place));
  const outside = faults.filter((fault) => !repaired.cuts.some((cut) => contains(cut.span, fault.span)));
  const problems: DocumentProblem[] = [
    ...repaired.cuts.map((cut) => cutProblem(cut, faults)),
    ...outside,
    ...characterProblems(file.text),
    ...streamProblems(reading, place),
    ...(converted?.problems ?? []),
  ];
  problems.sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  return { file, root: problems.some((problem) => fatal.has(problem.code)) ? undefined : converted?.root, problems: once(problems) };
}

function convertRoot(reading: YamlReading, source: ConversionSource): ConvertedDocument | undefined {
  const contents = reading.documents[0]?.contents ?? null;
  return contents === null ? undefined : convertDocument(contents, source);
}

function isUnclosed(fault: YAMLParseError | YAMLWarning, unclosedAt: ReadonlySet<number> | undefined): boolean {
  return (fault.code === "MISSING_CHAR" || fault.code === "BAD_INDENT") && unclosedAt?.has(fault.pos[0]) === true;
}

/** The library stumbles over a list or mapping as a key in some places; that there is one is told anyway. */
function isTold(fault: YAMLParseError | YAMLWarning, problems: readonly DocumentProblem[] | undefined, place: (span: Span) => Span): boolean {
  if (fault.code !== "IMPOSSIBLE") return false;
  const { start } = place({ start: fault.pos[0], end: fault.pos[1] });
  return problems?.some((problem) => problem.code === "DITTO106" && problem.span.start === start) === true;
}

function repairedScalar(repaired: RepairedText): ConversionSource["repaired"] {
  return (offset) => {
    const cut = repaired.cutAt(offset);
    return cut === undefined ? undefined : { span: cut.inner, lead: cut.lead };
  };
}

function cutProblem(cut: CutExpression, faults: readonly DocumentProblem[]): DocumentProblem {
  const sound = !faults.some((fault) => contains(cut.span, fault.span));
  const fix = { title: "Quote the expression", edits: [{ span: cut.span, text: cut.quoted }] };
  const hint = cut.quoted.includes("\n") ? "write it as a quoted text or after `>-`" : `write it as ${cut.quoted}`;
  return { code: "DITTO112", span: cut.span, arguments: { reason: cut.reason }, hint, ...(sound ? { fix } : {}) };
}

function faultProblem(fault: YAMLParseError | YAMLWarning, text: string, place: (span: Span) => Span): DocumentProblem {
  const [from, to] = fault.pos;
  const span = place({ start: Math.min(from, text.length), end: Math.min(to, text.length) });
  switch (fault.code) {
    case "TAG_RESOLVE_FAILED":
      return { code: "DITTO103", span, arguments: { tag: text.slice(from, to) }, hint: tagHint(text.slice(from, to)) };
    case "TAB_AS_INDENT":
      return { code: "DITTO108", span, arguments: {}, hint: "indent with spaces" };
    case "RESOURCE_EXHAUSTION":
      return { code: "DITTO114", span, arguments: { limit: nestingLimit } };
    case "BAD_DIRECTIVE":
      return { code: "DITTO104", span, arguments: { directive: text.slice(from, to).trim() } };
    default:
      return { code: "DITTO101", span, arguments: { problem: sentence(fault.message) } };
  }
}

function tagHint(tag: string): string {
  const name = /^!(\w+)$/u.exec(tag)?.[1];
  return name === undefined ? "leave the tag out" : `leave the tag out, or write an expression as "\${ !${name} }"`;
}

/** The library's sentence without its capital; its words are kept, for they name what is missing. */
function sentence(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1).replace(/\s+/gu, " ").trim();
}

/** Characters that YAML does not allow in a text. */
function characterProblems(text: string): readonly DocumentProblem[] {
  const found = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/u.exec(text);
  if (found === null) return [];
  const name = found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  const span = { start: found.index, end: found.index + 1 };
  return [{ code: "DITTO101", span, arguments: { problem: `the character U+${name} cannot stand in YAML` } }];
}

/** What is wrong with the stream as a whole. */
function streamProblems(reading: YamlReading, place: (span: Span) => Span): readonly DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  const { tooDeepAt } = reading;
  if (tooDeepAt !== undefined) {
    return [{ code: "DITTO114", span: place({ start: tooDeepAt, end: tooDeepAt + 1 }), arguments: { limit: nestingLimit } }];
  }
  for (const { source, offset } of reading.directives) {
    if (/^%YAML\s+1\.2$/u.test(source)) continue;
    problems.push({ code: "DITTO104", span: place({ start: offset, end: offset + source.length }), arguments: { directive: source } });
  }
  const second = reading.documentStarts[1];
  if (second !== undefined) problems.push({ code: "DITTO105", span: place({ start: second, end: second + 3 }), arguments: {} });
  const contents = reading.documents[0]?.contents ?? null;
  const nothing = contents === null || (isScalar(contents) && contents.range[0] === contents.range[1]);
  if (nothing && reading.faults.length === 0) problems.push({ code: "DITTO111", span: { start: 0, end: 0 }, arguments: {} });
  return problems;
}

function contains(outer: Span, inner: Span): boolean {
  return outer.start <= inner.start && inner.start <= outer.end;
}

function once(problems: readonly DocumentProblem[]): readonly DocumentProblem[] {
  const seen = new Set<string>();
  return problems.filter((problem) => {
    const key = `${problem.code} ${problem.span.start}`;
    return !seen.has(key) && seen.add(key).size > 0;
  });
}
