import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { formatSarif } from "../../src/diagnostics/format-sarif.ts";
import { compilePipelineFile } from "../../src/live/compile-file.ts";
import { compileModules, compilerFlags } from "../documents/compile-modules.ts";

const root = join(import.meta.dirname, "../..");

/** The types are made from the schema of SARIF 2.1.0: a literal that fits them has no member, value or shape that the schema does not know. */
async function misfits(change: (text: string) => string): Promise<readonly string[]> {
  mkdirSync(join(root, ".cache"), { recursive: true });
  const folder = mkdtempSync(join(root, ".cache/sarif-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "bad.yaml");
  writeFileSync(file, "version: 1\nname: bad\nresources: { db: { sqlit: {} }, db: { sqlite: { file: a } } }\ntargts: {}\nvars: { unused: 1 }\ntargets: {}\n");
  const { diagnostics } = await compilePipelineFile(file, { env: {} });
  expect(diagnostics.length).toBeGreaterThan(2);
  const module = join(folder, "log.ts");
  writeFileSync(module, `import type { Log } from "sarif";\nexport const log: Log = ${change(formatSarif(diagnostics))};\n`);
  return compileModules([module], compilerFlags(root, false)[0], {});
}

it("what is written as SARIF fits the schema of SARIF 2.1.0", { timeout: 30_000 }, async () => {
  expect(await misfits((text) => text)).toEqual([]);
});

it("what does not fit it is found", { timeout: 30_000 }, async () => {
  expect(await misfits((text) => text.replaceAll('"ruleId"', '"rule"'))).not.toEqual([]);
  expect(await misfits((text) => text.replaceAll('"error"', '"severe"'))).not.toEqual([]);
});
