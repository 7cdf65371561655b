import type { SqlValue, Statement } from "../sql/sql.ts";

/** A row as it is read, by the names of its columns. */
export type Row = Readonly<Record<string, SqlValue>>;

/** What searches for nearest neighbours need to know; plain data, so that it can be handed to another thread. */
export interface NearestRequest {
  /** The collection's name in the table of collections. */
  readonly collection: string;
  readonly dimensions: number;
  /** As asked, not of length 0. */
  readonly query: Float32Array;
  /** 1..10000. */
  readonly limit: number;
  /** Gives the rows that may be found, as `row`; undefined for all. */
  readonly allowed?: Statement | undefined;
  /** Reads rows by a JSON list of their numbers, its only parameter; each has `row` and `id`. */
  readonly contents: string;
}

/** A row and its cosine. */
export interface NearestRow {
  readonly row: Row;
  readonly score: number;
}

/** Where statements run. They are data, so that a pool of threads can take the place of this thread. */
export interface SqliteExecutor {
  /**
   * Runs reading statements, all on the state of one moment.
   *
   * @param options `light` for what takes microseconds, which is not worth the way to another thread and back.
   * @returns The rows of each; undefined where the file does not exist, which is not made.
   */
  read(
    statements: readonly Statement[],
    options?: { readonly signal?: AbortSignal | undefined; readonly light?: boolean | undefined },
  ): Promise<readonly (readonly Row[])[] | undefined>;
  /** The nearest rows, best first, ties by id; undefined where the file does not exist. */
  nearest(request: NearestRequest, options?: { readonly signal?: AbortSignal | undefined }): Promise<readonly NearestRow[] | undefined>;
  /** Runs `work` in a transaction that is written whole or not at all; file and folders are made when missing. */
  write<T>(work: (writer: Writer) => T, options?: { readonly signal?: AbortSignal | undefined }): Promise<T>;
}

/** A writing transaction. It runs at once on this thread; nothing may be kept of it. */
export interface Writer {
  all(statement: Statement): readonly Row[];
  /** Runs a statement that gives no rows; returns the number of the row that was inserted last. */
  run(statement: Statement): number;
}
