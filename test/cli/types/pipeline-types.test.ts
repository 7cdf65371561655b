import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, onTestFinished, test } from "vitest";
import { pipelineTypes } from "../../../src/cli/types/pipeline-types.ts";
import { printType } from "../../../src/cli/types/print-type.ts";
import type { JsonSchema } from "../../../src/contracts/json-schema.ts";
import { compilePipelineFile } from "../../../src/live/compile-file.ts";

const root = join(import.meta.dirname, "../../..");

describe("a schema as a type", () => {
  test.each<[JsonSchema, string]>([
    [{}, "unknown"],
    [{ type: "string" }, "string"],
    [{ type: ["integer", "null"] }, "number | null"],
    [{ enum: ["a", 1, null] }, '"a" | 1 | null'],
    [{ const: true }, "true"],
    [{ type: "array" }, "readonly unknown[]"],
    [{ type: "array", items: { enum: ["a", "b"] } }, 'readonly ("a" | "b")[]'],
    [{ type: "array", items: { type: "array", items: { type: "number" } } }, "readonly (readonly number[])[]"],
    [{ type: "object" }, "Readonly<Record<string, unknown>>"],
    [{ type: "object", additionalProperties: { type: "number" } }, "Readonly<Record<string, number>>"],
    [
      { type: "object", required: ["a"], properties: { a: { type: "string", description: "First */ word." }, "b-c": { type: "number" } } },
      '{\n  /** First *\\/ word. */\n  readonly a: string;\n  readonly "b-c"?: number;\n}',
    ],
    [{ anyOf: [{ type: "string" }, { type: "number" }] }, "string | number"],
  ])("%j", (schema, type) => {
    expect(printType(schema)).toBe(type);
  });
});

// The compiler reads the whole package.
describe("the types of a file", { timeout: 180_000 }, () => {
  test("hold `run` and `search` to what the file says", async () => {
    const { plan } = await compilePipelineFile(join(root, "pipelines/quickstart.yaml"), { noEnv: true, judgeOnly: true });
    if (plan === undefined) throw new Error("not a plan");
    const problems = check({
      "quickstart.d.ts": pipelineTypes(plan, "pipelines/quickstart.yaml"),
      "use.ts": `
import { loadPipeline } from "@codesoul-co/ditto/pipeline";
import type { QuickstartPipeline } from "./quickstart.d.ts";
const pipeline = await loadPipeline<QuickstartPipeline>("pipelines/quickstart.yaml");
const items = await pipeline.run({ question: "How?" });
export const id: string = items[0]!.id;
const found = await pipeline.search({ query: { content: "refund" }, strategy: "keyword" });
export const title: string | undefined = found.output?.candidates[0]?.metadata.title;
await pipeline.close();
`,
      "wrong.ts": `
import { loadPipeline } from "@codesoul-co/ditto/pipeline";
import type { QuickstartPipeline } from "./quickstart.d.ts";
const pipeline = await loadPipeline<QuickstartPipeline>("pipelines/quickstart.yaml");
await pipeline.run({ qestion: "How?" });
await pipeline.search({ query: { content: "refund" }, strategy: "keywrd" });
export {};
`,
    });
    expect(problems.map(({ file }) => file)).toEqual(["wrong.ts", "wrong.ts"]);
    expect(problems.map(({ text }) => text).join("\n")).toMatch(/qestion[\s\S]*keywrd/u);
  });

  test("name the graph and the target where there are several", async () => {
    const text = `version: 1
name: two-worlds
resources:
  db: { sqlite: { file: kb.db } }
  kb: { sqlite.collection: { database: db, fields: { lang: { type: string, required: true } } } }
targets:
  one: { strategies: { words: { text: { collection: kb } } } }
  two-three: { strategies: { words: { text: { collection: kb } }, any: { refine: { search: one, where: true } } }, default: any }
graphs:
  first: { nodes: { n: { value: 1 } }, output: { count: "\${ n }" } }
  second-one: { input: { type: object }, nodes: { n: { value: a } }, output: "\${ n }" }
`;
    const { plan, diagnostics } = await compilePipelineFile(join(root, "pipelines/two.yaml"), { text, judgeOnly: true });
    if (plan === undefined) throw new Error(JSON.stringify(diagnostics.map(({ code }) => code)));
    const written = pipelineTypes(plan, "two.yaml");
    expect(written).toContain('options: PipelineCallOptions & { readonly graph: "second-one" }): Promise<SecondOneOutput>');
    expect(written).toContain('readonly target: "two-three"; readonly strategy?: "words" | "any" }');
    expect(check({ "two.d.ts": written })).toEqual([]);
  });
});

/** What TypeScript has to say about files that import the package. */
function check(files: Readonly<Record<string, string>>): readonly { readonly file: string; readonly text: string }[] {
  mkdirSync(join(root, ".cache"), { recursive: true });
  const folder = mkdtempSync(join(root, ".cache/types-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noUnusedLocals: true,
    allowImportingTsExtensions: true,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2024,
    customConditions: ["ditto-source"],
    types: ["node"],
  };
  const program = ts.createProgram(
    Object.keys(files).map((name) => join(folder, name)),
    options,
  );
  return ts
    .getPreEmitDiagnostics(program)
    .filter(({ file }) => file === undefined || file.fileName.startsWith(folder))
    .map(({ file, messageText }) => ({ file: file?.fileName.slice(folder.length + 1) ?? "", text: ts.flattenDiagnosticMessageText(messageText, "\n") }));
}
