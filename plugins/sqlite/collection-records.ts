import type { CollectionCallOptions, CollectionRecords } from "@codesoul-co/ditto/plugin";
import { type KeptRow, toKeptRow } from "../sql/collection/collection-reader.ts";
import { distinctTexts } from "../sql/collection/look-up.ts";
import { countRows, readHashes, scanRows } from "../sql/collection/read-records.ts";
import { CollectionFault } from "../sql/collection-fault.ts";
import { allOf, conditionSql, parseFilter } from "../sql/filter.ts";
import { scopeOfNamespace } from "../sql/scope.ts";
import { sql } from "../sql/sql.ts";
import type { CollectionCore } from "./collection-core.ts";
import { compose } from "./collection-tables.ts";
import { lookUpNow } from "./kept-rows.ts";
import { replaceRecords } from "./replace-records.ts";
import { RowWriter } from "./row-writer.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import type { Writer } from "./sqlite-executor.ts";

/** Makes the bulk port of a collection. What goes wrong is still a `CollectionFault`. */
export function collectionRecords(core: CollectionCore): CollectionRecords {
  return {
    count: async (options = {}) => await countRows(core, options),
    hashes: async (ids, options = {}) => await readHashes(core, ids, options),
    replace: async (records, options = {}) => await replaceRecords(core, records, options),
    remove: async (ids, options = {}) => {
      const values = distinctTexts(ids, "ids");
      const scope = scopeOfNamespace(core.declaration, options.namespace);
      return values.length === 0 ? 0 : await removeRows(core, (writer) => lookUpNow(writer, core, scope, { column: "record", values }), options);
    },
    removeWhere: async (filter, options = {}) => await removeWhere(core, filter, options),
    scan: (options = {}) => scanRows(core, options),
  };
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
