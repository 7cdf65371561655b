import type { Collection } from "../contracts/collection.ts";
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
  const namespace = filter[field];
  if (typeof namespace !== "string" || namespace === "") {
    throw new IngestError("INGEST_NAMESPACE_NEEDED", `The filter must name the scope of "${name}": { "${field}": "..." }`);
  }
  return collection.records.removeWhere(filter, { ...options, namespace });
}
