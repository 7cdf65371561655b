import type { EngineCall, EngineDialect, InsertTarget, Row, SqlEngine, SqlReader, SqlWriter } from "../engine/sql-engine.ts";
import { collectionsTable, collectionTableNames } from "../engine/table-names.ts";
import type { NearestRequest, NearestRow, VectorKeeper } from "../engine/vector-keeper.ts";
import { type Sql, sql, type Statement, toStatement, trustedSql } from "../sql.ts";
import { BestScores } from "./best-scores.ts";
import { cosine, fromBytes, toBytes, toUnit } from "./cosine.ts";
import { Turns } from "./turns.ts";
import { VectorIndex } from "./vector-index.ts";

/** Most bytes of codes that one collection may take in memory: 2.7 million vectors of 384 dimensions. Beyond, every search reads them. */
const largestIndexBytes = 2 ** 30;
/** Up to here the rows that may be found are compared one by one, and no index is needed. */
const fewRows = 4096;
/** With so many marks, reading all vectors anew is cheaper than keeping them. */
const mostGone = 10_000;
/** Vectors that are read at once. */
const batchSize = 5000;

/**
 * Keeps vectors as bytes, for servers without vectors of their own, and finds the nearest exactly.
 *
 * Their table has `row` (primary key), `change` with an index, and `vector`, null for a mark that it is gone. Codes of one byte a
 * dimension are held in memory and brought up to date by `change` before each search; the rows that can be among the nearest are then
 * compared as they are kept.
 */
export class KeptVectors implements VectorKeeper {
  readonly #dialect: EngineDialect;
  readonly #indexes = new Map<string, VectorIndex>();
  readonly #turns = new Turns();

  constructor(dialect: EngineDialect) {
    this.#dialect = dialect;
  }

