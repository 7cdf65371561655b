import type { CollectionFacts, EmbeddingFacts } from "./collection.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { SqlDialectName } from "./sql-port.ts";

/**
 * What is known about a component from its configuration alone, without opening anything.
 *
 * The type checker, the warnings and `ditto graph` read it. Every member may be absent: then nothing is known.
 */
export interface ComponentFacts {
  /** A search: the JSON Schema of its candidates. Absent: dynamic. */
  readonly candidate?: JsonSchema | undefined;
  /** A search: names of the collections that it can reach, `undefined` among them where it reaches something unknown. */
  readonly reaches?: readonly (string | undefined)[] | undefined;
  /** A search: models whose vector order its candidates are made of. */
  readonly vectorModels?: readonly string[] | undefined;
  /** A search whose scores mean nothing absolute (reciprocal rank fusion). */
  readonly scoresAreRanks?: boolean | undefined;
  /** A collection: what it declares. */
  readonly collection?: CollectionFacts | undefined;
  /** An embedding: its model. */
  readonly embedding?: EmbeddingFacts | undefined;
  /** A connection that is a `SqlPort`: its dialect. */
  readonly sql?: SqlDialectName | undefined;
  /** A worker: the nodes that it serves; those of its plugin where it is left out. */
  readonly nodes?: readonly string[] | undefined;
  /** Pointers to addresses that requests go to: the Sandbox must allow their origins. */
  readonly addresses?: readonly string[] | undefined;
  /** A call: the JSON Schema of its result. */
  readonly result?: JsonSchema | undefined;
  /** Schemas of names that this component's own places see, where they differ from the usual ones (`candidate`, `call`). */
  readonly names?: Readonly<Record<string, JsonSchema>> | undefined;
  /** What the results of this component's own places must meet, by pointer, where the kind's schema cannot know it. */
  readonly expects?: Readonly<Record<string, JsonSchema>> | undefined;
  /** Places that choose by name: what can be chosen, and whether any other result has a way to go. */
  readonly choices?: Readonly<Record<string, { readonly names: readonly string[]; readonly otherwise: boolean }>> | undefined;
  /** Things worth telling the author, each at a place in the configuration. */
  readonly warnings?: readonly FactWarning[] | undefined;
}

/** A finding of a kind about its own configuration. */
export interface FactWarning {
  /** JSON pointer into the configuration; empty for the whole. */
  readonly pointer: string;
  /** Where it is within the text at the pointer; the whole where it is left out. */
  readonly span?: { readonly start: number; readonly end: number } | undefined;
  readonly severity: "error" | "warning";
  /** Only where the expression at the pointer reads this member of this name, such as `score` of `candidate`. */
  readonly reads?: { readonly name: string; readonly member: string } | undefined;
  /** One sentence, without values that come from outside. */
  readonly message: string;
  /** The way out, one sentence. */
  readonly hint?: string | undefined;
  /** A name that was probably meant; put in place of `span`, it repairs the configuration. */
  readonly suggestion?: string | undefined;
}
