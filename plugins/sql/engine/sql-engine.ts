import type { EngineCodes } from "../collection-fault.ts";
import type { Declaration, DeclaredField } from "../declaration.ts";
import type { Sql, SqlValue, Statement } from "../sql.ts";
import type { SqlDialect } from "../sql-dialect.ts";
import type { StoredDeclaration } from "../stored-declaration.ts";
import type { VectorKeeper } from "./vector-keeper.ts";

/** A row as it is read, by the names of its columns. Whole numbers come as numbers, as far as they are exact. */
export type Row = Readonly<Record<string, SqlValue>>;

/** Options of every call to a database. */
export interface EngineCall {
  /** Ends the call, at the server too. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * What a server's engine gives to collections: the layer in `../collection` is written against it and knows no engine.
 *
 * Every method throws `CollectionFault` for what the database does, and the signal's own reason where that ended the call.
 */
export interface SqlEngine {
  readonly dialect: EngineDialect;
  readonly codes: EngineCodes;
  readonly tables: EngineTables;
  /** True where the first write makes the tables, as in an embedded database; on a server `ditto setup` does. */
  readonly makesTables: boolean;
  /** How the vectors of a collection are kept and searched. */
  vectors(stored: StoredDeclaration): VectorKeeper;
  /**
   * Which of its ways to keep vectors a new collection gets; it is kept as `vectors` of the stored declaration. Left out by an engine that
   * has one way.
   */
  chooseVectors?(reader: SqlReader): Promise<string>;
  /** Runs one statement that reads. */
  read(statement: Statement, call?: EngineCall): Promise<readonly Row[]>;
  /** Runs `work` on the state of one moment. */
  snapshot<T>(work: (reader: SqlReader) => Promise<T>, call?: EngineCall): Promise<T>;
  /**
   * Runs `work` in a transaction that is written whole or not at all.
   *
   * Where the database gives up on it for the sake of another one (a deadlock), `work` runs again, so it keeps nothing between runs.
   */
  write<T>(work: (writer: SqlWriter) => Promise<T>, call?: EngineCall): Promise<T>;
  /**
   * The declaration that a collection's data were made under, as JSON.
   *
   * @param table Its table, the name in the table of collections.
   * @returns Undefined where there is none, also where not even the table of collections is there.
   */
  declaration(table: string, call?: EngineCall): Promise<string | undefined>;
}

/** Statements on the state of one moment. */
export interface SqlReader {
  all(statement: Statement): Promise<readonly Row[]>;
}

/** A writing transaction; nothing may be kept of it. */
export interface SqlWriter extends SqlReader {
  /** Runs a statement whose rows do not matter. */
  run(statement: Statement): Promise<void>;
  /** Inserts rows, however many, in as few statements as the engine allows. */
  insert(into: InsertTarget, rows: readonly (readonly SqlValue[])[]): Promise<void>;
  /** Adds to the document frequencies of terms; a term that is not there yet begins at 0. Terms come in order. */
  addFrequencies(table: string, changes: readonly (readonly [term: string, change: number])[]): Promise<void>;
  /** Removes postings, each by its term and row. */
  removePostings(table: string, postings: readonly (readonly [term: string, row: number])[]): Promise<void>;
}

/** Where rows are inserted. */
export interface InsertTarget {
  /** The table's name, not quoted. */
  readonly table: string;
  readonly columns: readonly InsertColumn[];
}

/** A column, by its name, not quoted, and by what its values are. */
export interface InsertColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** What columns hold: `list` is JSON of a list of texts, `bytes` and `vector` belong to vector keepers. */
export type ColumnType = "text" | "integer" | "number" | "list" | "bytes" | "vector";

/** How an engine writes what differs, beyond what filters and orders need. */
export interface EngineDialect extends SqlDialect {
  /** A text as a literal, for statements that a person is to read and run. */
  literal(text: string): string;
  /** An expression as a double. */
  toDouble(expression: Sql): Sql;
  /** An expression of doubles, rounded to a whole number of 64 bits. */
  toInteger(expression: Sql): Sql;
  /** True for rows whose `column` is one of these numbers, however many. */
  isOneOf(column: Sql, numbers: readonly number[]): Sql;
  /**
   * The best rows of a ranking, with all that tie with the last of them.
   *
   * @param ranking A SELECT of `row` and of a whole number `score`, without an order.
   * @returns A SELECT of the same two.
   */
  bestWithTies(ranking: Sql, limit: number): Sql;
}

/**
 * The tables of an engine's collections. Their names and columns are the same for every engine (see `table-names.ts`):
 *
 * - `ditto$collections`: `name` (primary key), `declaration`, and the whole numbers `change`, `compacted`, `gone` (as the vector keeper
 *   needs them), `last_row`, `documents`, `tokens`, all 0 at first.
 * - the rows: `row` (whole number of 64 bits, primary key, given by the layer), `scope`, `id`, `record`, `key`, `hash`, `content`, `metadata`,
 *   `own_text`, and one column for each declared field; unique (`scope`, `id`) and (`scope`, `key`), an index on (`scope`, `record`), and one
 *   on (`scope`, field, `id`) for each field of one value. `scope`, `id`, `record`, `key` and texts of fields compare byte by byte.
 * - postings: `term`, `row`, `frequency`, `length` (tokens of the whole text); primary key (`term`, `row`).
 * - terms: `term` (primary key), `documents`.
 * - vectors, as the keeper has them.
 */
export interface EngineTables {
  /** Makes the table of collections, unless it is there. */
  catalogue(): readonly string[];
  /** Makes a collection's tables and their indexes, those of its fields too. The entry in `ditto$collections` is not its business. */
  create(declaration: Declaration, stored: StoredDeclaration): readonly string[];
  /** Takes them away. */
  drop(table: string): readonly string[];
  addField(table: string, field: DeclaredField): readonly string[];
  dropField(table: string, column: string): readonly string[];
  /** Tells whether there is a table or view of this name already. */
  exists(reader: SqlReader, table: string): Promise<boolean>;
}
