import type { RetrievalSearchProvider } from "@codesoul-co/ditto/plugin";
import { asRetrieval } from "../sql/collection-fault.ts";
import { readQueryText } from "../sql/collection/read-query.ts";
import { answer } from "../sql/search-request.ts";
import { joinSql, type Sql, sql, toStatement, trustedSql } from "../sql/sql.ts";
import { candidateColumns, type ExistingRequest, type ExistingTable, existingCandidate, idOrder, readRequest, tableSql, whereSql } from "./existing-table.ts";
import { toPostgresDatabase } from "./open-postgres.ts";
import { postgresDialect } from "./postgres-dialect.ts";

/** The configuration of `postgres.fulltext`. */
export interface FulltextConfiguration extends ExistingTable {
  readonly database: unknown;
  readonly configuration: string;
  readonly columns?: Readonly<Record<string, "A" | "B" | "C" | "D">> | undefined;
  readonly tsvector?: string | undefined;
  readonly bm25?: string | undefined;
  readonly match: "any" | "all";
}

/**
 * Makes a search of a table that is there already by PostgreSQL's own full text.
 *
 * A question becomes the words that its text configuration makes of it, joined by OR or AND; nothing of it is ever syntax, and one of
 * stop words alone finds nothing.
 */
export function fulltextSearch(configuration: FulltextConfiguration, name: string): RetrievalSearchProvider {
  return {
    search: async (input, context = {}) =>
      await asRetrieval(async () => {
        const database = toPostgresDatabase(configuration.database, { name });
        const request = readRequest(configuration, input, context);
        const content = readQueryText(input.query.content);
        const statement = configuration.bm25 === undefined ? byWords(configuration, content, request) : byBm25(configuration, content, request);
        const rows = await database.readWritten(toStatement(statement, postgresDialect.placeholder), { signal: context.signal });
        return answer(
          input,
          rows.map((row) => existingCandidate(configuration, row, { score: Number(row.score), target: configuration.table })),
        );
      }),
  };
}

function byWords(configuration: FulltextConfiguration, content: string, { where, limit }: ExistingRequest): Sql {
  const language = sql`${configuration.configuration}::text::regconfig`;
  const joiner = trustedSql(configuration.match === "all" ? "' & '" : "' | '");
  // Each word in quotes, so that whatever the parser gave stays one word.
  const quoted = sql`'''' || replace(replace(word, '\\', '\\\\'), '''', '''''') || ''''`;
  const query = sql`SELECT array_to_string(array(SELECT ${quoted} FROM unnest(tsvector_to_array(to_tsvector(${language}, ${content}))) AS word), ${joiner}) AS words`;
  const text = documentOf(configuration, language);
  const asked = sql`SELECT asked.words::tsquery AS query FROM (${query}) AS asked WHERE asked.words <> ''`;
  // Flag 1 divides by the logarithm of the length, so that long texts are not found for being long.
  return sql`SELECT ${candidateColumns(configuration)}, ts_rank(${text}, q.query, 1) AS score FROM ${tableSql(configuration)}, (${asked}) AS q
    WHERE ${text} @@ q.query AND ${whereSql(where)} ORDER BY score DESC, ${idOrder(configuration)} LIMIT ${limit}`;
}

function documentOf({ tsvector, columns, content }: FulltextConfiguration, language: Sql): Sql {
  const column = (name: string): Sql => sql`t.${postgresDialect.identifier(name)}`;
  if (tsvector !== undefined) return column(tsvector);
  const weights = Object.entries(columns ?? { [content]: "D" });
  const parts = weights.map(([name, weight]) => sql`setweight(to_tsvector(${language}, coalesce(${column(name)}, '')), ${trustedSql(`'${weight}'`)})`);
  return sql`(${joinSql(parts, " || ")})`;
}

/** pg_textsearch counts downwards from 0: what lies below has a word of the question. */
function byBm25(configuration: FulltextConfiguration, content: string, { where, limit }: ExistingRequest): Sql {
  const distance = sql`t.${postgresDialect.identifier(configuration.content)} <@> to_bm25query(${content}, ${configuration.bm25 ?? ""})`;
  const ranked = sql`SELECT ${candidateColumns(configuration)}, -(${distance}) AS score FROM ${tableSql(configuration)}
    WHERE ${whereSql(where)} ORDER BY ${distance} LIMIT ${limit}`;
  return sql`SELECT * FROM (${ranked}) AS t WHERE t.score > 0 ORDER BY t.score DESC, ${trustedSql('t.id COLLATE "C"')}`;
}
