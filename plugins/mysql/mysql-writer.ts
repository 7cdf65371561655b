import { CollectionFault } from "../sql/collection-fault.ts";
import type { InsertTarget, Row, SqlWriter } from "../sql/engine/sql-engine.ts";
import { collectionTableNames } from "../sql/engine/table-names.ts";
import type { SqlValue, Statement } from "../sql/sql.ts";
import { exactRows } from "./exact-rows.ts";
import { quoteName } from "./mysql-dialect.ts";
import type { MysqlSession } from "./mysql-session.ts";
import { longestId, longestScope } from "./mysql-tables.ts";

/** What the layer over all engines writes with, inside a transaction. */
export class MysqlWriter implements SqlWriter {
  readonly #session: MysqlSession;

  constructor(session: MysqlSession) {
    this.#session = session;
  }

  async all({ sql, parameters }: Statement): Promise<readonly Row[]> {
    return exactRows(await this.#session.execute(sql, parameters)) as readonly Row[];
  }

  async run({ sql, parameters }: Statement): Promise<void> {
    if (!/^(?:CREATE|ALTER|DROP) /.test(sql)) {
      await this.#session.execute(sql, parameters);
      return;
    }
    await this.#define(sql);
    // What defines tables has ended the transaction and its locks; the rest is to be written whole or not at all again.
    await this.#session.command("START TRANSACTION READ WRITE");
  }

  async insert({ table, columns }: InsertTarget, rows: readonly (readonly SqlValue[])[]): Promise<void> {
    const names = columns.map(({ name }) => quoteName(name)).join(", ");
    const given = jsonColumns(columns);
    if (given !== undefined && rows.length >= manyRows) {
      const text = `INSERT INTO ${quoteName(table)} (${names}) SELECT ${names} FROM JSON_TABLE(?, '$[*]' COLUMNS (${given})) AS given`;
      for (const group of groupsOf(rows, jsonRows)) await this.#session.execute(text, [JSON.stringify(group)]);
      return;
    }
    assertLengths(columns, rows);
    const one = `(${columns.map(() => "?").join(", ")})`;
    for (const group of groups(rows, this.#session.server.packetBytes)) {
      const values = Array.from(group, () => one).join(", ");
      await this.#session.execute(`INSERT INTO ${quoteName(table)} (${names}) VALUES ${values}`, group.flat());
    }
  }

  async addFrequencies(table: string, changes: readonly (readonly [term: string, change: number])[]): Promise<void> {
    const text =
      `INSERT INTO ${quoteName(collectionTableNames(table).terms)} (term, documents) SELECT given.term, given.documents ` +
      "FROM JSON_TABLE(?, '$[*]' COLUMNS (term VARCHAR(64) CHARACTER SET utf8mb4 PATH '$[0]', documents BIGINT PATH '$[1]')) AS given " +
      `ON DUPLICATE KEY UPDATE documents = ${quoteName(collectionTableNames(table).terms)}.documents + given.documents`;
    for (const group of groupsOf(changes, jsonRows)) await this.#session.execute(text, [JSON.stringify(group)]);
  }

  async removePostings(table: string, postings: readonly (readonly [term: string, row: number])[]): Promise<void> {
    const postingsTable = quoteName(collectionTableNames(table).postings);
    for (const group of groups(postings, this.#session.server.packetBytes)) {
      const pairs = Array.from(group, () => "(term = ? AND `row` = ?)").join(" OR ");
      await this.#session.execute(`DELETE FROM ${postingsTable} WHERE ${pairs}`, group.flat());
    }
  }

  /** A column or index that a run before this one made or took away is as it should be: nothing else remembers how far that came. */
  async #define(sql: string): Promise<void> {
    try {
      await this.#session.execute(sql, []);
    } catch (error) {
      const number = typeof error === "object" && error !== null && "errno" in error ? error.errno : undefined;
      if (!doneBefore.has(Number(number))) throw error;
    }
  }
}

/** Duplicate column, duplicate index, nothing to drop. */
const doneBefore: ReadonlySet<number> = new Set([1060, 1061, 1091]);

const longest: Readonly<Record<string, number>> = { scope: longestScope, id: longestId, record: longestId, key: longestId };

/** An index holds so much of a text and no more, and two ids must not become one. */
function assertLengths(columns: InsertTarget["columns"], rows: readonly (readonly SqlValue[])[]): void {
  const limited = columns.flatMap(({ name }, index) => (longest[name] === undefined ? [] : [{ name, index, most: longest[name] }]));
  const id = columns.findIndex(({ name }) => name === "id");
  if (limited.length === 0 || id === -1) return;
  for (const row of rows) {
    for (const { name, index, most } of limited) {
      const value = row[index];
      // Only a text with more units can have more characters.
      const length = typeof value !== "string" || value.length <= most ? 0 : [...value].length;
      if (length <= most) continue;
      throw new CollectionFault("input", `The ${name} of row "${String(row[id]).slice(0, 100)}" has ${length} characters; a MySQL index holds ${most}`);
    }
  }
}

/** From here on, one list in JSON is faster than a parameter for each value. */
const manyRows = 32;
/** So many rows of short values stay far below the smallest packet that servers take. */
const jsonRows = 20_000;

/** The columns as JSON_TABLE reads them out of lists; undefined where values are no whole numbers and terms. */
function jsonColumns(columns: InsertTarget["columns"]): string | undefined {
  const types = columns.map(({ name, type }) =>
    type === "integer" ? "BIGINT" : type === "text" && name === "term" ? "VARCHAR(64) CHARACTER SET utf8mb4" : undefined,
  );
  if (types.includes(undefined)) return undefined;
  return columns.map(({ name }, index) => `${quoteName(name)} ${types[index]} PATH '$[${index}]'`).join(", ");
}

function* groupsOf<T>(rows: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size);
}

/** Sizes of groups: few of them, so that few statements have to be prepared. */
const sizes = [512, 64, 8, 1];

/** Cuts rows into groups that fit into a packet. */
function* groups<T extends readonly SqlValue[]>(rows: readonly T[], packetBytes: number): Generator<readonly T[]> {
  for (let start = 0; start < rows.length; ) {
    const size = sizes.find((each) => each === 1 || (each <= rows.length - start && bytesOf(rows, start, each) < packetBytes / 2)) ?? 1;
    yield rows.slice(start, start + size);
    start += size;
  }
}

/** Roughly, and never too few: a character has three bytes at most for each of its units. */
function bytesOf(rows: readonly (readonly SqlValue[])[], start: number, count: number): number {
  let bytes = 0;
  for (let index = start; index < start + count; index += 1) {
    for (const value of rows[index] ?? []) bytes += 12 + (typeof value === "string" ? value.length * 3 : value instanceof Uint8Array ? value.length : 0);
  }
  return bytes;
}
