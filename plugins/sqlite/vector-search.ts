import type { RetrievalExecutionContext, RetrievalSearchInput, RetrievalSearchOutput, RetrievalSearchProvider } from "@codesoul-co/ditto/plugin";
import { toKeptRow } from "../sql/collection/collection-reader.ts";
import { searchConditions } from "../sql/collection/search-conditions.ts";
import { assertDimensions, readQueryVector } from "../sql/collection/read-query.ts";
import { answer, readSearch, toCandidate } from "../sql/search-request.ts";
import { sql, trustedSql } from "../sql/sql.ts";
import type { CollectionCore } from "./collection-core.ts";
import { compose } from "./collection-tables.ts";

/** Makes the vector search of a collection: the exact nearest of the rows that may be found, by cosine. */
export function vectorSearch(core: CollectionCore): RetrievalSearchProvider {
  return { search: async (input, context = {}) => await search(core, input, context) };
}

async function search(core: CollectionCore, input: RetrievalSearchInput, context: RetrievalExecutionContext): Promise<RetrievalSearchOutput> {
  const { declaration, database, tables } = core;
  const request = readSearch(declaration, input, context);
  const query = readQueryVector(input.query.content);
  const state = await core.state(context.signal);
  const dimensions = state?.dimensions ?? declaration.facts.embedding?.dimensions;
  assertDimensions(query, dimensions, declaration);
  if (state === undefined || dimensions === undefined) return answer(input, []);
  const where = searchConditions(core, { state, ...request });
  const span = context.trace?.open("statement", declaration.facts.name, { dimensions });
  try {
    const rows = await database.nearest(
      {
        collection: declaration.table,
        dimensions,
        query,
        limit: request.limit,
        allowed: where === undefined ? undefined : compose(sql`SELECT r.row FROM ${trustedSql(tables.names.rows)} AS r WHERE ${where}`),
        contents: compose(sql`SELECT ${tables.columns} FROM ${tables.source} WHERE r.row IN (SELECT value FROM json_each(${"[]"}))`).sql,
      },
      { signal: context.signal },
    );
    span?.add({ rows: rows?.length ?? 0 });
    span?.close();
    return answer(
      input,
      (rows ?? []).map(({ row, score }) => toCandidate(declaration, toKeptRow(row), score)),
    );
  } catch (error) {
    span?.close(error);
    throw error;
  }
}
