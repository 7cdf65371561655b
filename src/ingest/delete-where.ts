import type { Collection, CollectionCallOptions } from "../contracts/collection.ts";
import { IngestError } from "./ingest-error.ts";

/**
 * Removes the rows that meet a filter.
 *
 * @param collection The collection.
 * @param filter In the filter grammar, never empty; in a collection with a scope it names the scope: `{ tenant: "acme", ... }`.
 * @param options `signal`.
 * @returns How many rows were removed.
 * @throws IngestError `INGEST_FILTER_NEEDED` for an empty filter, `INGEST_NAMESPACE_NEEDED` without the scope; and what the collection refuses.
 */
export async function deleteWhere(
  collection: Collection,
  filter: Readonly<Record<string, unknown>>,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<number> {
  const { name, namespace: field } = collection.facts;
  if (Object.keys(filter).length === 0) {
    throw new IngestError("INGEST_FILTER_NEEDED", `Nothing is removed from "${name}" with an empty filter; name at least one field`);
  }
  if (field === undefined) return collection.records.removeWhere(filter, options);
  const { [field]: namespace, ...rest } = filter;
  if (typeof namespace !== "string" || namespace === "") {
    throw new IngestError("INGEST_NAMESPACE_NEEDED", `The filter must name the scope of "${name}": { "${field}": "..." }`);
  }
  const call = { ...options, namespace };
  return Object.keys(rest).length === 0 ? removeScope(collection, call) : collection.records.removeWhere(rest, call);
}

/** The scope alone is a filter too: everything that belongs to it. */
async function removeScope({ records }: Collection, call: CollectionCallOptions & { readonly namespace: string }): Promise<number> {
  const ids = new Set<string>();
  for await (const rows of records.scan(call)) for (const row of rows) ids.add(row.recordId);
  let removed = 0;
  const all = [...ids];
  for (let start = 0; start < all.length; start += batchSize) removed += await records.remove(all.slice(start, start + batchSize), call);
  return removed;
}

/** Records that one call removes. */
const batchSize = 500;
