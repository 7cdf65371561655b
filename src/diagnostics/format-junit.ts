import { type Diagnostic, diagnosticMessage } from "./diagnostic.ts";
import { diagnosticPosition } from "./diagnostic-position.ts";

/**
 * Writes diagnostics as JUnit XML, which build servers show as tests: one suite a file, one case a finding.
 *
 * @param diagnostics In the order in which they are written.
 * @param options `files`: the paths that were checked, so that a file without findings is shown as passed.
 */
export function formatJunit(diagnostics: readonly Diagnostic[], options: { readonly files?: readonly string[] | undefined } = {}): string {
  const paths = [...new Set([...(options.files ?? []), ...diagnostics.map((diagnostic) => diagnostic.file.path)])].sort();
  const suites = paths.map((path) =>
    suite(
      path,
      diagnostics.filter((diagnostic) => diagnostic.file.path === path),
    ),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="ditto validate">\n${suites.join("")}</testsuites>\n`;
}

function suite(path: string, diagnostics: readonly Diagnostic[]): string {
  const failures = diagnostics.filter((diagnostic) => diagnostic.severity === "error").length;
  const cases = diagnostics.length === 0 ? [`    <testcase classname="${escapeXml(path)}" name="valid"/>\n`] : diagnostics.map(testCase);
  return `  <testsuite name="${escapeXml(path)}" tests="${cases.length}" failures="${failures}">\n${cases.join("")}  </testsuite>\n`;
}

function testCase(diagnostic: Diagnostic): string {
  const { file, span, code, severity } = diagnostic;
  const { line, column } = diagnosticPosition(file, span);
  const name = escapeXml(`${code} ${line}:${column}`);
  const message = escapeXml(diagnosticMessage(diagnostic));
  const place = escapeXml(`${file.path}:${line}:${column}`);
  const outcome = severity === "error" ? `<failure type="${code}" message="${message}">${place}</failure>` : `<system-out>${place} ${message}</system-out>`;
  return `    <testcase classname="${escapeXml(file.path)}" name="${name}">${outcome}</testcase>\n`;
}

/** Text for XML: what XML 1.0 cannot hold at all becomes a replacement character. */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("\n", "&#10;");
}
