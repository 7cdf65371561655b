import type { JsonValue } from "../../contracts/json.ts";
import type { Evaluate } from "../../plugin/plugin-definition.ts";
import type { DynamicGraph } from "../../runtime/graph/dynamic-graph.ts";
import type { Plan, PlanComponent } from "./plan.ts";

/** A plan as closures: nothing of YAML, schemas or expression texts is left to be read at run time. */
export interface CompiledPipeline {
  readonly plan: Plan;
  /** Each after everything in its slots. */
  readonly components: readonly CompiledComponent[];
  readonly graphs: Readonly<Record<string, CompiledGraph>>;
  /** What maps a candidate to a MEMORY.SEARCH result, where it is written out. */
  readonly memoryMap: Evaluate | undefined;
  readonly rag: { readonly namespace: Evaluate | undefined; readonly filter: Evaluate | undefined };
  readonly ingests: Readonly<Record<string, CompiledMapping>>;
}

/** A component with its expressions compiled. */
export interface CompiledComponent {
  readonly component: PlanComponent;
  readonly evaluators: ReadonlyMap<string, Evaluate>;
}

/** A graph of the Runtime whose last node, `output`, gives the graph's output. */
export interface CompiledGraph {
  readonly name: string;
  readonly graph: DynamicGraph;
  /** The id of the node that gives the output; no id of the file's. */
  readonly outputId: string;
  readonly repeat: { readonly until: Evaluate; readonly max: number | undefined } | undefined;
}

/** How a record becomes what a collection keeps. */
export interface CompiledMapping {
  readonly id: Evaluate;
  readonly content: Evaluate;
  readonly metadata: Evaluate<JsonValue | undefined> | undefined;
}

/** One step of a graph, as the worker that runs steps gets it. */
export interface GraphStep {
  readonly graph: string;
  readonly id: string;
  /** Names in view: the input, and what the nodes it reads gave; a node that is absent is left out. */
  readonly names: Readonly<Record<string, unknown>>;
  readonly when: Evaluate | undefined;
  readonly evaluate: Evaluate;
  /** What is invoked with the result; absent for a value. */
  readonly node: string | undefined;
  readonly worker: string | undefined;
  readonly timeoutMs: number | undefined;
  readonly allowFailure: boolean;
}

/** What a step gave. */
export type StepResult = { readonly present: true; readonly value: unknown } | { readonly present: false; readonly reason: string };
