import type { Embedding, MemoryCallOptions } from "@codesoul-co/ditto/plugin";
import type { PreparedRow } from "../row.ts";
import type { CollectionReader } from "./collection-reader.ts";

/** A collection that reads, and embeds before it writes. */
export interface EmbeddingCollection extends CollectionReader {
  readonly embedding: Embedding | undefined;
  /** Embeds the rows that have a text; undefined for those that have none, and without an embedding. */
  embed(rows: readonly PreparedRow[], options: MemoryCallOptions): Promise<readonly (Float32Array | undefined)[]>;
}

/** Vectors by text; undefined for a text that has none. */
export type VectorsByText = ReadonlyMap<string, Float32Array | undefined>;

/** How often a change begins again. An attempt is in vain only when somebody else changed texts meanwhile. */
export const mostAttempts = 10;
