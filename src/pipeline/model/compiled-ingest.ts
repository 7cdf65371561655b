import type { Collection } from "../../contracts/collection.ts";
import type { JsonObject, JsonValue } from "../../contracts/json.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";

/** An `ingest` entry of a pipeline, ready to take records. */
export interface CompiledIngest {
  readonly name: string;
  /** The collections to write to, with their resource names. */
  readonly into: readonly { readonly name: string; readonly collection: Collection }[];
  /** The schema that each record must meet. */
  readonly input?: JsonSchema | undefined;
  /** Makes what judges records by `input`: it gives what is wrong with one, a sentence each; nothing when it fits. */
  readonly validator: () => Promise<(record: unknown) => readonly string[]>;
  /** Maps a record. Throws an ExpressionError where an expression fails on it. */
  readonly map: (record: JsonValue) => IngestedRecord;
  readonly chunk?: ChunkOptions | undefined;
  /** Absolute path of the default records file. */
  readonly records?: string | undefined;
  /** Fill while the collection is empty. */
  readonly fill: boolean;
}

/** A record as the pipeline maps it. */
export interface IngestedRecord {
  readonly id: string;
  readonly content: JsonValue;
  readonly metadata?: JsonObject | undefined;
}

/** How texts are cut into chunks. */
export interface ChunkOptions {
  /** Largest chunk, in `unit`s. */
  readonly size: number;
  /** What a chunk repeats of the one before, in `unit`s; less than `size`. */
  readonly overlap: number;
  readonly unit: "characters" | "tokens";
}
