import { diagnosticMessage } from "../../diagnostics/diagnostic.ts";
import { diagnosticPosition } from "../../diagnostics/diagnostic-position.ts";
import type { Coverage } from "../../evaluate/test/coverage.ts";
import type { TestFileResult } from "../../evaluate/test/run-test-file.ts";
import { paintFor } from "./paint.ts";

/** How results of tests can be written. */
export const testReporters = ["pretty", "json", "junit"] as const;

/** Writes results of tests; what failed is told apart, by `pretty`. */
export function testReport(
  files: readonly TestFileResult[],
  { reporter, color }: { readonly reporter: (typeof testReporters)[number]; readonly color: boolean },
): string {
  if (reporter === "json") return `${JSON.stringify(files.map(asJson), null, 2)}\n`;
  if (reporter === "junit") return asJunit(files);
  const paint = paintFor({ color });
  return files
    .map(({ path, results }) => {
      const lines = results.map(
        ({ name, diagnostics, elapsedMs }) =>
          `  ${diagnostics.length === 0 ? paint("green", "ok") : paint("red", "failed")} ${name} ${paint("dim", `${Math.round(elapsedMs)} ms`)}\n`,
      );
      return `${paint("bold", path)}\n${lines.join("")}`;
    })
    .join("");
}

function asJson({ path, pipeline, results, diagnostics }: TestFileResult): unknown {
  const placed = (one: TestFileResult["diagnostics"][number]): unknown => ({
    code: one.code,
    message: diagnosticMessage(one),
    file: one.file.path,
    ...diagnosticPosition(one.file, one.span),
  });
  return {
    path,
    pipeline,
    diagnostics: diagnostics.map(placed),
    tests: results.map((result) => ({
      name: result.name,
      passed: result.diagnostics.length === 0,
      elapsedMs: Math.round(result.elapsedMs),
      failures: result.diagnostics.map(placed),
    })),
  };
}

function asJunit(files: readonly TestFileResult[]): string {
  const suites = files.map(({ path, results, diagnostics }) => {
    const broken = diagnostics.length === 0 ? [] : [{ name: "can be run", elapsedMs: 0, diagnostics }];
    const cases = [...results, ...broken].map(({ name, elapsedMs, diagnostics: wrong }) => {
      const failures = wrong.map((one) => {
        const { line, column } = diagnosticPosition(one.file, one.span);
        return `<failure type="${one.code}" message="${escapeXml(diagnosticMessage(one))}">${escapeXml(`${one.file.path}:${line}:${column}`)}</failure>`;
      });
      return `    <testcase classname="${escapeXml(path)}" name="${escapeXml(name)}" time="${(elapsedMs / 1000).toFixed(3)}">${failures.join("")}</testcase>\n`;
    });
    const failed = [...results, ...broken].filter((one) => one.diagnostics.length > 0).length;
    return `  <testsuite name="${escapeXml(path)}" tests="${cases.length}" failures="${failed}">\n${cases.join("")}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="ditto test">\n${suites.join("")}</testsuites>\n`;
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

/** Tells, by pipeline, which ways through it no test took. */
export function joinCoverage(files: readonly TestFileResult[]): string {
  const byPipeline = new Map<string, Coverage>();
  for (const { pipeline, coverage } of files) {
    if (coverage === undefined) continue;
    const known = byPipeline.get(pipeline);
    if (known === undefined) byPipeline.set(pipeline, coverage);
    else known.join(coverage);
  }
  return [...byPipeline]
    .map(([pipeline, coverage]) => {
      const { taken, missed } = coverage.ways;
      const all = taken.length + missed.length;
      return `\n${pipeline}: ${taken.length} of ${all} ways taken\n${missed.map((way) => `  not taken: ${way}\n`).join("")}`;
    })
    .join("");
}
