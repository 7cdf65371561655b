import { isRecord } from "../../base/is-record.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";
import type { FieldDefinition } from "../../contracts/collection.ts";
import { inlineReferences } from "../../expression/types/inline-references.ts";
import type { Plan, PlanGraph, PlanTarget } from "../../pipeline/model/plan.ts";
import { describedLimit } from "../schema-parts.ts";

/** A tool that an agent may call: a search of a target, or a graph. */
export interface PipelineTool {
  /** Letters, digits, `_` and `-`; at most 64 of them. */
  readonly name: string;
  readonly description: string;
  /** An object: MCP takes nothing else. */
  readonly inputSchema: JsonSchema & { readonly type: "object" };
  readonly does: { readonly kind: "search"; readonly target: string } | { readonly kind: "run"; readonly graph: string };
}

/**
 * The tools of a pipeline: one a target, one a graph.
 *
 * A search tool asks for what an agent can know: the text, conditions on declared fields, how many. A graph whose input is no object
 * is left out, for MCP has no way to hand it over.
 */
export function pipelineTools(plan: Plan): readonly PipelineTool[] {
  const searches = Object.entries(plan.targets).map(([name, target]): PipelineTool => searchTool(plan, { name, target }));
  const graphs = Object.values(plan.graphs).filter(({ input }) => input.type === "object");
  return [...searches, ...graphs.map((graph) => graphTool(plan, graph))];
}

function searchTool(plan: Plan, { name, target }: { readonly name: string; readonly target: PlanTarget }): PipelineTool {
  const collections = reachedCollections(plan, target);
  const scoped = collections.filter(({ namespace }) => namespace !== undefined);
  const fields = Object.assign({}, ...collections.map((collection) => collection.fields)) as Readonly<Record<string, FieldDefinition>>;
  const isOnly = Object.keys(plan.targets).length === 1;
  const strategies = Object.keys(target.strategies);
  return {
    name: toolName(isOnly ? ["search", plan.name] : ["search", plan.name, name]),
    description: [`Searches ${name} and gives the best matches in order.`, plan.description ?? ""].join(" ").trim(),
    inputSchema: {
      type: "object",
      additionalProperties: false,
      required: scoped.length > 0 && scoped.length === collections.length ? ["query", "namespace"] : ["query"],
      properties: {
        query: { type: "string", minLength: 1, pattern: "\\S", description: "What is asked, in any words." },
        ...(Object.keys(fields).length === 0 ? {} : { filter: filterSchema(fields) }),
        ...(scoped.length === 0 ? {} : { namespace: { type: "string", minLength: 1, description: `Whose records: the value of ${scoped[0]?.namespace}.` } }),
        ...(strategies.length < 2 ? {} : { strategy: { enum: strategies, description: `How to search; ${target.default} unless there is a reason.` } }),
        limit: describedLimit,
      },
    },
    does: { kind: "search", target: name },
  };
}

/** A condition on each declared field: its value, or operators. */
function filterSchema(fields: Readonly<Record<string, FieldDefinition>>): JsonSchema {
  return {
    type: "object",
    additionalProperties: false,
    description: "Conditions that must all hold: { field: value } or { field: { eq, ne, in, any, all, gt, gte, lt, lte, exists } }.",
    properties: Object.fromEntries(Object.entries(fields).map(([name, { type, format }]) => [name, { description: `A condition on a ${format ?? type}.` }])),
  };
}

function reachedCollections({ components, resources }: Plan, { strategies }: PlanTarget) {
  const names = new Set(Object.values(strategies).flatMap((id) => components.find((component) => component.id === id)?.facts.reaches ?? []));
  return [...names].flatMap((name) => components.find(({ id }) => name !== undefined && id === resources[name])?.facts.collection ?? []);
}

function graphTool(plan: Plan, graph: PlanGraph): PipelineTool {
  const isOnly = Object.keys(plan.graphs).length === 1;
  return {
    name: toolName(isOnly ? ["run", plan.name] : ["run", plan.name, graph.name]),
    description: [`Runs ${graph.name} and gives its output.`, plan.description ?? ""].join(" ").trim(),
    inputSchema: withoutAnnotations(inlineReferences(graph.input)) as PipelineTool["inputSchema"],
    does: { kind: "run", graph: graph.name },
  };
}

function toolName(parts: readonly string[]): string {
  return parts
    .join("_")
    .replace(/[^A-Za-z0-9_-]/gu, "-")
    .slice(0, 64);
}

/** A schema without this project's own keywords, which a client need not know. */
function withoutAnnotations(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAnnotations);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, member]) => (key.startsWith("x-ditto-") ? [] : [[key, withoutAnnotations(member)] as const])));
}
