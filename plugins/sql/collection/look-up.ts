import { CollectionFault } from "../collection-fault.ts";
import { isWellFormed } from "../field-type.ts";
import { type Sql, sql, type Statement, trustedSql, valueList } from "../sql.ts";
import { type CollectionReader, compose } from "./collection-reader.ts";

/** What rows are looked up by. */
export interface LookUp {
  readonly column: "id" | "key" | "record";
  readonly values: readonly string[];
}

/** Statements that read the rows of a scope by ids, keys or record ids. */
export function lookUp(reader: Pick<CollectionReader, "dialect" | "columns" | "source">, scope: string, by: LookUp): readonly Statement[] {
  return inGroups(by.values, groupSize).map((group) =>
    compose(reader, sql`SELECT ${reader.columns} FROM ${reader.source} WHERE r.scope = ${scope} AND ${lookUpColumns[by.column]} IN (${valueList(group)})`),
  );
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

/** Cuts a list into pieces of at most `size`. */
export function inGroups<T>(values: readonly T[], size: number): readonly (readonly T[])[] {
  const groups: (readonly T[])[] = [];
  for (let start = 0; start < values.length; start += size) groups.push(values.slice(start, start + size));
  return groups;
}

const lookUpColumns: Readonly<Record<LookUp["column"], Sql>> = {
  id: trustedSql("r.id"),
  key: trustedSql("r.key"),
  record: trustedSql("r.record"),
};

/** SQLite binds 32766 values at most, PostgreSQL and MySQL 65535. */
const groupSize = 10_000;
