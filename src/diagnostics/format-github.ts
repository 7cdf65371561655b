import type { Diagnostic } from "./diagnostic.ts";
import { diagnosticRecord } from "./format-json.ts";

/**
 * Writes diagnostics as workflow commands, which GitHub shows beside the lines of a change.
 *
 * @param diagnostics In the order in which they are written.
 */
export function formatGithub(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map((diagnostic) => `${command(diagnostic)}\n`).join("");
}

function command(diagnostic: Diagnostic): string {
  const { code, severity, message, file, line, column, endLine, endColumn, suggestion } = diagnosticRecord(diagnostic);
  const properties = { file, line, col: column, endLine, endColumn, title: code };
  const written = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  const help = suggestion === undefined ? "" : diagnostic.suggestion === undefined ? ` (${suggestion})` : ` (did you mean "${suggestion}"?)`;
  return `::${severity} ${written.join(",")}::${escapeData(message + help)}`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
