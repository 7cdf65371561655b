import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Diagnostic, diagnosticMessage } from "../../../src/diagnostics/diagnostic.ts";
import { diagnosticPosition } from "../../../src/diagnostics/diagnostic-position.ts";
import { compilePipelineFile } from "../../../src/live/compile-file.ts";
import { loadPipeline } from "../../../src/live/load-pipeline.ts";
import type { LoadPipelineOptions, Pipeline } from "../../../src/live/pipeline.ts";

/** A folder that is gone after the test. */
function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "ditto-kinds-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Loads a pipeline written out in a test, in a folder of its own; closed after the test. */
export async function loadText(text: string, options: LoadPipelineOptions = {}, files: Readonly<Record<string, string>> = {}): Promise<Pipeline> {
  const folder = testFolder();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const path = join(folder, "pipeline.yaml");
  writeFileSync(path, text);
  const pipeline = await loadPipeline(path, { env: {}, ...options });
  onTestFinished(() => pipeline.close());
  return pipeline;
}

/** What is told about a pipeline written out in a test: `line:column code message`. */
export async function judgeText(text: string, env: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const { diagnostics } = await compilePipelineFile(join(testFolder(), "pipeline.yaml"), { text, env });
  return diagnostics.map(line);
}

/** A diagnostic as one line. */
export function line(diagnostic: Diagnostic): string {
  const { line: row, column } = diagnosticPosition(diagnostic.file, diagnostic.span);
  return `${row}:${column} ${diagnostic.code} ${diagnosticMessage(diagnostic)}${diagnostic.suggestion === undefined ? "" : ` -> ${diagnostic.suggestion}`}`;
}
