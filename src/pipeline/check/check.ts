import { nodeSchemas } from "../../../schema/nodes.ts";
import { nearestName } from "../../base/nearest-names.ts";
import type { ComponentFacts } from "../../contracts/component-facts.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";
import { createDiagnostic, type Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { DocumentNode, SourceFile } from "../../document/document.ts";
import type { KindRegistry } from "../../plugin/kind-registry.ts";
import type { Named } from "../model/assembled.ts";
import { hasUnknownKind } from "../model/has-unknown-kind.ts";
import { member, stringValue } from "../model/node-access.ts";
import type { Plan, PlanComponent } from "../model/plan.ts";
import type { Resolved } from "../model/resolved.ts";
import type { ExpressionPart } from "../model/template.ts";
import { schemaOfValue } from "../model/schema-of-value.ts";
import { checkComponent } from "./check-component.ts";
import { checkGraph } from "./check-graph.ts";
import { checkRemoteNodes, type FileWorkers, fileWorkers } from "./file-workers.ts";
import { checkIngest } from "./check-ingest.ts";
import { checkContext, checkMemory } from "./check-sections.ts";
import type { CheckScope } from "./check-scope.ts";

/** What checking gave. */
export interface CheckedPipeline {
  readonly plan: Plan;
  readonly diagnostics: readonly Diagnostic[];
  /** Resources of the main file that nothing uses; undefined where one cannot tell. */
  readonly unused: readonly Named[] | undefined;
}

/** Judges every expression and every graph, and gives the plan that all else reads. */
export function check(
  resolved: Resolved,
  { registry, allowsOrigin }: { readonly registry: KindRegistry; readonly allowsOrigin: (origin: string) => boolean },
): CheckedPipeline {
  const diagnostics: Diagnostic[] = [];
  const used = new Set(resolved.used);
  const atRunTime = new Map<ExpressionPart, JsonSchema>();
  const components: PlanComponent[] = [];
  let workers: FileWorkers | undefined;
  // Graphs are judged after all components, when it is known who serves what.
  const workersOf = (): FileWorkers => {
    workers ??= fileWorkers(resolved, components);
    return workers;
  };
  const scope = checkScope(resolved, { registry, allowsOrigin, diagnostics, used, atRunTime, workersOf });
  const { assembled, graphs, ingests } = resolved.validated;
  const known = new Map<string, ComponentFacts>();
  for (const component of resolved.components) {
    const judged = checkComponent(component, { known, scope });
    components.push(judged);
    // What an unknown kind is like is not known either.
    if (judged.registered !== undefined) known.set(judged.id, judged.facts);
  }
  const planGraphs = graphs.flatMap((named) => checkGraph(named, scope) ?? []);
  checkRemoteNodes(resolved, { components, graphs: planGraphs, workers: workersOf(), scope });
  const planIngests = ingests.flatMap((named) => checkIngest(named, { resolved, scope, known }) ?? []);
  for (const { into } of planIngests) for (const { name } of into) used.add(name);
  const plan: Plan = {
    name: stringValue(member(assembled.root, "name")) ?? "pipeline",
    description: stringValue(member(assembled.root, "description")),
    file: assembled.main,
    folder: assembled.folders.get(assembled.main) ?? "",
    profile: assembled.profile,
    vars: resolved.vars.get(assembled.main) ?? {},
    components,
    resources: resolved.resources,
    targets: resolved.targets,
    memory: checkMemory(resolved, { known, scope }),
    context: checkContext(resolved, scope),
    graphs: Object.fromEntries(planGraphs.map((graph) => [graph.name, graph])),
    ingests: Object.fromEntries(planIngests.map((ingest) => [ingest.name, ingest])),
    atRunTime,
  };
  return { plan, diagnostics, unused: unusedResources(resolved, used) };
}

interface ScopeParts {
  readonly registry: KindRegistry;
  readonly allowsOrigin: (origin: string) => boolean;
  readonly diagnostics: Diagnostic[];
  readonly used: Set<string>;
  readonly atRunTime: Map<ExpressionPart, JsonSchema>;
  readonly workersOf: () => FileWorkers;
}

function checkScope(resolved: Resolved, parts: ScopeParts): CheckScope {
  const vars = new Map([...resolved.vars].map(([file, values]) => [file, schemaOfValue(values)]));
  return {
    registry: parts.registry,
    functions: parts.registry.functions,
    report: (diagnostic) => {
      // A plugin that did not load may bring the function.
      if (diagnostic.code !== "DITTO405" || !resolved.validated.partial) parts.diagnostics.push(diagnostic);
    },
    atRunTime: (part, expected) => void parts.atRunTime.set(part, expected),
    uses: () => undefined,
    varsSchema: (file): JsonSchema => vars.get(file) ?? { type: "object", properties: {}, additionalProperties: false },
    allowsOrigin: parts.allowsOrigin,
    serves: (node) => {
      const { own, resources, remote, open } = parts.workersOf();
      for (const [name, nodes] of resources) if (nodes.includes(node) && !(own.has(node) && remote.has(name))) parts.used.add(name);
      return (
        own.has(node) ||
        [...resources.values()].some((nodes) => nodes.includes(node)) ||
        (open && parts.registry.nodes.has(node)) ||
        (resolved.validated.partial && !Object.hasOwn(nodeSchemas, node))
      );
    },
    worker: (written, at) => chosenWorker(written, { ...at, parts }),
  };
}

function chosenWorker(
  written: DocumentNode | undefined,
  at: { readonly node: string | undefined; readonly file: SourceFile; readonly parts: ScopeParts },
): string | undefined {
  const { diagnostics, used, workersOf } = at.parts;
  const name = stringValue(written);
  if (written === undefined || name === undefined) return undefined;
  const { resources, open } = workersOf();
  const nodes = resources.get(name);
  const place = { file: at.file, span: written.span };
  if (nodes === undefined) {
    const suggestion = nearestName(name, resources.keys());
    const hint = suggestion === undefined ? "declare it under `resources`, such as a `remote-worker`" : undefined;
    if (!open) diagnostics.push(createDiagnostic("DITTO301", { ...place, arguments: { role: "worker", name }, suggestion, hint }));
    return undefined;
  }
  used.add(name);
  if (at.node !== undefined && !nodes.includes(at.node))
    diagnostics.push(createDiagnostic("DITTO507", { ...place, arguments: { worker: name, node: at.node } }));
  return name;
}

/** Resources that nothing uses; undefined where one cannot tell, for a component of an unknown kind uses what nobody knows. */
function unusedResources(resolved: Resolved, used: ReadonlySet<string>): readonly Named[] | undefined {
  if (hasUnknownKind(resolved)) return undefined;
  // What another file declares may be there for its other readers.
  return resolved.validated.assembled.resources.filter(({ name, file }) => !used.has(name) && file === resolved.validated.assembled.main);
}
