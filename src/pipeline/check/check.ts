import { nodeSchemas } from "../../../schema/nodes.ts";
import { nearestName } from "../../base/nearest-names.ts";
import type { ComponentFacts } from "../../contracts/component-facts.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";
import { createDiagnostic, type Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { KindRegistry } from "../../plugin/kind-registry.ts";
import { hasUnknownKind } from "../model/has-unknown-kind.ts";
import { member, stringValue } from "../model/node-access.ts";
import type { Plan, PlanComponent } from "../model/plan.ts";
import type { Resolved } from "../model/resolved.ts";
import type { ExpressionPart } from "../model/template.ts";
import { schemaOfValue } from "../model/schema-of-value.ts";
import { checkComponent } from "./check-component.ts";
import { checkGraph } from "./check-graph.ts";
import { checkIngest } from "./check-ingest.ts";
import { checkContext, checkMemory } from "./check-sections.ts";
import type { CheckScope } from "./check-scope.ts";

/** Judges every expression and every graph, and gives the plan that all else reads. */
export function check(resolved: Resolved, { registry, allowsOrigin }: { readonly registry: KindRegistry; readonly allowsOrigin: (origin: string) => boolean }): { readonly plan: Plan; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const used = new Set(resolved.used);
  const atRunTime = new Map<ExpressionPart, JsonSchema>();
  const scope = checkScope(resolved, { registry, allowsOrigin, diagnostics, used, atRunTime });
  const { assembled, graphs, ingests } = resolved.validated;

  const components: PlanComponent[] = [];
  const known = new Map<string, ComponentFacts>();
  for (const component of resolved.components) {
    const judged = checkComponent(component, { known, scope });
    components.push(judged);
    // What an unknown kind is like is not known either.
    if (judged.registered !== undefined) known.set(judged.id, judged.facts);
  }
  const planGraphs = graphs.flatMap((named) => checkGraph(named, scope) ?? []);
  const planIngests = ingests.flatMap((named) => checkIngest(named, { resolved, scope }) ?? []);
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
  reportUnused(resolved, { used, diagnostics });
  return { plan, diagnostics };
}

function checkScope(resolved: Resolved, parts: { readonly registry: KindRegistry; readonly allowsOrigin: (origin: string) => boolean; readonly diagnostics: Diagnostic[]; readonly used: Set<string>; readonly atRunTime: Map<ExpressionPart, JsonSchema> }): CheckScope {
  const { validated } = resolved;
  const vars = new Map([...resolved.vars].map(([file, values]) => [file, schemaOfValue(values)]));
  const workers = new Map([...validated.resources.values()].filter((shape) => shape.role === "worker").map((shape) => [shape.name, workerNodes(shape.configuration)]));
  const served = new Set(Object.keys(nodeSchemas).filter((node) => node.startsWith("CONTEXT.")));
  for (const node of parts.registry.nodes.keys()) served.add(node);
  if (validated.memory !== undefined) for (const node of Object.keys(nodeSchemas)) if (node.startsWith("MEMORY.")) served.add(node);
  if (validated.targets.size > 0) served.add("RETRIEVAL.SEARCH");
  for (const nodes of workers.values()) for (const node of nodes) served.add(node);
  return {
    registry: parts.registry,
    functions: parts.registry.functions,
    report: (diagnostic) => void parts.diagnostics.push(diagnostic),
    atRunTime: (part, expected) => void parts.atRunTime.set(part, expected),
    uses: () => undefined,
    varsSchema: (file): JsonSchema => vars.get(file) ?? { type: "object", properties: {}, additionalProperties: false },
    allowsOrigin: parts.allowsOrigin,
    serves: (node) => served.has(node),
    worker: (written, at) => {
      const name = stringValue(written);
      if (written === undefined || name === undefined) return undefined;
      const nodes = workers.get(name);
      const place = { file: at.file, span: written.span };
      if (nodes === undefined) {
        parts.diagnostics.push(createDiagnostic("DITTO301", { ...place, arguments: { role: "worker", name }, suggestion: nearestName(name, workers.keys()) }));
        return undefined;
      }
      parts.used.add(name);
      if (at.node !== undefined && !nodes.includes(at.node)) parts.diagnostics.push(createDiagnostic("DITTO507", { ...place, arguments: { worker: name, node: at.node } }));
      return name;
    },
  };
}

function workerNodes(configuration: unknown): readonly string[] {
  const nodes = (configuration as { readonly nodes?: unknown } | null)?.nodes;
  return Array.isArray(nodes) ? nodes.filter((node): node is string => typeof node === "string") : [];
}

function reportUnused(resolved: Resolved, { used, diagnostics }: { readonly used: ReadonlySet<string>; readonly diagnostics: Diagnostic[] }): void {
  // What a component of an unknown kind uses is not known either.
  if (hasUnknownKind(resolved)) return;
  for (const named of resolved.validated.assembled.resources) {
    // What another file declares may be there for its other readers.
    if (used.has(named.name) || named.file !== resolved.validated.assembled.main) continue;
    diagnostics.push(createDiagnostic("DITTO321", { file: named.file, span: named.key.span, arguments: { what: "the resource", name: named.name } }));
  }
}
