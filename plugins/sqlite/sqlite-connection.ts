import type { Database, Statement as Prepared } from "better-sqlite3";
import { fieldOfKeptMetadata } from "../sql/metadata.ts";
import { parseTypeName } from "../sql/field-type.ts";
import type { SqlValue, Statement } from "../sql/sql.ts";
import type { Row, Writer } from "./sqlite-executor.ts";

/** An open file with its prepared statements. */
export class SqliteConnection implements Writer {
  readonly database: Database;
  readonly #prepared = new Map<string, Prepared<unknown[], Row>>();

  constructor(database: Database) {
    this.database = database;
    database.function("ditto_field", { deterministic: true }, keptField);
  }

  all(statement: Statement): readonly Row[] {
    return this.#prepare(statement.sql).all(statement.parameters);
  }

  /** The first column of each row, for many small rows. */
  numbers(statement: Statement): number[] {
    const prepared = this.#prepare(statement.sql);
    try {
      return prepared.pluck(true).all(statement.parameters) as unknown[] as number[];
    } finally {
      prepared.pluck(false);
    }
  }

  run(statement: Statement): number {
    return Number(this.#prepare(statement.sql).run(statement.parameters).lastInsertRowid);
  }

  /** Rows one after the other, where all of them would be too many. Nothing else may run before the last one. */
  iterate(statement: Statement): IterableIterator<Row> {
    return this.#prepare(statement.sql).iterate(statement.parameters);
  }

  /** Runs `work` on the state of one moment. */
  snapshot<T>(work: () => T): T {
    return this.#transaction("BEGIN", work);
  }

  /** Runs `work` and keeps all of what it writes, or nothing. The lock is taken first, so it never has to be raised. */
  transaction<T>(work: () => T): T {
    return this.#transaction("BEGIN IMMEDIATE", work);
  }

  #transaction<T>(begin: string, work: () => T): T {
    this.database.exec(begin);
    try {
      const result = work();
      this.database.exec("COMMIT");
      return result;
    } finally {
      if (this.database.inTransaction) this.database.exec("ROLLBACK");
    }
  }

  #prepare(sql: string): Prepared<unknown[], Row> {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    const prepared = this.database.prepare<unknown[], Row>(sql);
    if (this.#prepared.size >= mostPrepared) this.#prepared.delete(this.#prepared.keys().next().value ?? "");
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

/** Filters of many shapes make many statements; the oldest go. */
const mostPrepared = 200;

/** A field of metadata that were kept before the field was declared, as its column will have it. */
function keptField(metadata: unknown, name: unknown, type: unknown): SqlValue {
  if (typeof metadata !== "string") return null;
  return fieldOfKeptMetadata({ name: String(name), type: parseTypeName(String(type)) }, JSON.parse(metadata));
}
