import type { Row } from "../engine/sql-engine.ts";
import type { Declaration } from "../declaration.ts";
import type { ReadRow } from "../row.ts";
import { type Sql, type Statement, toStatement } from "../sql.ts";
import type { SqlDialect } from "../sql-dialect.ts";

/** The state that a collection's data are in. */
export interface CollectionState {
  /** Length of the vectors; undefined until the first is written. */
  readonly dimensions: number | undefined;
  /** The column of a field, from `r`. */
  readonly column: (field: string) => Sql;
}

/** What reads are made of: the same for every SQL engine. */
export interface CollectionReader {
  readonly declaration: Declaration;
  readonly dialect: SqlDialect;
  /** The rows, called `r`: ids, keys, scope and fields. */
  readonly rows: Sql;
  /** Whole rows: `rows`, and what their contents are joined from. */
  readonly source: Sql;
  /** The columns of a {@link KeptRow}, out of `source`. */
  readonly columns: Sql;
  /**
   * Reads what the data were made under.
   *
   * @returns Undefined where nothing was ever written.
   * @throws CollectionFault `mismatch` When they were made under a declaration that this one does not fit; `missing` where a server has no
   *   tables for it.
   */
  state(signal?: AbortSignal | undefined): Promise<CollectionState | undefined>;
  /** Runs statements and gives the rows of each. */
  read(statements: readonly Statement[], signal?: AbortSignal | undefined): Promise<readonly (readonly Row[])[]>;
}

/** A row as it is kept, with its number and the text that was indexed where that is not its content's. */
export interface KeptRow extends ReadRow {
  readonly row: number;
  readonly text: string | null;
}

/** Reads a whole row out of what a statement gave. */
export function toKeptRow(row: Row): KeptRow {
  return row as unknown as KeptRow;
}

/** Makes a statement of a piece, in the dialect of a collection. */
export function compose({ dialect }: { readonly dialect: SqlDialect }, piece: Sql): Statement {
  return toStatement(piece, dialect.placeholder);
}

/** Runs one statement. */
export async function readOne(reader: CollectionReader, piece: Sql, signal: AbortSignal | undefined): Promise<readonly Row[]> {
  return (await reader.read([compose(reader, piece)], signal))[0] ?? [];
}
