import type { RetrievalSearchProvider } from "@codesoul-co/ditto/plugin";
import { asRetrieval, CollectionFault } from "../sql/collection-fault.ts";
import { readQueryVector } from "../sql/collection/read-query.ts";
import type { EngineCall, Row } from "../sql/engine/sql-engine.ts";
import { answer } from "../sql/search-request.ts";
import { type Sql, sql, toStatement, trustedSql } from "../sql/sql.ts";
import { candidateColumns, type ExistingTable, existingCandidate, idOrder, readRequest, tableSql, whereSql } from "./existing-table.ts";
import { toPostgresDatabase } from "./open-postgres.ts";
import { searchSettings, vectorText } from "./pgvector-keeper.ts";
import type { PostgresDatabase } from "./postgres-database.ts";
import { postgresDialect, quoteName } from "./postgres-dialect.ts";

/** The configuration of `postgres.vector`. */
export interface VectorConfiguration extends ExistingTable {
  readonly database: unknown;
  readonly vector: string;
  readonly metric: "cosine" | "l2" | "ip";
}

/**
 * Makes a search of a table that is there already by a column of pgvector; the query is a vector.
 *
 * Its score rises with nearness whatever the metric: the cosine, the inner product, or `1 / (1 + distance)`.
 */
export function vectorSearch(configuration: VectorConfiguration, name: string): RetrievalSearchProvider {
  let checked: Promise<ColumnFacts> | undefined;
  return {
    search: async (input, context = {}) =>
      await asRetrieval(async () => {
        const database = toPostgresDatabase(configuration.database, { name });
        const request = readRequest(configuration, input, context);
        const query = readQueryVector(input.query.content);
        checked ??= readColumn(database, configuration, { signal: context.signal });
        const facts = await checked.catch((error: unknown) => {
          // What was wrong may have been put right meanwhile.
          checked = undefined;
          throw error;
        });
        if (facts.dimensions !== undefined && facts.dimensions !== query.length) {
          throw new CollectionFault(
            "embedding",
            `The vector of the query has ${query.length} dimensions, but column "${configuration.vector}" of "${configuration.table}" keeps ${facts.dimensions}`,
          );
        }
        const rows = await nearest(database, { configuration, query, facts, ...request }, { signal: context.signal });
        const { score } = metrics[configuration.metric];
        const found = rows.filter(({ distance }) => Number.isFinite(Number(distance)));
        return answer(
          input,
          found.map((row) => existingCandidate(configuration, row, { score: score(Number(row.distance)), target: configuration.table })),
        );
      }),
  };
}

const metrics = {
  cosine: { operator: "<=>", operatorClass: "cosine_ops", score: (distance: number) => 1 - distance },
  l2: { operator: "<->", operatorClass: "l2_ops", score: (distance: number) => 1 / (1 + distance) },
  // pgvector gives the inner product with its sign turned.
  ip: { operator: "<#>", operatorClass: "ip_ops", score: (distance: number) => -distance },
} as const;

interface ColumnFacts {
  readonly type: string;
  readonly dimensions: number | undefined;
  /** Whether an index may be asked. */
  readonly indexed: boolean;
}

interface Nearest {
  readonly configuration: VectorConfiguration;
  readonly query: Float32Array;
  readonly facts: ColumnFacts;
  readonly where: readonly Sql[];
  readonly limit: number;
}

async function nearest(database: PostgresDatabase, request: Nearest, call: EngineCall): Promise<readonly Row[]> {
  const { configuration, query, facts, where, limit } = request;
  const column = sql`t.${postgresDialect.identifier(configuration.vector)}`;
  const distance = sql`${column} ${trustedSql(metrics[configuration.metric].operator)} ${vectorText(query)}::${trustedSql(facts.type)}`;
  const best = sql`SELECT ${candidateColumns(configuration)}, ${distance} AS distance FROM ${tableSql(configuration)}
    WHERE ${column} IS NOT NULL AND ${whereSql(where)} ORDER BY ${distance}`;
  const byIndex = toStatement(sql`${best} LIMIT ${limit}`, postgresDialect.placeholder);
  const exactly = toStatement(sql`${best}, ${idOrder(configuration)} LIMIT ${limit}`, postgresDialect.placeholder);
  if (!facts.indexed) return await database.readWritten(exactly, call);
  return await database.driver.transaction(
    "snapshot",
    async (session) => {
      await session.query(toStatement(searchSettings(limit), postgresDialect.placeholder));
      const found = await session.query(byIndex);
      if (found.length >= limit) return found;
      // The index gave up before the page was full.
      await session.query({ sql: "SELECT set_config('enable_indexscan', 'off', true)", parameters: [] });
      return await session.query(exactly);
    },
    call,
  );
}

/** @throws CollectionFault `mismatch` Where the column is no vector, or its indexes are of another metric. */
async function readColumn(database: PostgresDatabase, { schema, table, vector, metric }: VectorConfiguration, call: EngineCall): Promise<ColumnFacts> {
  const name = `${schema === undefined ? "" : `${quoteName(schema)}.`}${quoteName(table)}`;
  const [column] = await database.driver.query(
    {
      sql: "SELECT t.typname AS type, a.atttypmod AS size FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid WHERE a.attrelid = to_regclass($1) AND a.attname = $2",
      parameters: [name, vector],
    },
    call,
  );
  if (column === undefined) throw new CollectionFault("mismatch", `There is no column "${vector}" in a table "${table}"`);
  const type = String(column.type);
  if (type !== "vector" && type !== "halfvec") throw new CollectionFault("mismatch", `Column "${vector}" of "${table}" is no vector but ${type}`);
  const indexes = await database.driver.query(
    {
      sql: `SELECT c.opcname AS class FROM pg_index i JOIN pg_opclass c ON c.oid = i.indclass[0] JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
        WHERE i.indrelid = to_regclass($1) AND a.attname = $2`,
      parameters: [name, vector],
    },
    call,
  );
  const wanted = `${type}_${metrics[metric].operatorClass}`;
  const classes = indexes.map((each) => String(each.class)).filter((each) => each.startsWith(`${type}_`));
  if (classes.length > 0 && !classes.includes(wanted)) {
    throw new CollectionFault(
      "mismatch",
      `Column "${vector}" of "${table}" has an index for ${classes.join(", ")}, but the metric "${metric}" needs ${wanted}`,
    );
  }
  const size = Number(column.size);
  return { type, dimensions: size > 0 ? size : undefined, indexed: classes.length > 0 };
}
