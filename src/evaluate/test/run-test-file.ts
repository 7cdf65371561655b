import { basename, relative, resolve } from "node:path";
import { Readable } from "node:stream";
import { isCodedError } from "../../contracts/coded-error.ts";
import type { Collection } from "../../contracts/collection.ts";
import type { JsonObject, JsonValue } from "../../contracts/json.ts";
import type { RuntimeConfig } from "../../contracts/runtime-config.ts";
import { createDiagnostic, type Diagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import { diagnosticPosition } from "../../diagnostics/diagnostic-position.ts";
import { nodeAt } from "../../document/find-node.ts";
import { IngestError } from "../../ingest/ingest-error.ts";
import { ingestRecords } from "../../ingest/ingest-records.ts";
import { type CompiledFile, compilePipelineFile } from "../../live/compile-file.ts";
import { type OpenPipeline, openPipeline } from "../../live/open-pipeline.ts";
import { ResourcePool } from "../../live/resource-pool.ts";
import { checkExpectation, degradedSteps, type Outcome, type Unmet } from "./check-expectation.ts";
import { Coverage } from "./coverage.ts";
import { type PipelineTest, readTestFile, type TestFile, unrunnable } from "./read-test-file.ts";
import { testResources } from "./test-resources.ts";

/** How one test ended. */
export interface TestResult {
  readonly name: string;
  readonly elapsedMs: number;
  /** At the expectations that were not met; none for a test that passed. */
  readonly diagnostics: readonly Diagnostic[];
  /** The unmet expectations with their pointers into the file, for `--update`. */
  readonly unmet: readonly Unmet[];
}

/** How a file of tests ended. */
export interface TestFileResult {
  /** As people see it. */
  readonly path: string;
  readonly results: readonly TestResult[];
  /** Why nothing was run: mistakes in the file, or in the pipeline. */
  readonly diagnostics: readonly Diagnostic[];
  readonly coverage: Coverage | undefined;
  /** The pipeline as people see it. */
  readonly pipeline: string;
}

/**
 * Runs the tests of a file, one after another, against one pipeline: what one test writes the next one sees.
 *
 * Nothing leaves the process: the Sandbox allows no network, and databases are kept in memory.
 *
 * @param path Absolute path.
 * @param options The working directory that shown paths start at, and a signal.
 */
export async function runTestFile(path: string, { cwd, signal }: { readonly cwd: string; readonly signal: AbortSignal }): Promise<TestFileResult> {
  const shown = relative(cwd, path);
  const read = readTestFile(path, shown);
  const nothing = (diagnostics: readonly Diagnostic[], pipeline = ""): TestFileResult => ({
    path: shown,
    results: [],
    diagnostics,
    coverage: undefined,
    pipeline,
  });
  if (read.tests === undefined || read.diagnostics.length > 0) return nothing(read.diagnostics);
  const { tests } = read;
  const compiled = await compilePipelineFile(tests.pipeline, { env: tests.env, vars: tests.vars, profile: tests.profile });
  const pipeline = relative(cwd, tests.pipeline);
  if (tests.diagnostics !== undefined) return { ...nothing([], pipeline), results: [judgeDiagnostics(tests, compiled)] };
  // Origins are not judged: what is asked of them has a stand-in, or is refused.
  const config = withNetwork(compiled.config, ["*"]);
  const { plan, diagnostics } = await compilePipelineFile(tests.pipeline, { env: tests.env, vars: tests.vars, profile: tests.profile, config });
  if (plan === undefined) return nothing(diagnostics, pipeline);
  const resources = await testResources(plan, tests);
  if ("diagnostics" in resources) return nothing(resources.diagnostics, pipeline);
  try {
    const open = await openForTest(tests, { resources: resources.resources, config, signal });
    if ("diagnostics" in open) return nothing(open.diagnostics, pipeline);
    try {
      const problem = await loadFixtures(open, tests);
      if (problem !== undefined) return nothing([problem], pipeline);
      const coverage = new Coverage(open.plan);
      const results: TestResult[] = [];
      for (const [index, test] of tests.tests.entries()) if (!signal.aborted) results.push(await runTest(open, { test, index, tests, coverage, signal }));
      return { path: shown, results, diagnostics: [], coverage, pipeline };
    } finally {
      await open.close();
    }
  } finally {
    await resources.close();
  }
}

function withNetwork(config: RuntimeConfig, network: readonly string[]): RuntimeConfig {
  return { ...config, sandbox: { ...config.sandbox, network } };
}

async function openForTest(
  tests: TestFile,
  { resources, config, signal }: { readonly resources: Readonly<Record<string, unknown>>; readonly config: RuntimeConfig; readonly signal: AbortSignal },
): Promise<OpenPipeline | { readonly diagnostics: readonly Diagnostic[] }> {
  const file = await compilePipelineFile(tests.pipeline, { env: tests.env, vars: tests.vars, profile: tests.profile, config, resources });
  if (file.compiled === undefined) return { diagnostics: file.diagnostics };
  return openPipeline(
    { ...file, config: withNetwork(config, []), compiled: file.compiled },
    { pool: new ResourcePool(), injected: resources, signal, log: () => {}, serving: false },
  );
}

async function loadFixtures(pipeline: OpenPipeline, tests: TestFile): Promise<Diagnostic | undefined> {
  for (const [name, records] of Object.entries(tests.fixtures)) {
    const pointer = `/fixtures/${name}`;
    try {
      const ingest = pipeline.ingests[name];
      const collection = pipeline.resource(name) as Collection | undefined;
      const problem =
        ingest !== undefined
          ? await ingestFixture(ingest, records, tests)
          : collection?.records === undefined
            ? `the pipeline has no ingest and no collection "${name}"`
            : await writeFixture(collection, records);
      if (problem !== undefined) return unrunnable(tests, pointer, problem);
    } catch (error) {
      if (!(error instanceof IngestError) && !isCodedError(error)) throw error;
      return unrunnable(tests, pointer, error.message);
    }
  }
  return undefined;
}

async function ingestFixture(
  ingest: NonNullable<OpenPipeline["ingests"][string]>,
  records: string | readonly JsonObject[],
  { folder }: TestFile,
): Promise<string | undefined> {
  const source =
    typeof records === "string"
      ? { path: resolve(folder, records) }
      : { stream: Readable.from(records.map((record) => Buffer.from(`${JSON.stringify(record)}\n`))) };
  const { failed } = await ingestRecords(ingest, { source });
  const [first] = failed;
  return first === undefined ? undefined : `record ${first.line}: ${first.problem}`;
}

/** Records of a collection that no ingest fills: `id`, `content`, `metadata`. */
async function writeFixture(collection: Collection, records: string | readonly JsonObject[]): Promise<string | undefined> {
  if (typeof records === "string") return "a file of records needs an ingest that says what becomes of them";
  const scope = collection.facts.namespace;
  const wrong = records.findIndex(({ id }) => typeof id !== "string");
  if (wrong >= 0) return `record ${wrong + 1} has no "id"`;
  for (const { id, content, metadata } of records) {
    const fields = (metadata ?? {}) as JsonObject;
    const namespace = scope === undefined ? undefined : String(fields[scope]);
    const own = Object.fromEntries(Object.entries(fields).filter(([key]) => key !== scope));
    await collection.records.replace([{ id: String(id), hash: "", parts: [{ id: String(id), content: content ?? "", metadata: own }] }], { namespace });
  }
  return undefined;
}

interface Running {
  readonly test: PipelineTest;
  readonly index: number;
  readonly tests: TestFile;
  readonly coverage: Coverage;
  readonly signal: AbortSignal;
}

async function runTest(pipeline: OpenPipeline, { test, index, tests, coverage, signal }: Running): Promise<TestResult> {
  const startedAt = performance.now();
  const outcome = await outcomeOf(pipeline, { test, coverage, signal });
  coverage.degraded(degradedSteps(outcome));
  const unmet = checkExpectation(test.expect, outcome).map((one) => ({ ...one, pointer: `/tests/${index}/expect${one.pointer}` }));
  const diagnostics = unmet.map(({ pointer, problem }) => failed(tests, { pointer, test: test.name, problem }));
  return { name: test.name, elapsedMs: performance.now() - startedAt, diagnostics, unmet };
}

async function outcomeOf(pipeline: OpenPipeline, { test, coverage, signal }: Pick<Running, "test" | "coverage" | "signal">): Promise<Outcome> {
  const trace = coverage.span();
  try {
    if (test.search === undefined) return { output: await pipeline.run(test.run ?? {}, { graph: test.graph, signal, trace }) };
    const { query, metadata, ...request } = (typeof test.search === "string" ? { query: test.search } : test.search) as JsonObject & {
      readonly query: string;
      readonly metadata?: JsonObject;
    };
    const result = await pipeline.search(
      { ...(request as object), query: { content: query, ...(metadata === undefined ? {} : { metadata: { ...metadata } }) } },
      { signal, trace },
    );
    if (result.output !== undefined && result.status === "success") return { search: result.output };
    return { error: { code: result.error?.code ?? result.status, message: result.error?.message ?? "" } };
  } catch (error) {
    if (!isCodedError(error)) throw error;
    return { error: { code: error.code, message: error.message } };
  }
}

function failed(tests: TestFile, { pointer, test, problem }: { readonly pointer: string; readonly test: string; readonly problem: string }): Diagnostic {
  const found = nodeAt(tests.root, pointer);
  const span = found === undefined ? { start: 0, end: 0 } : (found.entry?.key.span ?? found.node.span);
  return createDiagnostic("DITTO721", { file: tests.file, span, arguments: { test, problem } });
}

/** Holds what validating says against what is expected: all of it, each once. */
function judgeDiagnostics(tests: TestFile, { diagnostics }: CompiledFile): TestResult {
  const found = diagnostics.map((diagnostic) => ({ code: diagnostic.code as string, ...diagnosticPosition(diagnostic.file, diagnostic.span) }));
  const rest = [...found];
  const missing = (tests.diagnostics ?? []).filter((wanted) => {
    const at = rest.findIndex(({ code, line, column }) => code === wanted.code && (wanted.line ?? line) === line && (wanted.column ?? column) === column);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
  const text = ({ code, line, column }: { readonly code: string; readonly line?: number; readonly column?: number }): string =>
    [code, line, column].filter((part) => part !== undefined).join(":");
  const problem = [missing.length > 0 ? `missing ${missing.map(text).join(", ")}` : "", rest.length > 0 ? `not expected ${rest.map(text).join(", ")}` : ""]
    .filter((part) => part !== "")
    .join("; ");
  const actual = found.map(({ code, line, column }) => ({ code, line, column })) as unknown as JsonValue;
  const name = `diagnostics of ${basename(tests.pipeline)}`;
  const unmet = problem === "" ? [] : [{ pointer: "/diagnostics", problem, actual }];
  return { name, elapsedMs: 0, unmet, diagnostics: unmet.map((one) => failed(tests, { ...one, test: name })) };
}

/** Whether everything passed. */
export function hasPassed({ results, diagnostics }: TestFileResult): boolean {
  return !hasErrors(diagnostics) && results.every((result) => result.diagnostics.length === 0);
}
