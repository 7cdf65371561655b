import { createHash } from "node:crypto";
import { canonicalJson } from "../base/canonical-json.ts";
import type { JsonObject, JsonValue } from "../contracts/json.ts";
import type { ChunkOptions } from "../pipeline/model/compiled-ingest.ts";

/** What makes a record the same as the one that was written. */
export interface HashedRecord {
  readonly content: JsonValue;
  readonly metadata?: JsonObject | undefined;
  readonly chunk?: ChunkOptions | undefined;
  /** The embedding's model; undefined without an embedding. */
  readonly model: string | undefined;
  /** The ingest that writes it, so that pruning one source leaves the others' records alone. */
  readonly ingest: string;
}

/** Changes when the way texts are cut does, so that the next run cuts them anew. */
const chunkingVersion = 1;

/**
 * Hashes a record: 128 bits over content, metadata and chunking, then 32 bits each for the model and the ingest.
 *
 * The two short parts stand apart, so that a copy into a collection of another model keeps the first one.
 *
 * @param record What counts.
 * @returns Hex digits in three parts, such as `0f…9a.11223344.55667788`.
 */
export function recordHash(record: HashedRecord): string {
  const { content, metadata, chunk, model, ingest } = record;
  const cutting = chunk === undefined ? null : { ...chunk, version: chunkingVersion };
  return `${digest(canonicalJson([content, metadata ?? {}, cutting]), 32)}.${modelPart(model)}.${ingestPart(ingest)}`;
}

/**
 * The hash of a record after a copy into a collection of another model.
 *
 * @param hash What {@link recordHash} gave; anything else, such as the empty text of a changed record, is returned as it is.
 * @param model The model of the other collection.
 */
export function withModel(hash: string, model: string | undefined): string {
  const [record, , ingest] = hash.split(".");
  return ingest === undefined ? hash : `${record}.${modelPart(model)}.${ingest}`;
}

/** Whether the record with this hash was written by this ingest and not changed since. */
export function isFromIngest(hash: string | undefined, ingest: string): boolean {
  return hash?.split(".")[2] === ingestPart(ingest);
}

function modelPart(model: string | undefined): string {
  return digest(model === undefined ? "no model" : `model ${model}`, 8);
}

function ingestPart(ingest: string): string {
  return digest(`ingest ${ingest}`, 8);
}

function digest(text: string, digits: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, digits);
}
