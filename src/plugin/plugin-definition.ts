import type { Collection, Embedding } from "../contracts/collection.ts";
import type { ComponentFacts } from "../contracts/component-facts.ts";
import type { ContextStateStore } from "../contracts/context-services.ts";
import type { JsonValue } from "../contracts/json.ts";
import type { JsonSchema, RoleName } from "../contracts/json-schema.ts";
import type { MemoryStore } from "../contracts/memory.ts";
import type { RerankProvider, RetrievalExecutionContext, RetrievalSearchProvider } from "../contracts/retrieval.ts";
import type { RuntimeConfig } from "../contracts/runtime-config.ts";
import type { TraceSpan } from "../contracts/trace.ts";

/** The version of this contract. A plugin that names another one is refused at the door. */
export const pluginApiVersion = 1;

/** A plugin: a module's default export, made by `definePlugin`. */
export interface PluginDefinition {
  /** `[a-z][a-z0-9-]*`; its kinds are named `name` or `name.something`. */
  readonly name: string;
  /** The version of the plugin contract that it was written for: 1. */
  readonly apiVersion: number;
  readonly kinds: readonly AnyKindDefinition[];
  /** Contracts of nodes that its workers serve, so that graphs are typed through them. */
  readonly nodes?: Readonly<Record<string, NodeSchemas>> | undefined;
  /** Pure functions for expressions. */
  readonly functions?: Readonly<Record<string, FunctionDefinition>> | undefined;
}

/** JSON Schemas of a node's input and of what it returns on success. */
export interface NodeSchemas {
  readonly description?: string | undefined;
  readonly input: JsonSchema;
  readonly output: JsonSchema;
}

/** A pure function that expressions may call. */
export interface FunctionDefinition {
  readonly description: string;
  readonly parameters: readonly { readonly name: string; readonly schema: JsonSchema; readonly optional?: boolean | undefined }[];
  readonly result: JsonSchema;
  /** Takes and gives plain JSON values; throws only for values that it refuses. */
  readonly call: (...values: readonly JsonValue[]) => JsonValue;
}

/** The live things that stand in slots, by role. */
export interface RoleTypes {
  /** What a plugin's own connection kind opened; its collections and searches know its shape. */
  readonly connection: unknown;
  readonly collection: Collection;
  readonly search: RetrievalSearchProvider;
  readonly embedding: Embedding;
  readonly reranker: RerankProvider;
  readonly call: Call;
  readonly "memory-store": MemoryStore;
  readonly "context-store": ContextStateStore;
  /** A worker definition or a remote worker's address. */
  readonly worker: unknown;
}

/** A question to the outside whose answer an expression reads. */
export type Call = (names: Readonly<Record<string, unknown>>, context?: RetrievalExecutionContext) => Promise<JsonValue>;

/** An expression, or a template of JSON with expressions in it, ready to be evaluated. */
export type Evaluate<T = JsonValue> = (names: Readonly<Record<string, unknown>>) => T;

/**
 * A kind: what a single-key mapping in a pipeline can be.
 *
 * @typeParam R Its role.
 * @typeParam C Its configuration as `open` or `create` gets it: slots replaced by live things, places by {@link Evaluate} functions,
 *   defaults filled in, values from outside converted.
 */
export interface KindDefinition<R extends RoleName = RoleName, C = never> {
  /** `name` or `name.something`, after the plugin. */
  readonly kind: string;
  readonly role: R;
  /** One sentence for reference pages and completion. */
  readonly summary: string;
  /** The schema of the configuration: an object, or for `pipe` an array. */
  readonly schema: JsonSchema;
  /** A snippet for editors: the smallest useful configuration. */
  readonly example: JsonValue;
  /** What is known without opening; called after all slots are known. */
  readonly describe?: ((configuration: JsonValue, scope: DescribeScope) => ComponentFacts) | undefined;
  /** For what lives (a connection, a model): opened once, shared by digest, closed at the end. */
  readonly open?: ((configuration: C, scope: OpenScope) => Promise<Opened<RoleTypes[R]>>) | undefined;
  /**
   * Makes an application's own object, given in place of a resource of this kind, into what stands in slots, such as a driver's pool.
   * Without it the object must be that already. It is never closed.
   */
  readonly adopt?: ((value: unknown, configuration: C, scope: OpenScope) => Promise<RoleTypes[R]> | RoleTypes[R]) | undefined;
  /** For what is pure: composed from its slots, nothing to close. Exactly one of `open` and `create` is given. */
  readonly create?: ((configuration: C, scope: OpenScope) => RoleTypes[R]) | undefined;
}

/** A kind of any role and configuration. */
// biome-ignore lint/suspicious/noExplicitAny: a list of kinds holds configurations of every type.
export type AnyKindDefinition = { [R in RoleName]: KindDefinition<R, any> }[RoleName];

/** What `describe` may ask. */
export interface DescribeScope {
  /** The component's own name: the resource's, or the strategy's. */
  readonly name: string;
  /** Facts of the component in the slot at this JSON pointer of the configuration; undefined where none stands. */
  slot(pointer: string): ComponentFacts | undefined;
}

/** A live thing and how it ends. */
export interface Opened<T> {
  readonly value: T;
  /** Called once, after the last use. */
  readonly close?: (() => Promise<void> | void) | undefined;
  /** Tells whether it can serve; rejects with a coded error where it cannot. Used before a reload switches over. */
  readonly check?: ((signal: AbortSignal) => Promise<void>) | undefined;
  /** What `ditto setup` prints or runs for it. */
  readonly setup?: SetupPort | undefined;
}

/** What a collection needs on a server before it can be used. */
export interface SetupPort {
  /** The statements, each as text for a person; empty when nothing is missing. */
  plan(signal: AbortSignal): Promise<readonly string[]>;
  /** Runs them. */
  apply(signal: AbortSignal): Promise<void>;
}

/** What surrounds a component that is opened or created. */
export interface OpenScope {
  /** Unique in the pipeline, such as `resources.kb` or `targets.kb.strategies.hybrid`. */
  readonly id: string;
  /** The resource's or strategy's name. */
  readonly name: string;
  /** The pipeline's name. */
  readonly pipeline: string;
  /** Absolute folder that relative paths of this component start at. */
  readonly folder: string;
  /** Aborted when opening is given up. */
  readonly signal: AbortSignal;
  readonly config: RuntimeConfig;
  /** The process answers others meanwhile: what keeps the main thread busy belongs into threads. */
  readonly serving?: boolean | undefined;
  /** Refuses what the operator did not allow. */
  readonly sandbox: { assert(kind: "network", name: string): void; allows(kind: "network", name: string): boolean };
  /** A search: its own target and strategy. */
  readonly target?: { readonly name: string; readonly strategy: string } | undefined;
  /** A collection of this pipeline by its resource name, once all are open: rerankers find stored vectors through it. */
  readonly collection: (name: string) => Collection | undefined;
  /** Compiles a JSON Schema to a judge of values, once, while opening: it gives one sentence for each fault, without values. */
  readonly judge: (schema: JsonSchema) => Promise<(value: unknown) => readonly string[]>;
  /** Puts what the file says in the place of values from outside, such as `${env:NAME}`: for messages that name what they are about. */
  readonly mask: (text: string) => string;
  /** Tells something to the log; no secrets. */
  readonly log: (level: "info" | "warn", message: string) => void;
  readonly trace?: TraceSpan | undefined;
}
