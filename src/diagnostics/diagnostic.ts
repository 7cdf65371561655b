import { visibleText } from "../base/visible-text.ts";
import { type DiagnosticCatalogue, diagnosticCatalogue } from "../../schema/diagnostics/catalogue.ts";
import type { Fix, SourceFile, Span } from "../document/document.ts";

/** A code of the catalogue, such as `DITTO204`. */
export type DiagnosticCode = keyof DiagnosticCatalogue;

/** What the sentence of a code names: one member for each `<name>` in it. */
export type DiagnosticArguments<C extends DiagnosticCode> = {
  readonly [Name in ArgumentName<DiagnosticCatalogue[C]["sentence"]>]: string | number;
};

type ArgumentName<Sentence extends string> = Sentence extends `${string}<${infer Name}>${infer Rest}` ? Name | ArgumentName<Rest> : never;

/** Something that the author should change: where, what, and the way out. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: "error" | "warning";
  readonly file: SourceFile;
  readonly span: Span;
  /** What the sentence names. Never a value from outside: such values are shown as they stand in the file. */
  readonly arguments: Readonly<Record<string, string | number>>;
  /** Other places that belong to it, such as the first of two equal keys. */
  readonly related?: readonly RelatedPlace[];
  /** A repair that is certain; `--fix` applies it. */
  readonly fix?: Fix;
  /** The name that was probably meant. */
  readonly suggestion?: string;
  /** A sentence on the way out, where no single name says it. */
  readonly hint?: string;
}

/** A second place of a diagnostic. */
interface RelatedPlace {
  readonly file: SourceFile;
  readonly span: Span;
  readonly note: string;
}

/** What surrounds the code of a new diagnostic. */
export interface DiagnosticDetails<C extends DiagnosticCode> {
  readonly file: SourceFile;
  readonly span: Span;
  readonly arguments: DiagnosticArguments<C>;
  readonly related?: readonly RelatedPlace[] | undefined;
  readonly fix?: Fix | undefined;
  readonly suggestion?: string | undefined;
  readonly hint?: string | undefined;
}

/**
 * Makes a diagnostic; its severity comes from the catalogue.
 *
 * @param code The code.
 * @param details Where it is, what its sentence names, and the way out.
 * @returns The diagnostic, without members that are undefined.
 * @example
 * ```ts
 * createDiagnostic("DITTO204", { file, span, arguments: { key: "candidatLimit", place: "rerank" }, suggestion: "candidateLimit" });
 * ```
 */
export function createDiagnostic<C extends DiagnosticCode>(code: C, details: DiagnosticDetails<C>): Diagnostic {
  const { related, fix, suggestion, hint } = details;
  return Object.freeze({
    code,
    severity: diagnosticCatalogue[code].severity,
    file: details.file,
    span: details.span,
    arguments: details.arguments,
    ...(related === undefined ? {} : { related }),
    ...(fix === undefined ? {} : { fix }),
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(hint === undefined ? {} : { hint }),
  });
}

/**
 * Writes the sentence of a diagnostic from the catalogue.
 *
 * @param diagnostic Its code and arguments count.
 * @returns One sentence without a full stop, such as `unknown key "candidatLimit" in rerank`.
 */
export function diagnosticMessage(diagnostic: Pick<Diagnostic, "code" | "arguments">): string {
  return diagnosticCatalogue[diagnostic.code].sentence.replace(/<([a-z]+)>/gu, (hole, name: string) => shown(diagnostic.arguments[name] ?? hole));
}

/** An argument on one line, of bearable length. */
function shown(value: string | number): string {
  const text = visibleText(String(value));
  return text.length <= 400 ? text : `${text.slice(0, 399)}…`;
}

/** Tells whether any of these is an error, so that nothing may run. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === "error");
}
