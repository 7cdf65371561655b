import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { DocumentNode, SourceFile, Span } from "../document/document.ts";
import { lineIndexOf } from "../document/line-index.ts";
import type { LoadedFile } from "./model/loaded-file.ts";

/** A `# ditto-ignore CODE reason` in a file. */
interface IgnoreComment {
  readonly file: SourceFile;
  readonly span: Span;
  readonly code: string;
  readonly reason: string;
  /** The line that it speaks of. */
  readonly line: number;
}

/**
 * Leaves out the warnings that comments say to ignore: `# ditto-ignore CODE reason` on a warning's line, or above it. Each comment leaves
 * out one; errors cannot be ignored, for nothing runs with them.
 *
 * @param diagnostics In the order of their places.
 * @param options `files`: those that were read; `tellUnused`: whether all that is to be said of them was said, so that a comment without
 *   effect is a warning.
 * @returns What is left, and the comments without effect, in no order.
 */
export function applyIgnoreComments(
  diagnostics: readonly Diagnostic[],
  { files, tellUnused }: { readonly files: readonly LoadedFile[]; readonly tellUnused: boolean },
): readonly Diagnostic[] {
  const comments = files.flatMap(({ file, root }) => readComments(file, root));
  if (comments.length === 0) return diagnostics;
  const used = new Set<IgnoreComment>();
  const left = diagnostics.filter((diagnostic) => {
    const comment = comments.find((candidate) => !used.has(candidate) && isAbout(candidate, diagnostic));
    if (comment !== undefined) used.add(comment);
    return comment === undefined;
  });
  const problems = comments.flatMap((comment) => {
    const problem = used.has(comment) ? undefined : problemOf(comment, { diagnostics, tellUnused });
    return problem === undefined ? [] : [createDiagnostic("DITTO121", { file: comment.file, span: comment.span, arguments: { problem } })];
  });
  return [...left, ...problems];
}

function isAbout({ code, reason, ...place }: IgnoreComment, diagnostic: Diagnostic): boolean {
  return diagnostic.severity === "warning" && diagnostic.code === code && reason !== "" && isOnLine(place, diagnostic);
}

function isOnLine({ file, line }: Pick<IgnoreComment, "file" | "line">, diagnostic: Diagnostic): boolean {
  return diagnostic.file === file && lineIndexOf(file).position(diagnostic.span.start).line === line;
}

/** Why a comment ignores nothing; undefined where one cannot tell. */
function problemOf(
  comment: IgnoreComment,
  { diagnostics, tellUnused }: { readonly diagnostics: readonly Diagnostic[]; readonly tellUnused: boolean },
): string | undefined {
  const { code, reason } = comment;
  if (code === "") return "it names no code";
  if (reason === "") return "it gives no reason";
  const isError = diagnostics.some((found) => found.severity === "error" && found.code === code && isOnLine(comment, found));
  if (isError) return `${code} is an error here, and only warnings can be ignored`;
  return tellUnused ? `no ${code} is reported here` : undefined;
}

function readComments(file: SourceFile, root: DocumentNode): readonly IgnoreComment[] {
  if (!file.text.includes("ditto-ignore")) return [];
  const texts = [...scalarSpans(root)];
  const comments: IgnoreComment[] = [];
  for (const match of file.text.matchAll(/(?<=^|[ \t])#[ \t]*ditto-ignore\b[ \t]*(DITTO\d{3})?[ \t]*([^\r\n]*)/gmu)) {
    const [text, code = "", reason = ""] = match;
    const span = { start: match.index, end: match.index + text.trimEnd().length };
    if (texts.some(({ start, end }) => start < span.start && span.start < end)) continue;
    comments.push({ file, span, code, reason: reason.trim(), line: lineOf(file, span.start) });
  }
  return comments;
}

/** The line that a comment stands behind; for one on a line of its own, the next that is more than a comment. */
function lineOf(file: SourceFile, offset: number): number {
  const index = lineIndexOf(file);
  const lineText = (line: number): string => file.text.slice(index.lineSpan(line).start, index.lineSpan(line).end).trim();
  let { line } = index.position(offset);
  while (line < index.lineCount && (lineText(line) === "" || lineText(line).startsWith("#"))) line += 1;
  return line;
}

/** Scalars that are longer than a word: a comment sign in them is text. */
function* scalarSpans(node: DocumentNode): Generator<Span> {
  if (node.kind === "scalar") yield node.span;
  else if (node.kind === "sequence") for (const item of node.items) yield* scalarSpans(item);
  else for (const { value } of node.entries) yield* scalarSpans(value);
}
