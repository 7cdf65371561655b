import type { Database } from "better-sqlite3";
import { CollectionFault } from "../sql/collection-fault.ts";

/**
 * Runs a statement that an author wrote out, which must only read.
 *
 * @param values Texts, numbers, booleans and null; lists and objects are bound as JSON.
 * @returns The rows; integers beyond 2^53 as texts, so that no digit is lost.
 * @throws CollectionFault `input` for a statement that writes, `database` for one that SQLite refuses.
 */
export function runWritten(database: Database, text: string, values: readonly unknown[]): readonly Readonly<Record<string, unknown>>[] {
  const rows = asAuthors(() => {
    const prepared = database.prepare(text);
    if (!prepared.readonly || !prepared.reader) throw new CollectionFault("input", "The statement of a search must only read");
    return prepared.safeIntegers(true).all(values.map(toBound)) as readonly Readonly<Record<string, unknown>>[];
  });
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, exactNumber(value)])));
}

/** SQLite's own words about a statement name tables and columns, and never a bound value. */
function asAuthors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const refused = error instanceof Error && ("code" in error ? error.code === "SQLITE_ERROR" : error instanceof RangeError);
    throw refused ? new CollectionFault("database", `SQLite refused the statement: ${error.message}`, { cause: error }) : error;
  }
}

function toBound(value: unknown): unknown {
  if (typeof value === "boolean") return Number(value);
  return typeof value === "object" && value !== null ? JSON.stringify(value) : (value ?? null);
}

function exactNumber(value: unknown): unknown {
  if (typeof value !== "bigint") return value;
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : String(value);
}
