import type { JsonSchema, RoleName } from "../contracts/json-schema.ts";
import { describeSchema } from "../expression/types/describe-schema.ts";
import { inlineReferences } from "../expression/types/inline-references.ts";
import type { Plan, PlanComponent, PlanGraph, PlanMemorySearch, PlanNode } from "../pipeline/model/plan.ts";
import type { Template } from "../pipeline/model/template.ts";
import { templateNames } from "../pipeline/model/template-names.ts";

/** What a part of a pipeline is. */
export type PartKind = RoleName | "target" | "memory" | "context" | "input" | "node" | "value" | "output" | "ingest";

/** A part of a pipeline. */
export interface Part {
  readonly id: string;
  readonly kind: PartKind;
  /** Its name, and below it what it is. */
  readonly label: string;
  readonly detail: string;
  /** The graph that it belongs to. */
  readonly graph?: string;
}

/** Something that one part gives another. */
export interface PartEdge {
  readonly from: string;
  readonly to: string;
  /** What flows. */
  readonly type: string;
  /** It only comes first; nothing flows. */
  readonly order?: true;
}

/** The parts of a pipeline, and what flows between them. */
export interface PartGraph {
  readonly name: string;
  readonly parts: readonly Part[];
  readonly edges: readonly PartEdge[];
}

/** What a component of a role gives those that hold it. */
const gives: Readonly<Record<RoleName, string>> = {
  connection: "connection",
  collection: "rows",
  search: "candidates",
  embedding: "vectors",
  reranker: "order",
  call: "answer",
  "memory-store": "memories",
  "context-store": "contexts",
  worker: "node results",
};

/**
 * Draws a plan as parts and what flows between them: resources to searches, to targets, to memory and context, to graphs.
 *
 * @param plan A plan without errors.
 */
export function partGraph(plan: Plan): PartGraph {
  const builder = new Builder(plan);
  builder.components();
  builder.targets();
  builder.sections();
  for (const graph of Object.values(plan.graphs)) builder.graph(graph);
  builder.ingests();
  return { name: plan.name, parts: builder.parts, edges: builder.edges };
}

class Builder {
  readonly parts: Part[] = [];
  readonly edges: PartEdge[] = [];
  readonly #plan: Plan;

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  components(): void {
    for (const component of this.#plan.components) {
      this.parts.push({ id: component.id, kind: component.role, label: nameOf(component), detail: component.kind });
      for (const [pointer, id] of component.slots) {
        const held = this.#plan.components.find((other) => other.id === id);
        if (held !== undefined) this.edges.push({ from: id, to: component.id, type: slotType(pointer, held) });
      }
    }
  }

