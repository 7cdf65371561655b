import { createHash } from "node:crypto";
import type { Condition } from "../sql/filter.ts";
import type { KeptRow } from "../sql/collection/collection-reader.ts";
import { inGroups } from "../sql/collection/look-up.ts";
import { fieldOfKeptMetadata } from "../sql/metadata.ts";
import type { JsonObject } from "@codesoul-co/ditto/plugin";
import { columnOf, rowColumns } from "./collection-layout.ts";
import { decodeText } from "./encode-value.ts";
import { largestWindow, type MilvusCall, type MilvusRow } from "./milvus-database.ts";
import { allOf, conditionExpression, literal, literals } from "./milvus-expression.ts";
import { meetsCondition } from "./meets-condition.ts";
import type { MilvusCore, MilvusState } from "./milvus-core.ts";

/** A row as it is kept, with its primary key and, where it was asked for, its vector. */
export interface StoredRow extends KeptRow {
  readonly pk: string;
  readonly vector: readonly number[] | undefined;
}

/** Thrown inside reads when the collection is gone, so that they begin again with the one that took its place. */
export class CollectionGone extends Error {}

/** The primary key of a row: a digest of scope and id, so that equal ids of two scopes stay apart and no id is ever in an expression. */
export function primaryKey(scope: string, id: string): string {
  return createHash("sha256")
    .update(JSON.stringify([scope, id]))
    .digest("hex")
    .slice(0, 40);
}

/** A row out of what the server gave. */
export function toStoredRow(row: MilvusRow): StoredRow {
  return {
    row: 0,
    pk: String(row.pk),
    scope: String(row.scope),
    id: String(row.id),
    record: String(row.record),
    key: decodeText(row.key),
    hash: decodeText(row.hash),
    content: String(row.content),
    metadata: decodeText(row.metadata),
    text: decodeText(row.text),
    vector: row.embedded === true && Array.isArray(row.vector) ? (row.vector as readonly number[]) : undefined,
  };
}

/** Rows that are read. */
export interface RowQuery {
  readonly collection: string;
  /** The expression that they meet; empty for all. */
  readonly where: string;
  readonly columns: readonly string[];
  /** Most rows of one answer. */
  readonly pageSize?: number | undefined;
}

/**
 * Every row that meets an expression, in no order, however many there are: where an answer is full, the rows are asked for again in
 * sixteen parts, by the beginnings of their primary keys. Nothing depends on the order of the server's answers.
 *
 * @throws CollectionGone Where there is no such collection.
 */
export async function* eachRow(core: Pick<MilvusCore, "database">, query: RowQuery, call: MilvusCall, prefix = ""): AsyncGenerator<readonly MilvusRow[]> {
  const { collection, where, columns, pageSize = largestWindow } = query;
  // Servers want a limit or an expression; the last digit is `f`.
  const range = prefix === "" ? 'pk != ""' : `pk >= ${literal(prefix)} and pk < ${literal(`${prefix}g`)}`;
  const rows = await core.database.query({ collection, filter: allOf([range, where]), fields: columns, limit: pageSize }, call);
  if (rows === undefined) throw new CollectionGone(collection);
  if (rows.length < pageSize) {
    if (rows.length > 0) yield rows;
    return;
  }
  for (const digit of "0123456789abcdef") yield* eachRow(core, query, call, prefix + digit);
}

/** Rows by what they are looked up by, in one scope. */
export async function lookUpRows(
  core: Pick<MilvusCore, "database">,
  by: {
    readonly collection: string;
    readonly scope: string;
    readonly column: "id" | "key" | "record";
    readonly values: readonly string[];
    readonly vectors?: boolean;
  },
  call: MilvusCall,
): Promise<readonly StoredRow[]> {
  const found: StoredRow[] = [];
  const columns = by.vectors === true ? [...rowColumns, "vector"] : rowColumns;
  for (const group of inGroups(by.values, 500)) {
    const where =
      by.column === "id"
        ? `pk in ${literals(group.map((id) => primaryKey(by.scope, id)))}`
        : `scope == ${literal(by.scope)} and ${by.column} in ${literals(by.column === "key" ? group.map((key) => `=${key}`) : group)}`;
    for await (const rows of eachRow(core, { collection: by.collection, where, columns, pageSize: 2_000 }, call)) found.push(...rows.map(toStoredRow));
  }
  return found;
}

/**
 * The expression for the rows that may be found. Conditions on a field that has no column yet are answered out of the kept metadata.
 *
 * @throws CollectionGone Where there is no such collection.
 */
export async function rowExpression(
  core: MilvusCore,
  { state, scope, conditions }: { readonly state: MilvusState; readonly scope: string | undefined; readonly conditions: readonly Condition[] },
  call: MilvusCall,
): Promise<string> {
  const { declaration, database } = core;
  const isScoped = declaration.facts.namespace !== undefined && scope !== undefined;
  const pieces = isScoped ? [`scope == ${literal(scope)}`] : [];
  const late: Condition[] = [];
  for (const condition of conditions) {
    if (state.hasColumn(condition.field)) pieces.push(conditionExpression(condition, placeOf(core, condition.field)));
    else late.push(condition);
  }
  if (late.length === 0) return allOf(pieces);
  const met: string[] = [];
  const fields = new Map(declaration.fields.map((field) => [field.name, field]));
  for await (const rows of eachRow({ database }, { collection: state.collection, where: allOf(pieces), columns: ["pk", "metadata"], pageSize: 2_000 }, call)) {
    for (const { pk, metadata } of rows) {
      const text = decodeText(metadata);
      const kept = text === null ? undefined : (JSON.parse(text) as JsonObject);
      const meets = late.every((condition) => {
        const field = fields.get(condition.field);
        return field !== undefined && meetsCondition(condition, fieldOfKeptMetadata(field, kept), field.type);
      });
      if (meets) met.push(String(pk));
    }
  }
  return met.length === 0 ? 'pk == ""' : `pk in ${literals(met)}`;
}

/** The column that a filter's field stands in. */
function placeOf({ declaration }: MilvusCore, field: string): { readonly column: string; readonly list: boolean } {
  const declared = declaration.fields.find(({ name }) => name === field);
  return declared === undefined ? { column: field, list: false } : { column: columnOf(field), list: declared.type.list };
}
