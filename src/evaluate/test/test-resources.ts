import { createDiagnostic, type Diagnostic } from "../../diagnostics/diagnostic.ts";
import { nearestName } from "../../base/nearest-names.ts";
import { type CompileFileOptions, compilePipelineFile } from "../../live/compile-file.ts";
import { type OpenPipeline, openPipeline } from "../../live/open-pipeline.ts";
import { ResourcePool } from "../../live/resource-pool.ts";
import { invariant } from "../../base/invariant.ts";
import type { Plan, PlanComponent } from "../../pipeline/model/plan.ts";
import { mockResource } from "./mock-resources.ts";
import { type TestFile, unrunnable } from "./read-test-file.ts";

/** What stands in for a pipeline's resources while it is tested. */
export interface TestResources {
  readonly resources: Readonly<Record<string, unknown>>;
  close(): Promise<void>;
}

/**
 * Makes what a test runs with: the stand-ins that it names, and a database in memory for each SQLite connection.
 *
 * @returns The resources, or why the pipeline cannot be tested like that: nothing of a test leaves the process.
 */
export async function testResources(plan: Plan, tests: TestFile): Promise<TestResources | { readonly diagnostics: readonly Diagnostic[] }> {
  const byName = new Map(Object.entries(plan.resources).map(([name, id]) => [name, plan.components.find((component) => component.id === id)]));
  const resources: { [name: string]: unknown } = {};
  const diagnostics: Diagnostic[] = [];
  for (const [name, mock] of Object.entries(tests.mocks)) {
    const component = byName.get(name);
    if (component === undefined) {
      const near = nearestName(name, [...byName.keys()]);
      diagnostics.push(unrunnable(tests, `/mocks/${name}`, `the pipeline has no resource "${name}"${near === undefined ? "" : `; did you mean "${near}"?`}`));
      continue;
    }
    const made = mockResource(mock, component);
    if ("problem" in made) diagnostics.push(unrunnable(tests, `/mocks/${name}`, made.problem));
    else resources[name] = made.value;
  }
  const used = usedWithout(plan, resources);
  const opened: OpenPipeline[] = [];
  for (const component of used) {
    const isNamed = byName.get(component.name)?.id === component.id;
    if (component.kind === "sqlite" && isNamed) {
      const memory = await memoryDatabase(tests.pipeline);
      opened.push(memory);
      resources[component.name] = memory.resource("db");
    } else if (leavesProcess(component)) {
      const { name, kind, place } = component;
      diagnostics.push(createDiagnostic("DITTO723", { ...place, arguments: { name, kind } }));
    }
  }
  const close = async (): Promise<void> => {
    for (const one of opened) await one.close();
  };
  if (diagnostics.length === 0) return { resources, close };
  await close();
  return { diagnostics };
}

/** Components that are not replaced, nor only used by what is replaced. */
function usedWithout({ components, resources }: Plan, replaced: Readonly<Record<string, unknown>>): readonly PlanComponent[] {
  const given = new Set(Object.keys(replaced).map((name) => resources[name]));
  const users = new Map<string, PlanComponent[]>();
  for (const component of components) for (const id of component.slots.values()) users.set(id, [...(users.get(id) ?? []), component]);
  const isUsed = ({ id }: PlanComponent): boolean => {
    if (given.has(id)) return false;
    const by = users.get(id) ?? [];
    return by.length === 0 || by.some(isUsed);
  };
  return components.filter(isUsed);
}

function leavesProcess({ role, kind }: PlanComponent): boolean {
  if (role === "connection") return true;
  return role === "worker" || (role === "context-store" && kind !== "memory") || (role === "embedding" && kind === "http-embedding");
}

const memoryText = 'version: 1\nname: memory\nresources:\n  db: { sqlite: { file: ":memory:" } }\n';

/** A database that is gone at the end; the pipeline's own file is never touched. */
async function memoryDatabase(path: string): Promise<OpenPipeline> {
  const options: CompileFileOptions = { text: memoryText, env: {} };
  const file = await compilePipelineFile(path, options);
  invariant(file.compiled !== undefined, "a database in memory compiles");
  return openPipeline(
    { ...file, compiled: file.compiled },
    { pool: new ResourcePool(), injected: {}, signal: new AbortController().signal, log: () => {}, serving: false },
  );
}
