import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { diagnosticCatalogue } from "../../schema/diagnostics/catalogue.ts";
import { type Diagnostic, diagnosticMessage } from "../../src/diagnostics/diagnostic.ts";
import { formatJson } from "../../src/diagnostics/format-json.ts";
import { formatPretty } from "../../src/diagnostics/format-pretty.ts";
import { formatSarif } from "../../src/diagnostics/format-sarif.ts";
import { applyEdits } from "../../src/document/apply-edits.ts";
import { compilePipelineFile } from "../../src/live/compile-file.ts";
import type { Project } from "../../src/live/load-project.ts";
import { readScenario } from "../scenarios/read-scenario.ts";
import { mutate } from "./mutate.ts";

/** So many files here; `DITTO_MUTATIONS=100000` for all of them, and `DITTO_MUTATIONS_FROM` for where to begin. */
const count = Number(process.env["DITTO_MUTATIONS"] ?? 5000);
const from = Number(process.env["DITTO_MUTATIONS_FROM"] ?? 0);
/** No file takes longer, also on a loaded machine; what hangs takes for ever. */
const hangMs = 10_000;
const batches = 20;

const root = join(import.meta.dirname, "../..");
const scenarios = join(root, "test/scenarios");
const corpus = [
  ...readdirSync(join(root, "pipelines"))
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => readFileSync(join(root, "pipelines", name), "utf8")),
  ...readdirSync(scenarios, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => readScenario(readFileSync(join(scenarios, name), "utf8")).text),
].filter((text) => text.length > 100);

const projects = new Map<string, Promise<Project>>();
const path = join(root, "pipelines/mutated.yaml");
const env = { SET: "value", NUMBER: "7" };

describe("a mutated file never crashes, hangs, or fails without a code", () => {
  const size = Math.ceil(count / batches);
  test.each(Array.from({ length: batches }, (_, batch) => from + batch * size))("%i and on", { timeout: 3_600_000 }, async (first) => {
    for (let seed = first; seed < first + size; seed += 1) {
      const text = mutate(corpus[seed % corpus.length] as string, seed);
      const startedAt = performance.now();
      const { diagnostics, compiled } = await judge(text, seed);
      expect(performance.now() - startedAt, `seed ${seed} hangs`).toBeLessThan(hangMs);
      expect(compiled === undefined, `seed ${seed}`).toBe(diagnostics.some(({ severity }) => severity === "error"));
      for (const diagnostic of diagnostics) checkDiagnostic(diagnostic, seed);
      expect(JSON.parse(formatJson(diagnostics)), `seed ${seed}`).toHaveLength(diagnostics.length);
      expect(`${formatPretty(diagnostics)}${formatSarif(diagnostics)}`, `seed ${seed}`).not.toBe("");
      const fixes = diagnostics.filter(({ file }) => file.path.endsWith("mutated.yaml")).flatMap(({ fix }) => fix?.edits ?? []);
      if (fixes.length > 0 && seed % 5 === 0) await judge(applyEdits(text.replace(/^\ufeff/u, ""), fixes), seed);
    }
  });
});

async function judge(text: string, seed: number) {
  try {
    return await compilePipelineFile(path, { text, env, projects });
  } catch (error) {
    throw new Error(`seed ${seed}`, { cause: error });
  }
}

function checkDiagnostic(diagnostic: Diagnostic, seed: number): void {
  const { code, span, file } = diagnostic;
  const sound = Object.hasOwn(diagnosticCatalogue, code) && span.start >= 0 && span.start <= span.end && span.end <= file.text.length;
  const message = diagnosticMessage(diagnostic);
  if (!sound || /undefined|\[object|<[a-z]+>/u.test(message.replace(/"[^"]*"/gu, "")))
    expect.unreachable(`seed ${seed}: ${code} ${JSON.stringify(span)} ${message}`);
}
