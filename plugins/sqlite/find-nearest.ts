import type { SqlValue, Statement } from "../sql/sql.ts";
import { collectionsTable, partNames } from "./table-names.ts";
import type { NearestRequest, NearestRow, Row } from "./sqlite-executor.ts";
import { BestScores } from "../sql/vectors/best-scores.ts";
import { cosine, fromBytes, toUnit } from "../sql/vectors/cosine.ts";
import { VectorIndex } from "../sql/vectors/vector-index.ts";

/** What is needed of a connection. */
export interface VectorReader {
  all(statement: Statement): readonly Row[];
  numbers(statement: Statement): readonly number[];
  iterate(statement: Statement): IterableIterator<Row>;
}

/** Most bytes of codes that one collection may take in memory: 2.7 million vectors of 384 dimensions. Beyond, every search reads the file. */
const largestIndexBytes = 2 ** 30;
/** Up to here the rows that may be found are compared one by one, and no index is needed. */
const fewRows = 4096;

/**
 * Finds the nearest rows, exactly: among those that may be found, ties by id.
 *
 * @param indexes The connection's indexes by collection; they are kept up to date here.
 */
export function findNearest(reader: VectorReader, indexes: Map<string, VectorIndex>, request: NearestRequest): readonly NearestRow[] {
  const query = toUnit(request.query);
  const { vectors } = partNames(request.collection);
  const allowed = request.allowed === undefined ? undefined : reader.numbers(request.allowed);
  const index = allowed !== undefined && allowed.length <= fewRows ? undefined : upToDate(reader, indexes, request);
  const rows = index?.candidates(query, request.limit, allowed) ?? allowed;
  const compared =
    rows === undefined
      ? compare(reader.iterate({ sql: `SELECT row, vector FROM ${vectors} WHERE vector IS NOT NULL`, parameters: [] }), query, request.limit)
      : compare(
          reader.iterate(byRows(`SELECT row, vector FROM ${vectors} WHERE vector IS NOT NULL AND row IN (SELECT value FROM json_each(?))`, rows)),
          query,
          request.limit,
        );
  const scores = new Map(compared.map(({ row, score }) => [row, score]));
  return reader
    .all(byRows(request.contents, [...scores.keys()]))
    .map((row) => ({ row, score: scores.get(Number(row.row)) ?? 0 }))
    .sort((a, b) => b.score - a.score || compareBytes(a.row.id, b.row.id))
    .slice(0, request.limit);
}

/** Brings a collection's index up to the state that is read; undefined where it would be too large. */
function upToDate(reader: VectorReader, indexes: Map<string, VectorIndex>, { collection, dimensions }: NearestRequest): VectorIndex | undefined {
  const [state] = reader.all({ sql: `SELECT change, compacted FROM ${collectionsTable} WHERE name = ?`, parameters: [collection] });
  const change = Number(state?.change);
  const known = indexes.get(collection);
  if (known?.change === change && known.dimensions === dimensions) return known;
  const { vectors } = partNames(collection);
  const follows = known !== undefined && known.dimensions === dimensions && known.change >= Number(state?.compacted) && known.change <= change;
  const index = follows ? known : new VectorIndex(dimensions);
  const missing: Statement = follows
    ? { sql: `SELECT row, vector FROM ${vectors} WHERE change > ?`, parameters: [index.change] }
    : { sql: `SELECT row, vector FROM ${vectors} WHERE vector IS NOT NULL`, parameters: [] };
  const count = Number(reader.all({ sql: `SELECT count(*) AS count FROM ${vectors}`, parameters: [] })[0]?.count);
  indexes.delete(collection);
  if (count * index.bytesPerVector > largestIndexBytes) return undefined;
  for (const { row, vector } of reader.iterate(missing)) index.apply({ row: Number(row), vector: vector instanceof Uint8Array ? vector : null });
  index.change = change;
  indexes.set(collection, index);
  return index;
}

interface ComparedRow {
  readonly row: number;
  readonly score: number;
}

/** The best of these vectors, with all that tie with the last one. */
function compare(found: Iterable<Row>, query: Float64Array, limit: number): readonly ComparedRow[] {
  const best = new BestScores(limit);
  let kept: ComparedRow[] = [];
  let most = 4 * limit + 1000;
  for (const { row, vector } of found) {
    if (!(vector instanceof Uint8Array)) continue;
    const score = cosine(query, fromBytes(vector));
    if (score < best.threshold) continue;
    best.add(score);
    kept.push({ row: Number(row), score });
    if (kept.length <= most) continue;
    kept = kept.filter((each) => each.score >= best.threshold);
    most = Math.max(most, 2 * kept.length);
  }
  return kept.filter(({ score }) => score >= best.threshold);
}

function byRows(sql: string, rows: readonly number[]): Statement {
  return { sql, parameters: [JSON.stringify(rows)] };
}

function compareBytes(a: SqlValue | undefined, b: SqlValue | undefined): number {
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}
