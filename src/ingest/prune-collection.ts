import type { Collection } from "../contracts/collection.ts";
import { isFromIngest } from "./record-hash.ts";

/** Options of {@link pruneCollection}. */
export interface PruneCollectionOptions {
  /** The ingest whose records are looked at; records that others wrote, or that were changed since, stay. */
  readonly ingest: string;
  /** Whether the source still has a record. */
  readonly keeps: (recordId: string, namespace: string | undefined) => boolean;
  readonly batchSize?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Removes the records that an ingest wrote and its source no longer has, in all scopes.
 *
 * @param collection The collection.
 * @param options What stays.
 * @returns How many records were removed.
 */
export async function pruneCollection(collection: Collection, options: PruneCollectionOptions): Promise<number> {
  const { ingest, keeps, batchSize = 500, signal } = options;
  const gone = new Map<string | undefined, Set<string>>();
  for await (const rows of collection.records.scan({ signal, batchSize })) {
    for (const { recordId, namespace, hash } of rows) {
      if (!isFromIngest(hash, ingest) || keeps(recordId, namespace)) continue;
      const ids = gone.get(namespace) ?? new Set();
      gone.set(namespace, ids.add(recordId));
    }
  }
  let removed = 0;
  for (const [namespace, ids] of gone) {
    const all = [...ids];
    for (let start = 0; start < all.length && signal?.aborted !== true; start += batchSize) {
      const batch = all.slice(start, start + batchSize);
      await collection.records.remove(batch, { signal, namespace });
      removed += batch.length;
    }
  }
  return removed;
}
