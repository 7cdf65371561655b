import type { CollectionCallOptions, CollectionRecords, StoredPart } from "@codesoul-co/ditto/plugin";
import { CollectionFault } from "../sql/collection-fault.ts";
import { allOf, conditionSql, parseFilter } from "../sql/filter.ts";
import { toStoredPart } from "../sql/row.ts";
import { scopeOfNamespace } from "../sql/scope.ts";
import { type Sql, sql, trustedSql, valueList } from "../sql/sql.ts";
import type { CollectionCore } from "./collection-core.ts";
import { compose } from "./collection-tables.ts";
import { distinctTexts, lookUpNow } from "./kept-rows.ts";
import { replaceRecords } from "./replace-records.ts";
import { type KeptRow, RowWriter, toKeptRow } from "./row-writer.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import type { Writer } from "./sqlite-executor.ts";

/** Makes the bulk port of a collection. What goes wrong is still a `CollectionFault`. */
export function collectionRecords(core: CollectionCore): CollectionRecords {
  return {
    count: async (options = {}) => await count(core, options),
    hashes: async (ids, options = {}) => await hashes(core, ids, options),
    replace: async (records, options = {}) => await replaceRecords(core, records, options),
    remove: async (ids, options = {}) => {
      const values = distinctTexts(ids, "ids");
      const scope = scopeOfNamespace(core.declaration, options.namespace);
      return values.length === 0 ? 0 : await removeRows(core, (writer) => lookUpNow(writer, core.tables, scope, { column: "record", values }), options);
    },
    removeWhere: async (filter, options = {}) => await removeWhere(core, filter, options),
    scan: (options = {}) => scan(core, options),
  };
}

async function count(core: CollectionCore, options: CollectionCallOptions): Promise<number> {
  const scope = optionalScope(core, options);
  if ((await core.state(options.signal)) === undefined) return 0;
  const rows = await core.database.read([compose(sql`SELECT count(*) AS count FROM ${rowsOf(core)} WHERE ${scope}`)], options);
  return Number(rows?.[0]?.[0]?.count ?? 0);
}

/** A record has a hash where all its rows still do. */
async function hashes(core: CollectionCore, ids: readonly string[], options: CollectionCallOptions): Promise<ReadonlyMap<string, string>> {
  const values = distinctTexts(ids, "ids");
  const scope = scopeOfNamespace(core.declaration, options.namespace);
  if (values.length === 0 || (await core.state(options.signal)) === undefined) return new Map();
  const found = sql`SELECT r.record, min(r.hash) AS hash FROM ${rowsOf(core)} WHERE r.scope = ${scope} AND r.record IN (${valueList(values)})
    GROUP BY r.record HAVING count(*) = count(r.hash)`;
  const rows = (await core.database.read([compose(found)], options))?.[0] ?? [];
  return new Map(rows.map(({ record, hash }) => [String(record), String(hash)]));
}

async function removeWhere(core: CollectionCore, filter: Readonly<Record<string, unknown>>, options: CollectionCallOptions): Promise<number> {
  const scope = scopeOfNamespace(core.declaration, options.namespace);
  const conditions = parseFilter(filter, core.declaration.filterFields);
  if (conditions.length === 0) throw new CollectionFault("filter", "Removing needs a filter with at least one condition");
  const state = await core.state(options.signal);
  if (state === undefined) return 0;
  const where = allOf([sql`r.scope = ${scope}`, ...conditions.map((condition) => conditionSql(condition, state.column(condition.field), sqliteDialect))]);
  const found = compose(sql`SELECT ${core.tables.columns} FROM ${core.tables.source} WHERE ${where}`);
  return await removeRows(core, (writer) => writer.all(found).map(toKeptRow), options);
}

async function removeRows(core: CollectionCore, find: (writer: Writer) => readonly KeptRow[], options: CollectionCallOptions): Promise<number> {
  if ((await core.state(options.signal)) === undefined) return 0;
  const analyzer = await core.analyzer();
  return await core.database.write((writer) => {
    const rows = find(writer);
    if (rows.length === 0) return 0;
    const rowWriter = new RowWriter(writer, { declaration: core.declaration, analyzer, change: core.begin(writer) });
    for (const row of rows) {
      rowWriter.remove(row);
      rowWriter.forgetHash(row);
    }
    rowWriter.finish();
    return rows.length;
  }, options);
}

/** Rows in order of scope and id, each batch on the state of its own moment. */
async function* scan(
  core: CollectionCore,
  options: CollectionCallOptions & { readonly batchSize?: number | undefined },
): AsyncGenerator<readonly StoredPart[]> {
  const { declaration, database, tables } = core;
  const { batchSize = 500, signal } = options;
  if (!Number.isInteger(batchSize) || batchSize < 1) throw new CollectionFault("input", "batchSize must be a positive integer");
  const scope = optionalScope(core, options);
  if ((await core.state(signal)) === undefined) return;
  let after: Sql = sql`1 = 1`;
  for (;;) {
    const batch = sql`SELECT ${tables.columns} FROM ${tables.source} WHERE ${scope} AND ${after} ORDER BY r.scope, r.id LIMIT ${batchSize}`;
    const rows = ((await database.read([compose(batch)], { signal }))?.[0] ?? []).map(toKeptRow);
    if (rows.length > 0) yield rows.map((row) => toStoredPart(declaration, row));
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchSize) return;
    after = sql`(r.scope, r.id) > (${last.scope}, ${last.id})`;
  }
}

function rowsOf({ tables }: CollectionCore): Sql {
  return trustedSql(`${tables.names.rows} AS r`);
}

/** Counting and reading everything cross scopes where none is named. */
function optionalScope({ declaration }: CollectionCore, { namespace }: CollectionCallOptions): Sql {
  if (namespace === undefined && declaration.facts.namespace !== undefined) return sql`1 = 1`;
  return sql`r.scope = ${scopeOfNamespace(declaration, namespace)}`;
}
