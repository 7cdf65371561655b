import type { RetrievalCandidate, RetrievalExecutionContext, RetrievalSearchInput, RetrievalSearchProvider } from "../../contracts/retrieval.ts";
import { answer } from "../ask-search.ts";
import { checkSearchOutput, invalidOutput } from "../check-search-output.ts";
import { requestLimit } from "../numbers.ts";
import { searchStep } from "../trace-step.ts";
import { watchScope } from "./watch-scope.ts";

/** A statement and the values bound to its placeholders. */
export interface SqlStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Options of {@link createSqlSearchProvider}. */
export interface SqlSearchOptions<Row> {
  /**
   * Makes the statement of a request, whose `limit` is set. It binds every value of the caller's, orders the rows, and handles or
   * refuses every filter and namespace.
   */
  readonly prepare: (input: RetrievalSearchInput) => SqlStatement;
  /** Runs a statement on the application's own connection and returns the rows in their order. */
  readonly query: (statement: SqlStatement, context?: RetrievalExecutionContext) => Promise<readonly Row[]>;
  /** Makes a candidate of a row. */
  readonly mapRow: (row: Row) => RetrievalCandidate;
}

/**
 * Makes a search of an application's SQL database; it owns no connection and knows no dialect.
 *
 * Order and scores are the statement's.
 *
 * @param options See {@link SqlSearchOptions}.
 * @returns A provider. Its searches fail with `RETRIEVAL_INVALID_INPUT` when a request carries a filter or namespace that `prepare`
 *   did not even read, before anything is run, and with `RETRIEVAL_INVALID_BACKEND_OUTPUT` for more rows than the limit or a wrong candidate.
 * @example
 * ```ts
 * const keyword = createSqlSearchProvider<{ id: string; content: string; score: number }>({
 *   prepare: (input) => ({ text: "SELECT ... LIMIT $2", values: [input.query.content, input.limit] }),
 *   query: async ({ text, values }) => (await pool.query(text, [...values])).rows,
 *   mapRow: (row) => ({ id: row.id, content: row.content, score: row.score }),
 * });
 * ```
 */
export function createSqlSearchProvider<Row>(options: SqlSearchOptions<Row>): RetrievalSearchProvider {
  const { prepare, query, mapRow } = options;
  return {
    search: (request, context) =>
      searchStep(
        async (input, inner) => {
          const limited = { ...input, limit: requestLimit(input, inner) };
          const rows: unknown = await query(checkedStatement(prepare, limited), inner);
          if (!Array.isArray(rows)) throw invalidOutput("The query gave no list of rows");
          if (rows.length > limited.limit) throw invalidOutput(`The statement gave ${rows.length} rows, more than the limit of ${limited.limit}`);
          return checkSearchOutput(answer(input, { candidates: rows.map((row: Row) => mapRow(row)) }), limited);
        },
        { label: "sql", input: request, context },
      ),
  };
}

function checkedStatement(prepare: (input: RetrievalSearchInput) => SqlStatement, input: RetrievalSearchInput): SqlStatement {
  const watched = watchScope(input);
  const statement = prepare(watched.input);
  watched.assertRead();
  if (typeof statement?.text !== "string" || statement.text.trim() === "" || !Array.isArray(statement.values)) {
    throw invalidOutput("prepare gave no statement with text and values");
  }
  return statement;
}
