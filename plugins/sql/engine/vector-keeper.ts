import type { EngineCall, Row, SqlEngine, SqlReader, SqlWriter } from "./sql-engine.ts";
import type { Sql } from "../sql.ts";

/** What searches for nearest neighbours need to know. */
export interface NearestRequest {
  /** The collection's table. */
  readonly table: string;
  readonly dimensions: number;
  /** As asked, not of length 0. */
  readonly query: Float32Array;
  /** 1..10000. */
  readonly limit: number;
  /** What rows, called `r`, must meet; undefined where all may be found. */
  readonly where: Sql | undefined;
  /** The columns of `r` that are to come back. */
  readonly columns: Sql;
}

/** A row and its cosine, from -1 to 1. */
export interface NearestRow {
  readonly row: Row;
  readonly score: number;
}

/** Keeps the vectors of a collection's rows, beside them and in the same transaction. */
export interface VectorKeeper {
  /** Keeps vectors, also in place of those that rows have already. `change` counts the collection's transactions. */
  set(writer: SqlWriter, table: string, change: number, vectors: readonly (readonly [row: number, vector: Float32Array])[]): Promise<void>;
  /** Lets go of the vectors of those of these rows that have one. */
  drop(writer: SqlWriter, table: string, change: number, rows: readonly number[]): Promise<void>;
  /** The vectors of those of these rows that have one. */
  read(reader: SqlReader, table: string, rows: readonly number[]): Promise<ReadonlyMap<number, Float32Array>>;
  /** The nearest rows by cosine, best first, ties by id; exact unless the engine says otherwise. */
  nearest(engine: SqlEngine, request: NearestRequest, call: EngineCall): Promise<readonly NearestRow[]>;
}
