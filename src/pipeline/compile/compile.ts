import type { JsonValue } from "../../contracts/json.ts";
import type { SourceFile } from "../../document/document.ts";
import type { KindRegistry } from "../../plugin/kind-registry.ts";
import type { Evaluate } from "../../plugin/plugin-definition.ts";
import type { CompiledComponent, CompiledMapping, CompiledPipeline } from "../model/compiled.ts";
import type { Plan, PlanComponent, PlanIngest, PlanTemplate } from "../model/plan.ts";
import { compileGraph } from "./compile-graph.ts";
import { type CompileScope, compileTemplate } from "./compile-template.ts";

/** Compiles a plan without errors to closures. */
export function compile(
  plan: Plan,
  { vars, registry }: { readonly vars: ReadonlyMap<SourceFile, Readonly<Record<string, JsonValue>>>; readonly registry: KindRegistry },
): CompiledPipeline {
  const scope: CompileScope = { vars, functions: registry.functions, atRunTime: plan.atRunTime };
  const one = (template: PlanTemplate | undefined): Evaluate | undefined => template && (compileTemplate(template.template, scope) as Evaluate);
  const { map } = plan.memory ?? {};
  return {
    plan,
    components: plan.components.map((component) => compileComponent(component, scope)),
    graphs: Object.fromEntries(Object.values(plan.graphs).map((graph) => [graph.name, compileGraph(graph, scope)])),
    memoryMap: map?.kind === "expression" ? one(map.template) : undefined,
    rag: { namespace: one(plan.context?.rag?.namespace), filter: one(plan.context?.rag?.filter) },
    ingests: Object.fromEntries(Object.values(plan.ingests).map((ingest) => [ingest.name, compileIngest(ingest, scope)])),
  };
}

function compileComponent(component: PlanComponent, scope: CompileScope): CompiledComponent {
  const evaluators = [...component.templates].map(([pointer, { template }]) => [pointer, compileTemplate(template, scope) as Evaluate] as const);
  return { component, evaluators: new Map(evaluators) };
}

function compileIngest(ingest: PlanIngest, scope: CompileScope): CompiledMapping {
  return {
    id: compileTemplate(ingest.id.template, scope) as Evaluate,
    content: compileTemplate(ingest.content.template, scope) as Evaluate,
    metadata: ingest.metadata && compileTemplate(ingest.metadata.template, scope),
  };
}
