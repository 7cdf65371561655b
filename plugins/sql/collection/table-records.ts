import type { CollectionCallOptions, CollectionRecords } from "@codesoul-co/ditto/plugin";
import { CollectionFault } from "../collection-fault.ts";
import type { SqlReader } from "../engine/sql-engine.ts";
import { allOf, conditionSql, parseFilter } from "../filter.ts";
import { indexedTextOf, type PreparedRow } from "../row.ts";
import { scopeOfNamespace } from "../scope.ts";
import { sql } from "../sql.ts";
import { changeRows } from "./change-rows.ts";
import { compose, type KeptRow, toKeptRow } from "./collection-reader.ts";
import { distinctTexts } from "./look-up.ts";
import { assertSameRecord, needsVector } from "./plan-records.ts";
import { countRows, readHashes, scanRows } from "./read-records.ts";
import { type PlannedRecords, replaceRows } from "./replace-rows.ts";
import type { TableCore } from "./table-core.ts";
import { lengthOf, lookUpNow } from "./table-store.ts";
import { beginTransaction } from "./table-transaction.ts";

/** Makes the bulk port of a collection. What goes wrong is still a `CollectionFault`. */
export function tableRecords(core: TableCore): CollectionRecords {
  return {
    count: async (options = {}) => await countRows(core, options),
    hashes: async (ids, options = {}) => await readHashes(core, ids, options),
    replace: async (records, options = {}) => await replaceRows(core, records, { options, write: (plan) => writeRecords(core, plan, options.signal) }),
    remove: async (ids, options = {}) => {
      const values = distinctTexts(ids, "ids");
      const scope = scopeOfNamespace(core.declaration, options.namespace);
      return values.length === 0 ? 0 : await removeRows(core, (reader) => lookUpNow(reader, core, scope, { column: "record", values }), options);
    },
    removeWhere: async (filter, options = {}) => await removeWhere(core, filter, options),
    scan: (options = {}) => scanRows(core, options),
  };
}

async function removeWhere(core: TableCore, filter: Readonly<Record<string, unknown>>, options: CollectionCallOptions): Promise<number> {
  const scope = scopeOfNamespace(core.declaration, options.namespace);
  const conditions = parseFilter(filter, core.declaration.filterFields);
  if (conditions.length === 0) throw new CollectionFault("filter", "Removing needs a filter with at least one condition");
  const state = await core.state(options.signal);
  if (state === undefined) return 0;
  const where = allOf([sql`r.scope = ${scope}`, ...conditions.map((condition) => conditionSql(condition, state.column(condition.field), core.dialect))]);
  const found = compose(core, sql`SELECT ${core.columns} FROM ${core.source} WHERE ${where}`);
  return await removeRows(core, async (reader) => (await reader.all(found)).map(toKeptRow), options);
}

async function removeRows(core: TableCore, find: (reader: SqlReader) => Promise<readonly KeptRow[]>, options: CollectionCallOptions): Promise<number> {
  if ((await core.state(options.signal)) === undefined) return 0;
  return await core.engine.write(async (writer) => {
    const transaction = await beginTransaction(core, writer);
    const rows = await find(writer);
    if (rows.length > 0) await changeRows(core, transaction, { removed: rows, forgotten: rows });
    return rows.length;
  }, options);
}

/** Writes the records and tells how many rows were removed; undefined, and nothing written, where a text is not embedded. */
async function writeRecords(core: TableCore, plan: PlannedRecords, signal: AbortSignal | undefined): Promise<number | undefined> {
  const { rows, records, scope, vectors } = plan;
  return await core.engine.write(
    async (writer) => {
      const transaction = await beginTransaction(core, writer, lengthOf(vectors.values()));
      const found = [
        ...(await lookUpNow(writer, core, scope, { column: "record", values: records })),
        ...(await lookUpNow(writer, core, scope, { column: "id", values: rows.map(({ id }) => id) })),
      ];
      const now = new Map(found.map((row) => [row.id, row]));
      if (rows.some((row) => needsVector(now.get(row.id), row, vectors))) return undefined;
      const ids = new Set(rows.map(({ id }) => id));
      const replaced = new Set(records);
      const removed = [...now.values()].filter(({ id, record }) => !ids.has(id) && replaced.has(record));
      const planned = rows.map((row) => planRow(row, now.get(row.id), vectors));
      await changeRows(core, transaction, {
        removed,
        inserted: planned.flatMap(({ kept, ...rest }) => (kept === undefined ? [rest] : [])),
        updated: planned.flatMap(({ kept, ...rest }) => (kept === undefined ? [] : [{ kept, ...rest }])),
      });
      return removed.length;
    },
    { signal },
  );
}

interface PlannedRow {
  readonly kept: KeptRow | undefined;
  readonly row: PreparedRow;
  readonly vector: Float32Array | undefined;
}

function planRow(row: PreparedRow, kept: KeptRow | undefined, vectors: PlannedRecords["vectors"]): PlannedRow {
  if (kept === undefined) return { kept, row, vector: vectors.get(row.text) };
  assertSameRecord(kept, row);
  const vector = indexedTextOf(kept) === row.text ? undefined : vectors.get(row.text);
  return { kept, row: { ...row, key: row.key ?? kept.key }, vector };
}
