import { diagnosticCatalogue } from "../../schema/diagnostics/catalogue.ts";
import type { SourceFile, Span } from "../document/document.ts";
import { type Diagnostic, diagnosticMessage } from "./diagnostic.ts";
import { diagnosticPosition } from "./diagnostic-position.ts";

/**
 * Writes diagnostics as SARIF 2.1.0, which code scanners read.
 *
 * @param diagnostics In the order in which they are written.
 */
export function formatSarif(diagnostics: readonly Diagnostic[]): string {
  const codes = [...new Set(diagnostics.map((diagnostic) => diagnostic.code))].sort();
  const rules = codes.map((code) => ({
    id: code,
    shortDescription: { text: diagnosticCatalogue[code].title },
    fullDescription: { text: diagnosticCatalogue[code].explanation },
  }));
  const run = {
    tool: { driver: { name: "ditto", rules } },
    columnKind: "utf16CodeUnits",
    results: diagnostics.map((diagnostic) => result(diagnostic, codes.indexOf(diagnostic.code))),
  };
  return `${JSON.stringify({ $schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run] }, null, 2)}\n`;
}

function result(diagnostic: Diagnostic, ruleIndex: number): object {
  const { file, span, fix, related } = diagnostic;
  const help = diagnostic.suggestion === undefined ? diagnostic.hint : `did you mean "${diagnostic.suggestion}"?`;
  return {
    ruleId: diagnostic.code,
    ruleIndex,
    level: diagnostic.severity,
    message: { text: help === undefined ? diagnosticMessage(diagnostic) : `${diagnosticMessage(diagnostic)}: ${help}` },
    locations: [{ physicalLocation: location(file, span) }],
    ...(related === undefined
      ? {}
      : { relatedLocations: related.map((place) => ({ physicalLocation: location(place.file, place.span), message: { text: place.note } })) }),
    ...(fix === undefined ? {} : { fixes: [{ description: { text: fix.title }, artifactChanges: [change(file, fix.edits)] }] }),
  };
}

function change(file: SourceFile, edits: readonly { readonly span: Span; readonly text: string }[]): object {
  return {
    artifactLocation: { uri: uri(file) },
    replacements: edits.map((edit) => ({ deletedRegion: region(file, edit.span), insertedContent: { text: edit.text } })),
  };
}

function location(file: SourceFile, span: Span): object {
  return { artifactLocation: { uri: uri(file) }, region: region(file, span) };
}

function region(file: SourceFile, span: Span): object {
  const { line, column, endLine, endColumn } = diagnosticPosition(file, span);
  return { startLine: line, startColumn: column, endLine, endColumn };
}

function uri(file: SourceFile): string {
  return file.path.split(/[\\/]/u).map(encodeURIComponent).join("/");
}
