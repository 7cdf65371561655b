import { CollectionFault } from "../sql/collection-fault.ts";
import { isWellFormed } from "../sql/field-type.ts";
import { type Sql, type Statement, sql, trustedSql, valueList } from "../sql/sql.ts";
import { type CollectionTables, compose } from "./collection-tables.ts";
import { type KeptRow, toKeptRow } from "./row-writer.ts";
import type { Writer } from "./sqlite-executor.ts";

/** What rows are looked up by. */
export type LookupColumn = "id" | "key" | "record";

/** Statements that read the rows of a scope by ids, keys or record ids. */
export function lookUp(
  tables: CollectionTables,
  scope: string,
  by: { readonly column: LookupColumn; readonly values: readonly string[] },
): readonly Statement[] {
  return inGroups(by.values).map((group) =>
    compose(sql`SELECT ${tables.columns} FROM ${tables.source} WHERE r.scope = ${scope} AND ${lookupColumns[by.column]} IN (${valueList(group)})`),
  );
}

/** Runs {@link lookUp} inside a writing transaction. */
export function lookUpNow(
  writer: Writer,
  tables: CollectionTables,
  scope: string,
  by: { readonly column: LookupColumn; readonly values: readonly string[] },
): readonly KeptRow[] {
  return lookUp(tables, scope, by).flatMap((each) => writer.all(each).map(toKeptRow));
}

/**
 * The distinct ids or keys of a request.
 *
 * @returns Without those that no row can have, for UTF-8 cannot keep them.
 * @throws CollectionFault `input` For anything but texts.
 */
export function distinctTexts(values: readonly unknown[], what: string): readonly string[] {
  const texts = new Set<string>();
  for (const value of values) {
    if (typeof value !== "string") throw new CollectionFault("input", `${what} must be strings`);
    if (isWellFormed(value)) texts.add(value);
  }
  return [...texts];
}

const lookupColumns: Readonly<Record<LookupColumn, Sql>> = {
  id: trustedSql("r.id"),
  key: trustedSql("r.key"),
  record: trustedSql("r.record"),
};

/** SQLite binds 32766 values at most. */
const groupSize = 10_000;

function inGroups(values: readonly string[]): readonly (readonly string[])[] {
  const groups: (readonly string[])[] = [];
  for (let start = 0; start < values.length; start += groupSize) groups.push(values.slice(start, start + groupSize));
  return groups;
}