  async set(writer: SqlWriter, table: string, change: number, vectors: readonly (readonly [row: number, vector: Float32Array])[]): Promise<void> {
    const rows = vectors.map(([row]) => row);
    const { identifier, isOneOf } = this.#dialect;
    await writer.run(this.#compose(sql`DELETE FROM ${this.#table(table)} WHERE ${isOneOf(identifier("row"), rows)}`));
    await writer.insert(
      vectorTarget(table),
      vectors.map(([row, vector]) => [row, change, toBytes(vector)]),
    );
  }

  /** Leaves marks, from which indexes in memory learn that the vectors are gone; many of them are swept out. */
  async drop(writer: SqlWriter, table: string, change: number, rows: readonly number[]): Promise<void> {
    const { identifier, isOneOf } = this.#dialect;
    const [catalogue, where] = [identifier(collectionsTable), sql`${isOneOf(identifier("row"), rows)} AND vector IS NOT NULL`];
    const [counted] = await writer.all(this.#compose(sql`SELECT count(*) AS count FROM ${this.#table(table)} WHERE ${where}`));
    const count = Number(counted?.count);
    if (count === 0) return;
    await writer.run(this.#compose(sql`UPDATE ${this.#table(table)} SET vector = NULL, ${identifier("change")} = ${change} WHERE ${where}`));
    const [state] = await writer.all(this.#compose(sql`SELECT c.gone FROM ${catalogue} AS c WHERE c.name = ${table}`));
    const gone = Number(state?.gone) + count;
    if (gone < mostGone) {
      await writer.run(this.#compose(sql`UPDATE ${catalogue} SET gone = ${gone} WHERE name = ${table}`));
      return;
    }
    await writer.run(this.#compose(sql`DELETE FROM ${this.#table(table)} WHERE vector IS NULL`));
    await writer.run(this.#compose(sql`UPDATE ${catalogue} SET gone = 0, compacted = ${change} WHERE name = ${table}`));
  }

  async read(reader: SqlReader, table: string, rows: readonly number[]): Promise<ReadonlyMap<number, Float32Array>> {
    if (rows.length === 0) return new Map();
    const found = await reader.all(this.#vectorsOf(table, rows));
    return new Map(found.flatMap(({ row, vector }) => (vector instanceof Uint8Array ? [[Number(row), fromBytes(vector)] as const] : [])));
  }

  async nearest(engine: SqlEngine, request: NearestRequest, call: EngineCall): Promise<readonly NearestRow[]> {
    const query = toUnit(request.query);
    // Indexes are brought up to date in turn, each on a later state than the one before; the rest of a search is on its own state.
    return await this.#turns.take(request.table, (next) =>
      engine.snapshot(async (reader) => {
        const allowed = await this.#allowedRows(reader, request);
        const index = allowed !== undefined && allowed.length <= fewRows ? undefined : await this.#upToDate(reader, request);
        const rows = index?.candidates(query, request.limit, allowed) ?? allowed;
        next();
        const compared = await this.#compare(reader, { ...request, unit: query, rows });
        return await this.#readRows(reader, request, compared);
      }, call),
    );
  }

  async #allowedRows(reader: SqlReader, { table, where }: NearestRequest): Promise<readonly number[] | undefined> {
    if (where === undefined) return undefined;
    const found = await reader.all(this.#compose(sql`SELECT r.row FROM ${this.#dialect.identifier(table)} AS r WHERE ${where}`));
    return found.map(({ row }) => Number(row));
  }

  /** Brings a collection's index up to the state that is read; undefined where it would be too large. */
  async #upToDate(reader: SqlReader, { table, dimensions }: NearestRequest): Promise<VectorIndex | undefined> {
    const catalogue = this.#dialect.identifier(collectionsTable);
    const [state] = await reader.all(this.#compose(sql`SELECT c.change, c.compacted FROM ${catalogue} AS c WHERE c.name = ${table}`));
    const change = Number(state?.change);
    const known = this.#indexes.get(table);
    if (known?.change === change && known.dimensions === dimensions) return known;
    const follows = known !== undefined && known.dimensions === dimensions && known.change >= Number(state?.compacted) && known.change <= change;
    const index = follows ? known : new VectorIndex(dimensions);
    this.#indexes.delete(table);
    const [counted] = await reader.all(this.#compose(sql`SELECT count(*) AS count FROM ${this.#table(table)}`));
    if (Number(counted?.count) * index.bytesPerVector > largestIndexBytes) return undefined;
    const missing = follows ? sql`${trustedSql("v.change")} > ${index.change}` : sql`v.vector IS NOT NULL`;
    for await (const rows of this.#batches(reader, table, missing)) {
      for (const { row, vector } of rows) index.apply({ row: Number(row), vector: vector instanceof Uint8Array ? vector : null });
    }
    index.change = change;
    this.#indexes.set(table, index);
    return index;
  }

  /** The best of these rows, of all where none are named, with all that tie with the last one. */
  async #compare(
    reader: SqlReader,
    { table, limit, unit, rows }: NearestRequest & { readonly unit: Float64Array; readonly rows: readonly number[] | undefined },
  ): Promise<ReadonlyMap<number, number>> {
    const best = new BestScores(limit);
    const scores = new Map<number, number>();
    const compare = (found: readonly Row[]): void => {
      for (const { row, vector } of found) {
        if (!(vector instanceof Uint8Array)) continue;
        const score = cosine(unit, fromBytes(vector));
        if (score < best.threshold) continue;
        best.add(score);
        scores.set(Number(row), score);
      }
    };
    if (rows === undefined) for await (const found of this.#batches(reader, table, sql`v.vector IS NOT NULL`)) compare(found);
    for (let start = 0; start < (rows?.length ?? 0); start += batchSize) {
      compare(await reader.all(this.#vectorsOf(table, rows?.slice(start, start + batchSize) ?? [])));
    }
    return new Map([...scores].filter(([, score]) => score >= best.threshold));
  }

  async #readRows(reader: SqlReader, { table, limit, columns }: NearestRequest, scores: ReadonlyMap<number, number>): Promise<readonly NearestRow[]> {
    if (scores.size === 0) return [];
    const isFound = this.#dialect.isOneOf(trustedSql("r.row"), [...scores.keys()]);
    const found = await reader.all(this.#compose(sql`SELECT ${columns} FROM ${this.#dialect.identifier(table)} AS r WHERE ${isFound}`));
    return found
      .map((row) => ({ row, score: scores.get(Number(row.row)) ?? 0 }))
      .sort((a, b) => b.score - a.score || Buffer.compare(Buffer.from(String(a.row.id)), Buffer.from(String(b.row.id))))
      .slice(0, limit);
  }

  async *#batches(reader: SqlReader, table: string, where: Sql): AsyncGenerator<readonly Row[]> {
    let last = 0;
    for (;;) {
      const batch = sql`SELECT v.row, v.vector FROM ${this.#table(table)} AS v WHERE v.row > ${last} AND ${where} ORDER BY v.row LIMIT ${batchSize}`;
      const rows = await reader.all(this.#compose(batch));
      if (rows.length > 0) yield rows;
      if (rows.length < batchSize) return;
      last = Number(rows.at(-1)?.row);
    }
  }

  #vectorsOf(table: string, rows: readonly number[]): Statement {
    const isAsked = this.#dialect.isOneOf(trustedSql("v.row"), rows);
    return this.#compose(sql`SELECT v.row, v.vector FROM ${this.#table(table)} AS v WHERE ${isAsked} AND v.vector IS NOT NULL`);
  }

  #table(table: string): Sql {
    return this.#dialect.identifier(collectionTableNames(table).vectors);
  }

  #compose(piece: Sql): Statement {
    return toStatement(piece, this.#dialect.placeholder);
  }
}

function vectorTarget(table: string): InsertTarget {
  return {
    table: collectionTableNames(table).vectors,
    columns: [
      { name: "row", type: "integer" },
      { name: "change", type: "integer" },
      { name: "vector", type: "bytes" },
    ],
  };
}
