import type { RetrievalExecutionContext, RetrievalSearchInput, RetrievalSearchOutput, RetrievalSearchProvider } from "@codesoul-co/ditto/plugin";
import { toKeptRow } from "../sql/collection/collection-reader.ts";
import { searchConditions } from "../sql/collection/search-conditions.ts";
import { readQueryText } from "../sql/collection/read-query.ts";
import { answer, readSearch, toCandidate } from "../sql/search-request.ts";
import { type Sql, sql, trustedSql } from "../sql/sql.ts";
import type { CollectionCore } from "./collection-core.ts";
import { compose } from "./collection-tables.ts";
import type { Row } from "./sqlite-executor.ts";

/** Makes the full-text search of a collection: any word counts, BM25 ranks (k1 1.2, b 0.75), over all scopes. */
export function textSearch(core: CollectionCore): RetrievalSearchProvider {
  return { search: async (input, context = {}) => await search(core, input, context) };
}

async function search(core: CollectionCore, input: RetrievalSearchInput, context: RetrievalExecutionContext): Promise<RetrievalSearchOutput> {
  const { declaration } = core;
  const request = readSearch(declaration, input, context);
  const content = readQueryText(input.query.content);
  const state = await core.state(context.signal);
  if (state === undefined) return answer(input, []);
  const tokens = (await core.analyzer()).query(content);
  if (tokens.length === 0) return answer(input, []);
  const span = context.trace?.open("statement", declaration.facts.name, { terms: tokens.length });
  try {
    const where = searchConditions(core, { state, ...request });
    const rows = await rank(core, { tokens, where, limit: request.limit }, context.signal);
    span?.add({ rows: rows.length });
    span?.close();
    return answer(
      input,
      rows.map((row) => toCandidate(declaration, toKeptRow(row), Number(row.score))),
    );
  } catch (error) {
    span?.close(error);
    throw error;
  }
}

interface Ranking {
  readonly tokens: readonly string[];
  readonly where: Sql | undefined;
  readonly limit: number;
}

/**
 * The best rows, ties by id.
 *
 * The index gives them by score alone. Where the last one ties with what comes behind it, more are asked for, until the
 * tie has ended and ids can decide.
 */
async function rank(core: CollectionCore, { tokens, where, limit }: Ranking, signal: AbortSignal | undefined): Promise<readonly Row[]> {
  for (let window = limit + 1; ; window *= 4) {
    const rows = (await core.database.read([compose(ranking(core, { tokens, where, limit: window }))], { signal }))?.[0] ?? [];
    const ended = rows.length < window || rows[limit - 1]?.score !== rows.at(-1)?.score;
    if (ended) return rows.slice(0, limit);
  }
}

/** Ranks inside the index, filter included, before any content is read: only the rows of the answer are ever joined. */
function ranking({ tables }: CollectionCore, { tokens, where, limit }: Ranking): Sql {
  const index = trustedSql(tables.names.text);
  // Tokens are made of letters and digits, and quoted all the same: no word of a user is ever syntax.
  const match = tokens.map((token) => `"${token}"`).join(" OR ");
  const may = where === undefined ? sql`` : sql` AND EXISTS (SELECT 1 FROM ${trustedSql(tables.names.rows)} AS r WHERE r.row = ${index}.rowid AND ${where})`;
  // bm25() and not the index's own `rank`, which is computed for all rows before the filter is looked at.
  const hits = sql`SELECT rowid AS row, -bm25(${index}) AS score FROM ${index} WHERE ${index} MATCH ${match}${may} ORDER BY score DESC LIMIT ${limit}`;
  return sql`SELECT ${tables.columns}, hits.score FROM (${hits}) AS hits JOIN ${tables.source} WHERE r.row = hits.row ORDER BY hits.score DESC, r.id`;
}
