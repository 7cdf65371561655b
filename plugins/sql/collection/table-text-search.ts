import type { RetrievalExecutionContext, RetrievalSearchInput, RetrievalSearchOutput, RetrievalSearchProvider } from "@codesoul-co/ditto/plugin";
import { collectionsTable } from "../engine/table-names.ts";
import type { Row } from "../engine/sql-engine.ts";
import { answer, readSearch, type SearchRequest, toCandidate } from "../search-request.ts";
import { type Sql, sql, trustedSql, valueList } from "../sql.ts";
import { compose, toKeptRow } from "./collection-reader.ts";
import { readQueryText } from "./read-query.ts";
import { searchConditions } from "./search-conditions.ts";
import type { TableCore, TableState } from "./table-core.ts";

/** Makes the full-text search of a collection: any word counts, BM25 ranks (k1 1.2, b 0.75), over all scopes. */
export function tableTextSearch(core: TableCore): RetrievalSearchProvider {
  return { search: async (input, context = {}) => await search(core, input, context) };
}

async function search(core: TableCore, input: RetrievalSearchInput, context: RetrievalExecutionContext): Promise<RetrievalSearchOutput> {
  const { declaration } = core;
  const request = readSearch(declaration, input, context);
  const content = readQueryText(input.query.content);
  const terms = (await core.analyzer()).query(content);
  const span = context.trace?.open("statement", declaration.facts.name, { terms: terms.length });
  try {
    const rows = await rank(core, { ...request, terms }, context.signal);
    span?.add({ rows: rows.length });
    span?.close();
    return answer(
      input,
      rows.map((row) => toCandidate(declaration, toKeptRow(row), Number(row.score) / scoreUnit)),
    );
  } catch (error) {
    span?.close(error);
    throw error;
  }
}

interface TextRequest extends SearchRequest {
  readonly terms: readonly string[];
}

/**
 * Ranks by one statement, which finds nothing where the stored declaration is no longer the known one. Only then, and where
 * nothing is found, the declaration is read.
 */
async function rank(core: TableCore, request: TextRequest, signal: AbortSignal | undefined): Promise<readonly Row[]> {
  let state = core.known() ?? (await core.state(signal));
  for (;;) {
    if (state === undefined || request.terms.length === 0) return [];
    const rows = await core.engine.read(compose(core, ranking(core, state, request)), { signal });
    if (rows.length > 0) return rows;
    const now = await core.state(signal);
    if (now?.text === state.text) return rows;
    state = now;
  }
}

/**
 * The statement: the arithmetic of SQLite's FTS5, in doubles, so that every engine gives the same order.
 *
 * What each term adds is rounded to whole units before it is added up: sums of whole numbers do not depend on the order of their
 * terms, so rows with the same words tie exactly.
 */
function ranking(core: TableCore, state: TableState, { terms, scope, conditions, limit }: TextRequest): Sql {
  const { dialect, names, declaration } = core;
  const stats = sql`SELECT c.documents, c.tokens FROM ${dialect.identifier(collectionsTable)} AS c
    WHERE c.name = ${declaration.table} AND c.declaration = ${state.text}`;
  const [documents, having] = [dialect.toDouble(trustedSql("s.documents")), dialect.toDouble(trustedSql("t.documents"))];
  const idf = sql`CASE WHEN s.documents > 2 * t.documents THEN ln((${documents} - ${having} + 0.5) / (${having} + 0.5)) ELSE 0.000001 END`;
  const average = sql`${dialect.toDouble(trustedSql("s.tokens"))} / ${documents}`;
  const asked = sql`SELECT t.term, ${idf} AS idf, ${average} AS average FROM ${dialect.identifier(names.terms)} AS t CROSS JOIN (${stats}) AS s
    WHERE t.term IN (${valueList(terms)}) AND t.documents > 0`;
  // Columns stand before numbers, or PostgreSQL would reckon in decimals.
  const weight = trustedSql(`a.idf * p.frequency * 2.2 / (p.frequency + (0.25 + p.length / a.average * 0.75) * 1.2) * ${scoreUnit}`);
  const may = searchConditions(core, { state, scope, conditions });
  const rows = may === undefined ? sql`` : sql` JOIN ${core.rows} ON r.row = p.row`;
  const hits = sql`SELECT p.row, ${dialect.toInteger(sql`sum(${dialect.toInteger(weight)})`)} AS score
    FROM (${asked}) AS a JOIN ${dialect.identifier(names.postings)} AS p ON p.term = a.term${rows}
    WHERE p.term IN (${valueList(terms)})${may === undefined ? sql`` : sql` AND ${may}`} GROUP BY p.row`;
  const order = sql`best.score DESC, ${dialect.orderTerm(trustedSql("r.id"), "asc")}`;
  return sql`SELECT ${core.columns}, best.score FROM (${dialect.bestWithTies(hits, limit)}) AS best JOIN ${core.rows} ON r.row = best.row
    ORDER BY ${order} LIMIT ${limit}`;
}

/** Scores are kept in units of 2^-40. */
const scoreUnit = 2 ** 40;
