import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { countNoun } from "../../base/count-noun.ts";
import { formatPretty } from "../../diagnostics/format-pretty.ts";
import { hasPassed, runTestFile, type TestFileResult } from "../../evaluate/test/run-test-file.ts";
import { updateTestFile } from "../../evaluate/test/update-test-file.ts";
import type { CliCall, CliCommand } from "../cli-command.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { paintFor } from "../render/paint.ts";
import { joinCoverage, testReport, testReporters } from "../render/test-report.ts";
import { UsageError } from "../usage-error.ts";

interface TestOptions {
  readonly reporter: string;
  readonly update?: boolean;
  readonly coverage?: boolean;
}

/** `ditto test`: pipeline tests written in YAML. */
export const testCommand: CliCommand = {
  declare: (command) => {
    command
      .argument("[paths...]", "files *.test.yaml, or folders; the working directory otherwise")
      .option("--reporter <name>", testReporters.join(", "), "pretty")
      .option("--update", "write what comes out in place of ids, scores, outputs and diagnostics that were expected")
      .option("--coverage", "tell which strategies, branches, substitutes and graph nodes no test took");
  },
  examples: [
    ["ditto test", "every *.test.yaml below the working directory"],
    ["ditto test pipelines/kb.test.yaml --coverage", "one file, and what it leaves out"],
    ["ditto test --reporter junit > tests.xml", "for a build server"],
  ],
  run: test,
};

async function test({ rest, options, context }: CliCall): Promise<ExitCode> {
  const { reporter: name, update, coverage } = options as unknown as TestOptions;
  const { cwd, signal, out, err } = context;
  const reporter = testReporters.find((known) => known === name);
  if (reporter === undefined) throw new UsageError(`--reporter knows ${testReporters.join(", ")}, not "${name}"`);
  const paths = await testFiles(rest.length === 0 ? ["."] : rest, cwd);
  if (paths.length === 0) throw new UsageError("there is no *.test.yaml", { hint: "write one beside a pipeline: docs/evaluate.md shows how" });
  const files: TestFileResult[] = [];
  for (const path of paths) {
    if (signal.aborted) break;
    const result = await runTestFile(path, { cwd, signal });
    files.push(result);
    if (reporter === "pretty") out.write(testReport([result], { reporter, color: out.color }));
    if (update === true) await updated(path, { result, cwd, write: (text) => err.write(text) });
  }
  if (reporter !== "pretty") out.write(testReport(files, { reporter, color: false }));
  if (coverage === true) (reporter === "pretty" ? out : err).write(joinCoverage(files));
  const wrong = files.flatMap(({ diagnostics, results }) => [...diagnostics, ...results.flatMap((result) => result.diagnostics)]);
  if (reporter === "pretty") {
    if (wrong.length > 0) err.write(`\n${formatPretty(wrong, { color: err.color })}`);
    const results = files.flatMap((file) => file.results);
    const failed = results.filter(({ diagnostics }) => diagnostics.length > 0).length;
    const unrun = files.filter((file) => file.diagnostics.length > 0).length;
    err.write(
      `\n${countNoun(results.length, "test")} in ${countNoun(files.length, "file")}: ${failed + unrun === 0 ? paintFor(err)("green", "all passed") : paintFor(err)("red", unrun === 0 ? `${failed} failed` : `${failed} failed, ${countNoun(unrun, "file")} not run`)}\n`,
    );
  }
  if (signal.aborted) return exitCodes.interrupted;
  return files.every(hasPassed) ? exitCodes.fine : exitCodes.failed;
}

async function updated(
  path: string,
  { result, cwd, write }: { readonly result: TestFileResult; readonly cwd: string; readonly write: (text: string) => void },
): Promise<void> {
  const unmet = result.results.flatMap((one) => one.unmet);
  if (unmet.length === 0) return;
  const count = updateTestFile(path, await readFile(path, "utf8"), unmet);
  write(`${relative(cwd, path)}: ${countNoun(count, "expectation")} written\n`);
}

/** Files as they are named; in folders all that end in `.test.yaml` or `.test.yml`. */
async function testFiles(paths: readonly string[], cwd: string): Promise<readonly string[]> {
  const found = await Promise.all(
    paths.map(async (path) => {
      const absolute = resolve(cwd, path);
      const about = await stat(absolute).catch(() => undefined);
      if (about === undefined) throw new UsageError(`the file "${path}" does not exist`);
      return about.isDirectory() ? filesBelow(absolute) : [absolute];
    }),
  );
  return [...new Set(found.flat())];
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => !name.startsWith(".") && name !== "node_modules");
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesBelow(path);
      return /\.test\.ya?ml$/u.test(entry.name) ? [path] : [];
    }),
  );
  return found.flat();
}
