import type { ComponentFacts } from "../../contracts/component-facts.ts";
import type { JsonValue } from "../../contracts/json.ts";
import type { JsonSchema, PlaceAnnotation, RoleName } from "../../contracts/json-schema.ts";
import type { SourceFile } from "../../document/document.ts";
import type { RegisteredKind } from "../../plugin/kind-registry.ts";
import type { Place } from "./place.ts";
import type { ExpressionPart, Template } from "./template.ts";

/** Everything that a pipeline file says, resolved and checked: data, not yet running. */
export interface Plan {
  readonly name: string;
  readonly description: string | undefined;
  readonly file: SourceFile;
  /** Absolute folder of the main file. */
  readonly folder: string;
  readonly profile: string | undefined;
  readonly vars: Readonly<Record<string, JsonValue>>;
  /** Each after everything in its slots. */
  readonly components: readonly PlanComponent[];
  /** Component ids by resource name. */
  readonly resources: Readonly<Record<string, string>>;
  readonly targets: Readonly<Record<string, PlanTarget>>;
  readonly memory: PlanMemory | undefined;
  readonly context: PlanContext | undefined;
  readonly graphs: Readonly<Record<string, PlanGraph>>;
  readonly ingests: Readonly<Record<string, PlanIngest>>;
  /** Expressions whose result only a value can prove to fit, with what it must meet. */
  readonly atRunTime: ReadonlyMap<ExpressionPart, JsonSchema>;
}

/** A component: what stands in a slot, resolved. */
export interface PlanComponent {
  readonly id: string;
  /** The resource's or strategy's name, or the slot's for an inline one. */
  readonly name: string;
  readonly role: RoleName;
  readonly kind: string;
  /** Its kind's definition; absent where the kind is unknown, which was reported. */
  readonly registered: RegisteredKind | undefined;
  /** Where its kind is written. */
  readonly place: Place;
  /** The file that owns it, and the folder its relative paths start at. */
  readonly folder: string;
  /** The configuration with defaults; slots, places and secrets are holes (`null`) that `slots`, `templates` and `outside` fill. */
  readonly configuration: JsonValue;
  /** Component ids by JSON pointer into the configuration. */
  readonly slots: ReadonlyMap<string, string>;
  readonly templates: ReadonlyMap<string, PlanTemplate>;
  /** Values from outside by JSON pointer: the text that stands in the file, and the value, which nobody prints. */
  readonly outside: ReadonlyMap<string, OutsideValue>;
  /** A search: its own target and strategy. */
  readonly target: { readonly name: string; readonly strategy: string } | undefined;
  readonly facts: ComponentFacts;
}

/** A value that was read from the environment or a file: a secret. */
export interface OutsideValue {
  /** As it stands in the file. */
  readonly shown: string;
  /** Gives the value; a function, so that nothing that prints data prints it. */
  readonly reveal: () => JsonValue;
}

/** A template with what surrounds it. */
export interface PlanTemplate {
  readonly template: Template;
  readonly annotation: PlaceAnnotation;
  /** What the result must meet. */
  readonly schema: JsonSchema;
  /** How a diagnostic names the place. */
  readonly label: string;
}

/** A target: its strategies by name, each a component's id. */
export interface PlanTarget {
  readonly default: string;
  readonly strategies: Readonly<Record<string, string>>;
}

/** The MEMORY worker. */
export interface PlanMemory {
  /** A component's id: a collection's or a memory store's. */
  readonly store: string;
  readonly search: PlanMemorySearch | undefined;
  readonly map: { readonly kind: "hydrate" } | { readonly kind: "item" } | { readonly kind: "expression"; readonly template: PlanTemplate };
  readonly concurrency: number | undefined;
  readonly place: Place;
}

/** What serves MEMORY.SEARCH. */
export type PlanMemorySearch =
  | { readonly kind: "target"; readonly target: string; readonly strategy: string | undefined }
  /** `hasStrategies`: a request's strategy is for the component to judge; otherwise it is refused. */
  | { readonly kind: "component"; readonly id: string; readonly hasStrategies: boolean };

/** The CONTEXT worker. */
export interface PlanContext {
  readonly rag:
    | {
        readonly search: PlanMemorySearch;
        readonly namespace: PlanTemplate | undefined;
        readonly filter: PlanTemplate | undefined;
        /** An explicit corpus that neither reads is refused. */
        readonly readsCorpus: boolean;
      }
    | undefined;
  /** A component's id. */
  readonly store: string | undefined;
}

/** A graph. */
export interface PlanGraph {
  readonly name: string;
  readonly input: JsonSchema;
  /** Each after everything it waits for. */
  readonly nodes: readonly PlanNode[];
  readonly output: PlanTemplate;
  /** What is known of the output. */
  readonly result: JsonSchema;
  readonly repeat: { readonly until: PlanTemplate; readonly max: number | undefined } | undefined;
  readonly place: Place;
}

/** A node of a graph: it invokes a worker's node, or gives a value. */
export interface PlanNode {
  readonly id: string;
  readonly node: string | undefined;
  /** The node's input, or the value. */
  readonly template: PlanTemplate;
  readonly when: PlanTemplate | undefined;
  /** Ids of the nodes that it waits for: those it reads, and `after`. */
  readonly dependencies: readonly string[];
  /** Ids of those of them that it reads. */
  readonly reads: readonly string[];
  /** What is known of what its readers see. */
  readonly result: JsonSchema;
  readonly allowFailure: boolean;
  readonly timeoutMs: number | undefined;
  /** Name of the worker resource that must serve it. */
  readonly worker: string | undefined;
  readonly place: Place;
}

/** An ingest. */
export interface PlanIngest {
  readonly name: string;
  /** Resource names and component ids. */
  readonly into: readonly { readonly name: string; readonly id: string }[];
  readonly input: JsonSchema | undefined;
  readonly id: PlanTemplate;
  readonly content: PlanTemplate;
  readonly metadata: PlanTemplate | undefined;
  readonly chunk: { readonly size: number; readonly overlap: number; readonly unit: "characters" | "tokens" } | undefined;
  /** Absolute path. */
  readonly records: string | undefined;
  readonly fill: boolean;
}
