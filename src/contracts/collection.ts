import type { JsonObject } from "./json.ts";
import type { MemoryStore } from "./memory.ts";
import type { EmbeddingProvider, RetrievalSearchProvider } from "./retrieval.ts";

/** What is known about an embedding before it is asked. */
export interface EmbeddingFacts {
  /** Name and version of the model: vectors of different models never meet. */
  readonly model: string;
  /** Length of its vectors, where it is known beforehand. */
  readonly dimensions?: number | undefined;
  /** Longest text in tokens; longer ones are cut. */
  readonly maxTokens?: number | undefined;
}

/** An embedding as pipelines hold it. */
export interface Embedding extends EmbeddingProvider {
  readonly facts: EmbeddingFacts;
  /** Tokens of a text as the model counts them, for chunking and for telling what will be cut. */
  countTokens?(text: string): number;
  /** Allows more threads for much work, such as ingest. */
  growTo?(threads: number): void;
}

/** The type of one declared metadata field. */
export interface FieldDefinition {
  readonly type: "string" | "number" | "integer" | "boolean" | "array";
  /** `date-time` and `date` compare as instants. */
  readonly format?: "date-time" | "date" | undefined;
  readonly items?: { readonly type: "string" | "number" | "integer" | "boolean"; readonly format?: "date-time" | "date" | undefined } | undefined;
  readonly required?: boolean | undefined;
  readonly default?: string | number | boolean | readonly (string | number | boolean)[] | undefined;
}

/** What a collection declares. */
export interface CollectionFacts {
  /** The resource's name in the pipeline. */
  readonly name: string;
  readonly fields: Readonly<Record<string, FieldDefinition>>;
  /** The field that is the scope; absent for a collection without one. */
  readonly namespace?: string | undefined;
  readonly embedding?: EmbeddingFacts | undefined;
}

/** A record as ingest writes it: whole, or as chunks that belong to it. */
export interface CollectionRecord {
  readonly id: string;
  /** Covers content, metadata, chunking and model; an equal hash means that nothing is to be done. Empty for a record that no ingest wrote. */
  readonly hash: string;
  /** The record itself (its id), or its chunks (`id#0`, `id#1`, ...). */
  readonly parts: readonly CollectionPart[];
}

/** One row of a record. */
export interface CollectionPart {
  readonly id: string;
  /** The application's own name for it. Absent: a row that exists keeps the one it has. */
  readonly key?: string | undefined;
  readonly content: unknown;
  readonly metadata?: JsonObject | undefined;
}

/** What one batch did. */
export interface CollectionWriteReport {
  /** Rows written. */
  readonly written: number;
  /** Rows removed because their record no longer has them. */
  readonly removed: number;
  /** Texts longer than the encoder takes. */
  readonly cut: number;
}

/** Options of the bulk port. */
export interface CollectionCallOptions {
  readonly signal?: AbortSignal | undefined;
  /** The scope's value, for a collection with one. */
  readonly namespace?: string | undefined;
}

/**
 * The bulk port of a collection, for ingest and copy: records come with their own ids.
 *
 * In a collection with a scope, `namespace` is needed, except by `count` and `scan`, which cross scopes without it.
 */
export interface CollectionRecords {
  /** Rows in the collection; 0 for one that was never written. */
  count(options?: CollectionCallOptions): Promise<number>;
  /** The kept hashes of those of these records that exist. */
  hashes(ids: readonly string[], options?: CollectionCallOptions): Promise<ReadonlyMap<string, string>>;
  /** Writes records whole, in one transaction: text index and vectors with them, chunks that are no longer there gone. */
  replace(records: readonly CollectionRecord[], options?: CollectionCallOptions): Promise<CollectionWriteReport>;
  /** Removes records with all their chunks, by record id. */
  remove(ids: readonly string[], options?: CollectionCallOptions): Promise<number>;
  /** Removes the rows that meet a filter; an empty filter is refused. */
  removeWhere(filter: Readonly<Record<string, unknown>>, options?: CollectionCallOptions): Promise<number>;
  /** Every row in batches, ordered by id. */
  scan(options?: CollectionCallOptions & { readonly batchSize?: number | undefined }): AsyncIterable<readonly StoredPart[]>;
}

/** A row as it is kept. */
export interface StoredPart extends CollectionPart {
  /** The record that a chunk belongs to; the id itself for a whole record. */
  readonly recordId: string;
  readonly hash?: string | undefined;
  readonly namespace?: string | undefined;
}

/** Table, text index, vectors, scope and typed fields in one: a memory store, and the backend of `vector` and `text`. */
export interface Collection extends MemoryStore {
  readonly facts: CollectionFacts;
  /** Nearest neighbours: `query.content` is a vector of numbers. Absent without an embedding. */
  readonly vector?: RetrievalSearchProvider | undefined;
  /** Full text: `query.content` is a text. */
  readonly text: RetrievalSearchProvider;
  readonly embedding?: Embedding | undefined;
  /** The stored vectors of those of these rows that have one; for rerankers of the same model. */
  vectors?(ids: readonly string[], options?: CollectionCallOptions): Promise<ReadonlyMap<string, readonly number[]>>;
  readonly records: CollectionRecords;
}
