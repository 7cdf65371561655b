import { toKeptRow } from "../sql/collection/collection-reader.ts";
import { distinctTexts, lookUp } from "../sql/collection/look-up.ts";
import type { CollectionCore } from "./collection-core.ts";
import { statement } from "./collection-tables.ts";
import { fromBytes } from "../sql/vectors/cosine.ts";

/** The vectors of those of these rows that have one, by id. */
export async function readVectors(
  core: CollectionCore,
  request: { readonly ids: readonly string[]; readonly scope: string },
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const ids = distinctTexts(request.ids, "ids");
  if (ids.length === 0 || (await core.state(signal)) === undefined) return new Map();
  const rows = (await core.read(lookUp(core, request.scope, { column: "id", values: ids }), signal)).flat().map(toKeptRow);
  const numbers = JSON.stringify(rows.map(({ row }) => row));
  const text = `SELECT row, vector FROM ${core.tables.names.vectors} WHERE vector IS NOT NULL AND row IN (SELECT value FROM json_each(?))`;
  const found = (await core.database.read([statement(text, numbers)], { signal }))?.[0] ?? [];
  const vectors = new Map(found.map(({ row, vector }) => [Number(row), vector]));
  return new Map(
    rows.flatMap(({ row, id }) => {
      const vector = vectors.get(row);
      return vector instanceof Uint8Array ? [[id, Array.from(fromBytes(vector))] as const] : [];
    }),
  );
}
