import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type Diagnostic, diagnosticMessage } from "../../src/diagnostics/diagnostic.ts";
import { diagnosticPosition } from "../../src/diagnostics/diagnostic-position.ts";
import type { Span, SourceFile } from "../../src/document/document.ts";
import { applyEdits } from "../../src/document/apply-edits.ts";
import { compilePipelineFile } from "../../src/live/compile-file.ts";
import type { Project } from "../../src/live/load-project.ts";
import { readScenario, type Scenario } from "./read-scenario.ts";

const folder = import.meta.dirname;
const env = { SET: "value", EMPTY: "", NUMBER: "7", WORD: "word" };
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "ditto-scenarios-")));
const projects = new Map<string, Promise<Project>>();
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A scenario is a file, or a folder whose `main.yaml` is compiled and whose other files it includes. */
const scenarios = [...findScenarios()];

describe("a pipeline file is judged as its marks say", () => {
  it.each(scenarios)("$name", async ({ path, files }) => {
    const { diagnostics } = await judge(path, files, (text) => text);
    const expected = [...files].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([name, { marks }]) => marks.map((mark) => ({ file: name, ...mark })));
    const found = diagnostics.map((diagnostic) => ({
      ...placeOf(diagnostic),
      code: diagnostic.code,
      suggestion: diagnostic.suggestion,
      message: diagnosticMessage(diagnostic),
    }));
    expect(found, relative(process.cwd(), path)).toEqual(expected.map((mark) => expect.objectContaining(withoutUndefined(mark))));
    const related = [...files].flatMap(([name, scenario]) => scenario.related.map((mark) => ({ file: name, ...mark })));
    if (related.length === 0) return;
    const others = diagnostics.flatMap((diagnostic) => (diagnostic.related ?? []).map((place) => placeOf(place)));
    expect(others.sort(byPlace), relative(process.cwd(), path)).toEqual(related.map((mark) => expect.objectContaining(mark)));
  });
});

describe("how a file is saved changes nothing", () => {
  it.each(scenarios)("with Windows line breaks and a byte order mark: $name", async ({ path, files }) => {
    const plain = await judge(path, files, (text) => text);
    const windows = await judge(path, files, (text) => `\ufeff${text.replaceAll("\n", "\r\n")}`);
    const shown = ({ diagnostics }: { readonly diagnostics: readonly Diagnostic[] }) =>
      diagnostics.map((diagnostic) => [diagnostic.code, placeOf(diagnostic), diagnostic.suggestion]);
    expect(shown(windows), relative(process.cwd(), path)).toEqual(shown(plain));
  });
});

describe("repairing everything that is certain", () => {
  it.each(scenarios)("adds no errors, comes to an end, and leaves the rest alone: $name", async ({ path, files }) => {
    const main = files.get("main.yaml") as Scenario;
    let text = main.text;
    let before = await judge(path, new Map([...files, ["main.yaml", { ...main, text }]]), (source) => source);
    for (let round = 0; round < 10; round += 1) {
      const edits = before.diagnostics.filter((diagnostic) => placeOf(diagnostic).file === "main.yaml").flatMap((diagnostic) => diagnostic.fix?.edits ?? []);
      if (edits.length === 0) return;
      const repaired = applyEdits(text, edits);
      expect(comments(repaired), "comments stay").toEqual(comments(text));
      expect(repaired.split("\n").length, "lines stay").toBe(text.split("\n").length);
      text = repaired;
      const after = await judge(path, new Map([...files, ["main.yaml", { ...main, text }]]), (source) => source);
      expect(errors(after), text).toBeLessThanOrEqual(errors(before));
      before = after;
    }
    expect.unreachable("repairs go on and on");
  });
});

async function judge(
  path: string,
  files: ReadonlyMap<string, Scenario>,
  write: (text: string) => string,
): Promise<{ readonly diagnostics: readonly Diagnostic[] }> {
  const place = mkdtempSync(join(scratch, "s-"));
  for (const [name, { text }] of files) {
    mkdirSync(dirname(join(place, name)), { recursive: true });
    writeFileSync(join(place, name), write(text));
  }
  const extra = join(folder, path, "files");
  if (existsSync(extra)) for (const name of readdirSync(extra)) writeFileSync(join(place, name), readFileSync(join(extra, name)));
  const main = files.get("main.yaml") as Scenario;
  // One project for all that have no `ditto.yaml` of their own.
  if (files.has("ditto.yaml")) return compilePipelineFile(join(place, "main.yaml"), { env, ...main.options });
  const shared = projects.get("shared");
  if (shared !== undefined) projects.set(place, shared);
  const result = await compilePipelineFile(join(place, "main.yaml"), { env, projects, ...main.options });
  projects.set("shared", projects.get(place) as Promise<Project>);
  return result;
}

function* findScenarios(): Generator<{ readonly name: string; readonly path: string; readonly files: ReadonlyMap<string, Scenario> }> {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".yaml"))
    .sort();
  const folders = new Set(paths.filter((path) => basename(path) === "main.yaml").map((path) => dirname(path)));
  for (const path of paths) {
    if ([...folders].some((inside) => path.startsWith(`${inside}/`))) continue;
    yield { name: sentence(path), path, files: new Map([["main.yaml", read(path)]]) };
  }
  for (const inside of folders) {
    const parts = paths.filter((path) => path.startsWith(`${inside}/`));
    yield { name: sentence(inside), path: inside, files: new Map(parts.map((path) => [relative(inside, path), read(path)])) };
  }
}

function sentence(path: string): string {
  return basename(path, ".yaml").replaceAll("-", " ");
}

function read(path: string): Scenario {
  return readScenario(readFileSync(join(folder, path), "utf8"));
}

function placeOf({ file, span }: { readonly file: SourceFile; readonly span: Span }) {
  const { line, column, endLine, endColumn } = diagnosticPosition(file, span);
  // Below the folder of this run, whose name is another one each time.
  const name = file.path.slice(scratch.length + 1).replace(/^[^/]*\//u, "");
  return { file: name, line, column, ...(endLine === line ? { endColumn } : {}) };
}

function byPlace(
  a: { readonly file: string; readonly line: number; readonly column: number },
  b: { readonly file: string; readonly line: number; readonly column: number },
): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}

function comments(text: string): readonly string[] {
  return text.split("\n").filter((line) => line.startsWith("#"));
}

function errors({ diagnostics }: { readonly diagnostics: readonly Diagnostic[] }): number {
  return diagnostics.filter((diagnostic) => diagnostic.severity === "error").length;
}

function withoutUndefined<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Partial<T>;
}
