import type { CollectionCallOptions, StoredPart } from "@codesoul-co/ditto/plugin";
import { CollectionFault } from "../collection-fault.ts";
import { toStoredPart } from "../row.ts";
import { scopeOfNamespace } from "../scope.ts";
import { type Sql, sql, valueList } from "../sql.ts";
import { type CollectionReader, readOne, toKeptRow } from "./collection-reader.ts";
import { distinctTexts } from "./look-up.ts";

/** Counts rows, of all scopes where none is named. */
export async function countRows(reader: CollectionReader, options: CollectionCallOptions): Promise<number> {
  const scope = optionalScope(reader, options);
  if ((await reader.state(options.signal)) === undefined) return 0;
  const rows = await readOne(reader, sql`SELECT count(*) AS count FROM ${reader.rows} WHERE ${scope}`, options.signal);
  return Number(rows[0]?.count ?? 0);
}

/** The kept hashes of records. A record has a hash where all its rows still do. */
export async function readHashes(reader: CollectionReader, ids: readonly string[], options: CollectionCallOptions): Promise<ReadonlyMap<string, string>> {
  const values = distinctTexts(ids, "ids");
  const scope = scopeOfNamespace(reader.declaration, options.namespace);
  if (values.length === 0 || (await reader.state(options.signal)) === undefined) return new Map();
  const found = sql`SELECT r.record, min(r.hash) AS hash FROM ${reader.rows} WHERE r.scope = ${scope} AND r.record IN (${valueList(values)})
    GROUP BY r.record HAVING count(*) = count(r.hash)`;
  const rows = await readOne(reader, found, options.signal);
  return new Map(rows.map(({ record, hash }) => [String(record), String(hash)]));
}

/** Rows in order of scope and id, each batch on the state of its own moment. */
export async function* scanRows(
  reader: CollectionReader,
  options: CollectionCallOptions & { readonly batchSize?: number | undefined },
): AsyncGenerator<readonly StoredPart[]> {
  const { batchSize = 500, signal } = options;
  if (!Number.isInteger(batchSize) || batchSize < 1) throw new CollectionFault("input", "batchSize must be a positive integer");
  const scope = optionalScope(reader, options);
  if ((await reader.state(signal)) === undefined) return;
  const crosses = crossesScopes(reader, options);
  let after: Sql = sql`1 = 1`;
  for (;;) {
    const batch = sql`SELECT ${reader.columns} FROM ${reader.source} WHERE ${scope} AND ${after} ORDER BY r.scope, r.id LIMIT ${batchSize}`;
    const rows = (await readOne(reader, batch, signal)).map(toKeptRow);
    if (rows.length > 0) yield rows.map((row) => toStoredPart(reader.declaration, row));
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchSize) return;
    // Within one scope the id says it all. Across scopes the first term is there for engines that know no range of pairs.
    after = crosses ? sql`r.scope >= ${last.scope} AND (r.scope, r.id) > (${last.scope}, ${last.id})` : sql`r.id > ${last.id}`;
  }
}

function optionalScope(reader: CollectionReader, options: CollectionCallOptions): Sql {
  return crossesScopes(reader, options) ? sql`1 = 1` : sql`r.scope = ${scopeOfNamespace(reader.declaration, options.namespace)}`;
}

/** Counting and reading everything cross scopes where none is named. */
function crossesScopes({ declaration }: CollectionReader, { namespace }: CollectionCallOptions): boolean {
  return namespace === undefined && declaration.facts.namespace !== undefined;
}
