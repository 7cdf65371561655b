import type { EngineCall, Row, SqlEngine, SqlReader, SqlWriter } from "../sql/engine/sql-engine.ts";
import { collectionTableNames } from "../sql/engine/table-names.ts";
import type { NearestRequest, NearestRow, VectorKeeper } from "../sql/engine/vector-keeper.ts";
import { type Sql, sql, toStatement, trustedSql } from "../sql/sql.ts";
import { postgresDialect } from "./postgres-dialect.ts";

/** Keeps vectors in a column of pgvector, and lets PostgreSQL find the nearest: exactly, or by an HNSW index. */
export class PgvectorKeeper implements VectorKeeper {
  readonly #indexed: boolean;

  constructor({ indexed }: { readonly indexed: boolean }) {
    this.#indexed = indexed;
  }

  async set(writer: SqlWriter, table: string, _change: number, vectors: readonly (readonly [row: number, vector: Float32Array])[]): Promise<void> {
    await this.drop(
      writer,
      table,
      0,
      vectors.map(([row]) => row),
    );
    await writer.insert(
      {
        table: collectionTableNames(table).vectors,
        columns: [
          { name: "row", type: "integer" },
          { name: "vector", type: "vector" },
        ],
      },
      vectors.map(([row, vector]) => [row, vectorText(vector)]),
    );
  }

  async drop(writer: SqlWriter, table: string, _change: number, rows: readonly number[]): Promise<void> {
    const { isOneOf, identifier } = postgresDialect;
    await writer.run(compose(sql`DELETE FROM ${vectorsOf(table)} WHERE ${isOneOf(identifier("row"), rows)}`));
  }

  async read(reader: SqlReader, table: string, rows: readonly number[]): Promise<ReadonlyMap<number, Float32Array>> {
    const isAsked = postgresDialect.isOneOf(trustedSql("v.row"), rows);
    const found = await reader.all(compose(sql`SELECT v.row, v.vector::text AS vector FROM ${vectorsOf(table)} AS v WHERE ${isAsked}`));
    return new Map(found.map(({ row, vector }) => [Number(row), Float32Array.from(JSON.parse(String(vector)) as readonly number[])]));
  }

  async nearest(engine: SqlEngine, request: NearestRequest, call: EngineCall): Promise<readonly NearestRow[]> {
    if (!this.#indexed) return toNearest(await engine.read(compose(nearestExactly(request)), call));
    return await engine.snapshot(async (reader) => {
      await reader.all(compose(searchSettings(request.limit)));
      const found = await reader.all(compose(nearestByIndex(request)));
      if (found.length >= request.limit) return toNearest(found);
      // The index gave up before the page was full: rows that are there are never left out.
      await reader.all(compose(sql`SELECT set_config('enable_indexscan', 'off', true)`));
      return toNearest(await reader.all(compose(nearestExactly(request))));
    }, call);
  }
}

/** A vector as pgvector reads it. */
export function vectorText(vector: Float32Array): string {
  return `[${vector.join(",")}]`;
}

/**
 * What lets an index go on until enough rows pass the filter; for this transaction only.
 *
 * @param limit How many rows are asked for.
 */
export function searchSettings(limit: number): Sql {
  return sql`SELECT set_config('hnsw.iterative_scan', 'strict_order', true), set_config('hnsw.max_scan_tuples', '2147483647', true),
    set_config('hnsw.ef_search', ${String(Math.min(1000, Math.max(100, limit)))}, true)`;
}

function nearestExactly({ table, query, limit, where, columns }: NearestRequest): Sql {
  const distance = sql`v.vector <=> ${vectorText(query)}::vector`;
  const ranked = sql`SELECT v.row, ${distance} AS distance FROM ${vectorsOf(table)} AS v${joined(table, where)}`;
  const last = sql`SELECT last.distance FROM ranked AS last ORDER BY last.distance OFFSET ${limit - 1} LIMIT 1`;
  // All that tie with the last one are looked at, so that ids can decide.
  const best = sql`SELECT ranked.row, ranked.distance FROM ranked WHERE ranked.distance <= coalesce((${last}), 'infinity'::float8)`;
  return sql`WITH ranked AS MATERIALIZED (${ranked}) SELECT ${columns}, best.distance FROM (${best}) AS best ${wholeRows(table, limit)}`;
}

function nearestByIndex({ table, query, limit, where, columns }: NearestRequest): Sql {
  const distance = sql`v.vector <=> ${vectorText(query)}::vector`;
  const best = sql`SELECT v.row, ${distance} AS distance FROM ${vectorsOf(table)} AS v${joined(table, where)} ORDER BY ${distance} LIMIT ${limit}`;
  return sql`SELECT ${columns}, best.distance FROM (${best}) AS best ${wholeRows(table, limit)}`;
}

function joined(table: string, where: Sql | undefined): Sql {
  return where === undefined ? sql`` : sql` JOIN ${postgresDialect.identifier(table)} AS r ON r.row = v.row WHERE ${where}`;
}

function wholeRows(table: string, limit: number): Sql {
  return sql`JOIN ${postgresDialect.identifier(table)} AS r ON r.row = best.row ORDER BY best.distance, r.id LIMIT ${limit}`;
}

function toNearest(rows: readonly Row[]): readonly NearestRow[] {
  return rows.map((row) => ({ row, score: Math.max(-1, Math.min(1, 1 - Number(row.distance))) }));
}

function vectorsOf(table: string): Sql {
  return postgresDialect.identifier(collectionTableNames(table).vectors);
}

function compose(piece: Sql): ReturnType<typeof toStatement> {
  return toStatement(piece, postgresDialect.placeholder);
}
