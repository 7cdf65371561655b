import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { testFileSchema } from "../../../schema/test-file.ts";
import type { JsonObject, JsonValue } from "../../contracts/json.ts";
import { createDiagnostic, type Diagnostic } from "../../diagnostics/diagnostic.ts";
import { documentDiagnostics } from "../../diagnostics/document-diagnostics.ts";
import type { DocumentNode, SourceFile } from "../../document/document.ts";
import { entryOf, nodeAt } from "../../document/find-node.ts";
import { nodeValue } from "../../document/node-value.ts";
import { parseDocument } from "../../document/parse-document.ts";
import { validateNode } from "../../validation/validate-node.ts";
import { expressionDiagnostic } from "../../pipeline/model/expression-diagnostic.ts";
import { type Expectation, predicateProblems } from "./check-expectation.ts";
import type { Mock } from "./mock-resources.ts";

/** A file of pipeline tests, as it is written. */
export interface TestFile {
  readonly file: SourceFile;
  readonly root: DocumentNode;
  /** Absolute folder. */
  readonly folder: string;
  /** Absolute path of the pipeline. */
  readonly pipeline: string;
  readonly profile?: string | undefined;
  readonly vars: Readonly<Record<string, JsonValue>>;
  readonly env: Readonly<Record<string, string>>;
  readonly mocks: Readonly<Record<string, Mock>>;
  readonly fixtures: Readonly<Record<string, string | readonly JsonObject[]>>;
  readonly tests: readonly PipelineTest[];
  /** What validating the pipeline must say; undefined where that is not tested. */
  readonly diagnostics: readonly { readonly code: string; readonly line?: number; readonly column?: number }[] | undefined;
}

/** One test. */
export interface PipelineTest {
  readonly name: string;
  readonly search?: string | JsonObject | undefined;
  readonly run?: JsonValue | undefined;
  readonly graph?: string | undefined;
  readonly expect: Expectation;
}

/**
 * Reads a file of pipeline tests.
 *
 * @param path Absolute path.
 * @param shown The path as people see it.
 * @returns The file, or every mistake in it.
 */
export function readTestFile(path: string, shown: string): { readonly tests?: TestFile | undefined; readonly diagnostics: readonly Diagnostic[] } {
  const file = { path: shown, text: readFileSync(path, "utf8") };
  const document = parseDocument(file);
  const { root } = document;
  const found = [...documentDiagnostics(document), ...(root === undefined ? [] : validateNode(root, testFileSchema, { file, place: "the test file" }))];
  if (root === undefined || found.length > 0) return { diagnostics: found };
  const value = nodeValue(root) as unknown as Omit<TestFile, "file" | "root" | "folder">;
  const folder = dirname(path);
  const tests: TestFile = {
    ...value,
    file,
    root,
    folder,
    pipeline: resolve(folder, value.pipeline),
    vars: value.vars ?? {},
    env: value.env ?? {},
    mocks: value.mocks ?? {},
    fixtures: value.fixtures ?? {},
    tests: value.tests ?? [],
    diagnostics: value.diagnostics,
  };
  return { tests, diagnostics: [...testProblems(tests)] };
}

function testProblems(file: TestFile): readonly Diagnostic[] {
  const { tests, diagnostics, root } = file;
  if (tests.length === 0 && diagnostics === undefined) return [unrunnable(file, "", 'there are neither "tests" nor "diagnostics"')];
  const names = new Set<string>();
  return [
    ...(tests.length > 0 && diagnostics !== undefined
      ? [unrunnable(file, "/diagnostics", 'a pipeline that is expected to be wrong runs no tests: "tests" and "diagnostics" exclude each other')]
      : []),
    ...tests.flatMap(({ name, search, run }, index) => {
      const has = (key: string): boolean => entryOf(nodeAt(root, `/tests/${index}`)?.node, key) !== undefined;
      const twice = names.has(name) ? [unrunnable(file, `/tests/${index}/name`, `the name "${name}" is used twice`)] : [];
      names.add(name);
      const asks = [search !== undefined, run !== undefined || has("run")].filter(Boolean).length;
      return [
        ...twice,
        ...predicateDiagnostics(file, index),
        ...(asks === 1 ? [] : [unrunnable(file, `/tests/${index}/name`, `"${name}" must say either what to "search" or what to "run"`)]),
      ];
    }),
  ];
}

function predicateDiagnostics({ root, file }: TestFile, index: number): readonly Diagnostic[] {
  const that = nodeAt(root, `/tests/${index}/expect/that`)?.node;
  const nodes = that === undefined ? [] : that.kind === "sequence" ? that.items : [that];
  return nodes.flatMap((node) =>
    node.kind === "scalar" ? predicateProblems(node.text).map((problem) => expressionDiagnostic(problem, { node, file, label: "that" })) : [],
  );
}

/** Says that something in a test file cannot be done, at its place. */
export function unrunnable({ file, root }: Pick<TestFile, "file" | "root">, pointer: string, problem: string): Diagnostic {
  const found = nodeAt(root, pointer);
  const span = found?.entry?.key.span ?? found?.node.span ?? { start: 0, end: 0 };
  return createDiagnostic("DITTO722", { file, span: pointer === "" ? { start: 0, end: 0 } : span, arguments: { problem } });
}