  targets(): void {
    for (const [name, { default: standard, strategies }] of Object.entries(this.#plan.targets)) {
      const id = `targets.${name}`;
      this.parts.push({ id, kind: "target", label: name, detail: "target" });
      for (const [strategy, component] of Object.entries(strategies)) {
        this.edges.push({ from: component, to: id, type: strategy === standard ? "candidates by default" : "candidates" });
      }
    }
  }

  sections(): void {
    const { memory, context } = this.#plan;
    if (memory !== undefined) {
      this.parts.push({ id: "memory", kind: "memory", label: "memory", detail: "MEMORY worker" });
      this.edges.push({ from: memory.store, to: "memory", type: "memories" });
      if (memory.search !== undefined) this.edges.push({ from: searchId(memory.search), to: "memory", type: "candidates" });
    }
    if (context === undefined) return;
    this.parts.push({ id: "context", kind: "context", label: "context", detail: "CONTEXT worker" });
    if (context.store !== undefined) this.edges.push({ from: context.store, to: "context", type: "contexts" });
    if (context.rag !== undefined) this.edges.push({ from: searchId(context.rag.search), to: "context", type: "candidates" });
  }

  graph(graph: PlanGraph): void {
    const { name } = graph;
    const id = (node: string): string => `graphs.${name}.${node}`;
    const within = { graph: name };
    this.parts.push({ id: id("$input"), kind: "input", label: `input of ${name}`, detail: typeText(graph.input), ...within });
    for (const node of graph.nodes) {
      this.parts.push({ id: id(node.id), kind: node.node === undefined ? "value" : "node", label: node.id, detail: node.node ?? "value", ...within });
      if (readsInput(node)) this.edges.push({ from: id("$input"), to: id(node.id), type: typeText(graph.input) });
      for (const dependency of node.dependencies) {
        const before = graph.nodes.find((other) => other.id === dependency);
        if (before !== undefined)
          this.edges.push(
            node.reads.includes(dependency)
              ? { from: id(dependency), to: id(node.id), type: typeText(before.result) }
              : { from: id(dependency), to: id(node.id), type: "after", order: true },
          );
      }
      for (const server of this.#servers(node)) this.edges.push({ from: server, to: id(node.id), type: `${node.node} result` });
    }
    this.parts.push({ id: id("$output"), kind: "output", label: `output of ${name}`, detail: typeText(graph.result), ...within });
    const read = templateNames(graph.output.template);
    for (const node of graph.nodes) if (read.has(node.id)) this.edges.push({ from: id(node.id), to: id("$output"), type: typeText(node.result) });
    if (read.has("input")) this.edges.push({ from: id("$input"), to: id("$output"), type: typeText(graph.input) });
  }

  ingests(): void {
    for (const { name, into } of Object.values(this.#plan.ingests)) {
      this.parts.push({ id: `ingest.${name}`, kind: "ingest", label: name, detail: "ingest" });
      for (const { id } of into) this.edges.push({ from: `ingest.${name}`, to: id, type: "records" });
    }
  }

  /** The parts of this file that serve a node. */
  #servers({ node, worker, template }: PlanNode): readonly string[] {
    if (node === undefined) return [];
    if (worker !== undefined) return [this.#plan.resources[worker] ?? ""].filter((id) => id !== "");
    if (node.startsWith("MEMORY.")) return this.#plan.memory === undefined ? [] : ["memory"];
    if (node.startsWith("CONTEXT.")) return this.#plan.context === undefined ? [] : ["context"];
    if (node !== "RETRIEVAL.SEARCH") return [];
    const asked = constantAt(template.template, ["target", "name"]);
    const names = Object.keys(this.#plan.targets).filter((name) => asked === undefined || name === asked);
    return names.map((name) => `targets.${name}`);
  }
}

/** An inline component has its slot's name; where that says little, what is above it: a branch's name. */
function nameOf({ id, name }: PlanComponent): string {
  const above = id.split("/").filter((step) => step !== "search" && step !== "branches");
  if (name === "search" && above.length > 1) return above.at(-1) ?? name;
  return /^\d+$/u.test(name) ? `step ${Number(name) + 1}` : name;
}

function slotType(pointer: string, held: PlanComponent): string {
  const steps = pointer.split("/").filter((step) => step !== "" && step !== "branches" && step !== "search" && !/^\d+$/u.test(step));
  const given = gives[held.role];
  const slot = steps.at(-1);
  return slot === undefined || slot === held.role || ["database", "collection"].includes(slot) ? given : `${given}, ${slot}`;
}

function searchId(search: PlanMemorySearch): string {
  if (search.kind === "component") return search.id;
  return search.strategy === undefined ? `targets.${search.target}` : `targets.${search.target}.strategies.${search.strategy}`;
}

/** A type in few words; of an object the names of its members. */
function typeText(schema: JsonSchema): string {
  const inlined = inlineReferences(schema);
  // Of a worker's answer what is in the envelope.
  const output = inlined.properties?.["executionId"] === undefined ? undefined : inlined.properties["output"];
  if (output !== undefined) return `output: ${typeText(output)}`;
  const names = Object.keys(inlined.properties ?? {});
  if (names.length === 0) return describeSchema(inlined);
  return `{ ${names.slice(0, 4).join(", ")}${names.length > 4 ? ", ..." : ""} }`;
}

function readsInput({ template, when }: PlanNode): boolean {
  return [template, when].some((part) => part !== undefined && templateNames(part.template).has("input"));
}

function constantAt(template: Template, [key, ...rest]: readonly string[]): string | undefined {
  if (key === undefined) return template.kind === "constant" && typeof template.value === "string" ? template.value : undefined;
  const entry = template.kind === "map" ? template.entries.find((found) => found.key.text === key) : undefined;
  return entry === undefined ? undefined : constantAt(entry.value, rest);
}
