import type { FieldPacket } from "mysql2";
import type { Answer } from "./mysql-session.ts";

/** A row by the names of its columns. */
export type PlainRow = Readonly<Record<string, unknown>>;

/**
 * The rows of an answer with decimals as numbers where a number says exactly the same, and as texts with all their digits where not.
 * Integers come like that already. Lists and objects, which some servers make of JSON, are texts.
 */
export function exactRows({ rows, columns }: Answer): readonly PlainRow[] {
  const changes = columns.flatMap(({ name, columnType }) => {
    if (columnType !== undefined && decimals.has(columnType)) return [[name, exactDecimal] as const];
    return columnType !== undefined && jsonTypes.has(columnType) ? [[name, jsonText] as const] : [];
  });
  if (changes.length === 0) return rows;
  return rows.map((row) => ({ ...row, ...Object.fromEntries(changes.map(([name, change]) => [name, change(row[name])])) }));
}

/** DECIMAL in its old and its new form. */
const decimals: ReadonlySet<number> = new Set<NonNullable<FieldPacket["columnType"]>>([0, 246]);
/** JSON of MySQL, and the long text that MariaDB has in its place. */
const jsonTypes: ReadonlySet<number> = new Set([245, 252]);

function exactDecimal(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const digits = value.replace(/^-?0*|[.]/g, "");
  // Any decimal of so many digits survives the way into a number and back.
  return digits.length <= 15 ? Number(value) : value;
}

function jsonText(value: unknown): unknown {
  return typeof value === "object" && value !== null && !(value instanceof Uint8Array) ? JSON.stringify(value) : value;
}
