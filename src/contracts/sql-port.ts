/** What a connection of an SQL engine offers to searches that write their statements out. */
export interface SqlPort {
  /** Decides how parameters are written and what counts as quoted. */
  readonly dialect: SqlDialectName;
  /**
   * Runs one statement that only reads.
   *
   * @param text SQL with the dialect's positional parameters: `?` in SQLite and MySQL, `$1` in PostgreSQL.
   * @param values What is bound to them, in their order: texts, numbers, booleans and null; lists and objects as JSON.
   * @param options `signal` gives up waiting.
   * @returns The rows by column name. Integers beyond 2^53 are texts with all their digits.
   * @throws RetrievalError `RETRIEVAL_INVALID_INPUT` for a statement that writes, `RETRIEVAL_BACKEND_ERROR` for what the engine refuses.
   */
  query(
    text: string,
    values: readonly unknown[],
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** The SQL dialects that statements are read in. */
export type SqlDialectName = "sqlite" | "postgres" | "mysql";
