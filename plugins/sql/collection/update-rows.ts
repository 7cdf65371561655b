import type { MemoryCallOptions, MemoryItem } from "@codesoul-co/ditto/plugin";
import { CollectionFault } from "../collection-fault.ts";
import { toItem } from "../row.ts";
import { toKeptRow } from "./collection-reader.ts";
import { type EmbeddingCollection, mostAttempts, type VectorsByText } from "./embedding-collection.ts";
import { lookUp } from "./look-up.ts";
import { assertUpdates, mergeUpdates, type RowUpdate, type UpdateRequest, updateNeedsVector } from "./plan-updates.ts";

/** An update with the vectors that were made for it. */
export interface PlannedUpdates extends UpdateRequest {
  readonly vectors: VectorsByText;
}

/**
 * MEMORY.UPDATE: all entries or none.
 *
 * Texts that change are embedded before the transaction. The transaction applies the entries to the rows as they are then;
 * where that makes a text that was not embedded, because somebody else changed a row meanwhile, nothing is written and
 * everything starts again: no update of somebody else is lost.
 *
 * @param write The transaction; undefined, and nothing written, where a text is not embedded.
 */
export async function updateRows(
  collection: EmbeddingCollection,
  request: UpdateRequest,
  { options, write }: { readonly options: MemoryCallOptions; readonly write: (updates: PlannedUpdates) => Promise<readonly RowUpdate[] | undefined> },
): Promise<readonly MemoryItem[]> {
  if (request.entries.length === 0) return [];
  assertUpdates(request.entries);
  const vectors = new Map<string, Float32Array | undefined>();
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const updates = await readUpdates(collection, request, options.signal);
    const fresh = updates.filter((update) => updateNeedsVector(update, vectors)).map(({ row }) => row);
    for (const [index, vector] of (await collection.embed(fresh, options)).entries()) vectors.set(fresh[index]?.text ?? "", vector);
    const written = await write({ ...request, vectors });
    if (written !== undefined) return written.map(({ row }) => toItem(collection.declaration, { ...row, record: row.recordId }));
  }
  throw new CollectionFault("conflict", "The memories keep being changed by somebody else");
}

async function readUpdates(collection: EmbeddingCollection, request: UpdateRequest, signal: AbortSignal | undefined): Promise<readonly RowUpdate[]> {
  const state = await collection.state(signal);
  const ids = request.entries.map(({ id }) => id);
  const statements = state === undefined ? [] : lookUp(collection, request.scope, { column: "id", values: ids });
  return mergeUpdates(collection.declaration, request.entries, (await collection.read(statements, signal)).flat().map(toKeptRow));
}
