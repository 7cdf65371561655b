import type { Collection } from "../contracts/collection.ts";

/** Whether collections have a document. */
export type Kept =
  | { readonly state: "kept" }
  /** As a record in chunks: their ids. */
  | { readonly state: "chunks"; readonly collection: string; readonly chunks: readonly string[] }
  | { readonly state: "other-scope" }
  | { readonly state: "absent" };

/** Chunks of a record that are named; the rest is only counted. */
const mostChunks = 100;

/**
 * Looks for a document in collections by its id: a row, a record in chunks, a row of another scope.
 *
 * @param id The document.
 * @param collections Where it may be.
 * @param options The request's scope, and who is told while rows are read.
 */
export async function findKept(
  id: string,
  collections: readonly Collection[],
  options: {
    readonly namespace: string | undefined;
    readonly signal?: AbortSignal | undefined;
    /** Told how far the rows of a collection are read. */
    readonly onScan?: ((progress: { readonly collection: string; readonly done: number; readonly total: number }) => void) | undefined;
  },
): Promise<Kept> {
  for (const collection of collections) {
    if (await isRow(id, collection, options)) return { state: "kept" };
  }
  for (const collection of collections) {
    const kept = await scan(id, collection, options);
    if (kept !== undefined) return kept;
  }
  return { state: "absent" };
}

type Scope = Parameters<typeof findKept>[2];

async function isRow(id: string, collection: Collection, { namespace, signal }: Scope): Promise<boolean> {
  const { facts } = collection;
  const filter = facts.namespace === undefined || namespace === undefined ? {} : { filter: { [facts.namespace]: namespace } };
  return (await collection.get({ ids: [id], ...filter }, { signal })).length > 0;
}

/** Reads all rows, since only those that are kept tell of other scopes and of chunks. */
async function scan(id: string, { facts, records }: Collection, { namespace, signal, onScan }: Scope): Promise<Kept | undefined> {
  const chunks: string[] = [];
  let elsewhere = false;
  let done = 0;
  const total = onScan === undefined ? 0 : await records.count({ signal });
  for await (const rows of records.scan({ signal, batchSize: 500 })) {
    for (const row of rows) {
      const isHere = facts.namespace === undefined || row.namespace === namespace;
      if (row.recordId === id && row.id !== id && isHere && chunks.length < mostChunks) chunks.push(row.id);
      elsewhere ||= !isHere && (row.id === id || row.recordId === id);
    }
    done += rows.length;
    onScan?.({ collection: facts.name, done, total });
  }
  if (chunks.length > 0) return { state: "chunks", collection: facts.name, chunks };
  return elsewhere ? { state: "other-scope" } : undefined;
}
