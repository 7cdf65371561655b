import type { Analyzer } from "../analysis/analyzer.ts";
import { CollectionFault } from "../sql/collection-fault.ts";
import { inGroups } from "../sql/collection/look-up.ts";
import { indexedTextOf, isBlank, type PreparedRow } from "../sql/row.ts";
import { writeEntry } from "./catalogue.ts";
import { collectionFields } from "./collection-layout.ts";
import type { MilvusCall, MilvusRow } from "./milvus-database.ts";
import { literal, literals } from "./milvus-expression.ts";
import type { MilvusCore, MilvusState } from "./milvus-core.ts";
import { eachRow, lookUpRows, primaryKey, type StoredRow } from "./read-rows.ts";
import { reweigh } from "./reweigh.ts";
import { rowData } from "./row-data.ts";
import type { TermChanges } from "./term-counts.ts";

/** A row that is to be written, and what stands in its place now. */
export interface RowChange {
  readonly row: PreparedRow;
  readonly kept: StoredRow | undefined;
  /** Its vector; undefined for a row without one. */
  readonly vector: ArrayLike<number> | undefined;
}

/** What one write does to rows. */
export interface RowChanges {
  readonly written?: readonly RowChange[];
  readonly removed?: readonly StoredRow[];
  /** Rows whose records become unlike what ingest knows, so that it writes them again. */
  readonly forgotten?: readonly { readonly scope: string; readonly record: string }[];
}

/**
 * Writes rows with all that belongs to them, then removes rows, then counts. Everything is checked before the first of it is sent. The
 * caller has its turn as a writer.
 *
 * @throws CollectionFault `conflict` When a scope would have a key twice; `input` for what is too long.
 */
export async function changeRows(core: MilvusCore, state: MilvusState, changes: RowChanges, call: MilvusCall): Promise<void> {
  const { written = [], removed = [], forgotten = [] } = changes;
  await assertKeysFree(core, state, { written, removed }, call);
  const analyzer = await core.analyzer();
  const tokens = written.map(({ row }) => (state.text ? tokensOf(analyzer, row.text) : []));
  const average = state.average ?? averageOf(tokens);
  const rows = written.map(({ row, vector }, index) => rowData(core.declaration, state, row, { vector, tokens: tokens[index] ?? [], average: average ?? 1 }));
  const counted = state.text ? countTerms(analyzer, { written, removed, tokens }) : undefined;
  const before = counted === undefined ? undefined : await core.counts.read(state.collection, [...counted.frequencies.keys()], call);

  let now = state;
  if (average !== state.average && average !== undefined) {
    now = { ...state, average };
    await writeEntry(core.database, core.declaration.table, entryOf(now), call);
  }
  for (const group of inPieces(rows)) await core.database.upsert(state.collection, group, call);
  for (const group of inGroups(removed, 1_000)) await core.database.remove(state.collection, `pk in ${literals(group.map(({ pk }) => pk))}`, call);
  if (counted !== undefined && before !== undefined) {
    await core.counts.add(state.collection, before, counted, call);
    await reweigh(core, now, { documents: before.documents + counted.documents, tokens: before.tokens + counted.tokens }, call);
  }
  await forgetHashes(core, state, forgotten, call);
}

/** The entry of a state. */
export function entryOf({ declaration, collection, text, average, index }: MilvusState): Parameters<typeof writeEntry>[2] {
  return { declaration, collection, text, average, index };
}

/** The tokens that a text is found by. */
export function tokensOf(analyzer: Analyzer, text: string): readonly string[] {
  return isBlank(text) ? [] : analyzer.index(text);
}

/** The average length of those texts that have tokens; undefined without any. */
export function averageOf(texts: readonly (readonly string[])[]): number | undefined {
  const lengths = texts.map(({ length }) => length).filter((length) => length > 0);
  return lengths.length === 0 ? undefined : lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
}

/** Pieces of rows that are no larger than a server takes at once. */
export function* inPieces(rows: readonly MilvusRow[]): Generator<readonly MilvusRow[]> {
  let piece: MilvusRow[] = [];
  let size = 0;
  for (const row of rows) {
    const { vector, content, metadata, text, tokens } = row as Readonly<Record<string, { readonly length?: number } | undefined>>;
    const bytes = 2_000 + (vector?.length ?? 0) * 4 + 3 * ((content?.length ?? 0) + (metadata?.length ?? 0) + (text?.length ?? 0)) + 8 * Number(tokens ?? 0);
    if (piece.length > 0 && (size + bytes > largestPiece || piece.length >= 1_000)) {
      yield piece;
      piece = [];
      size = 0;
    }
    piece.push(row);
    size += bytes;
  }
  if (piece.length > 0) yield piece;
}

const largestPiece = 16_000_000;

async function assertKeysFree(
  core: MilvusCore,
  state: MilvusState,
  { written, removed }: Required<Pick<RowChanges, "written" | "removed">>,
  call: MilvusCall,
): Promise<void> {
  const asked = new Map<string, Map<string, PreparedRow>>();
  for (const { row } of written) {
    if (row.key === null) continue;
    const keys = asked.get(row.scope) ?? new Map<string, PreparedRow>();
    if (keys.has(row.key)) throw keyInUse(row);
    asked.set(row.scope, keys.set(row.key, row));
  }
  const free = new Set([...removed.map(({ pk }) => pk), ...written.map(({ row }) => primaryKey(row.scope, row.id))]);
  for (const [scope, keys] of asked) {
    for (const row of await lookUpRows(core, { collection: state.collection, scope, column: "key", values: [...keys.keys()] }, call)) {
      const wanted = row.key === null ? undefined : keys.get(row.key);
      if (wanted !== undefined && !free.has(row.pk)) throw keyInUse(wanted);
    }
  }
}

function keyInUse({ place }: PreparedRow): CollectionFault {
  return new CollectionFault("conflict", `The key of ${place} is in use already`);
}

function countTerms(
  analyzer: Analyzer,
  { written, removed, tokens }: Required<Pick<RowChanges, "written" | "removed">> & { readonly tokens: readonly (readonly string[])[] },
): TermChanges {
  const frequencies = new Map<string, number>();
  let documents = 0;
  let total = 0;
  const count = (text: readonly string[], sign: 1 | -1): void => {
    if (text.length === 0) return;
    documents += sign;
    total += sign * text.length;
    for (const term of new Set(text)) frequencies.set(term, (frequencies.get(term) ?? 0) + sign);
  };
  for (const [index, { kept }] of written.entries()) {
    if (kept !== undefined) count(tokensOf(analyzer, indexedTextOf(kept)), -1);
    count(tokens[index] ?? [], 1);
  }
  for (const kept of removed) count(tokensOf(analyzer, indexedTextOf(kept)), -1);
  for (const [term, change] of frequencies) if (change === 0) frequencies.delete(term);
  return { documents, tokens: total, frequencies };
}

/** Writes rows again as they are, without the hashes of their records. */
async function forgetHashes(core: MilvusCore, state: MilvusState, forgotten: NonNullable<RowChanges["forgotten"]>, call: MilvusCall): Promise<void> {
  const byScope = new Map<string, Set<string>>();
  for (const { scope, record } of forgotten) byScope.set(scope, (byScope.get(scope) ?? new Set()).add(record));
  const columns = allColumns(core, state);
  for (const [scope, records] of byScope) {
    for (const group of inGroups([...records], 500)) {
      const where = `scope == ${literal(scope)} and record in ${literals(group)} and hash != ""`;
      for await (const rows of eachRow(core, { collection: state.collection, where, columns, pageSize: 500 }, call)) {
        for (const piece of inPieces(rows.map((row) => ({ ...row, hash: "" })))) await core.database.upsert(state.collection, piece, call);
      }
    }
  }
}

/** Every column that a row of this collection has. */
export function allColumns({ declaration, index }: Pick<MilvusCore, "declaration" | "index">, state: MilvusState): readonly string[] {
  const fields = declaration.fields.filter(({ name }) => state.hasColumn(name));
  const layout = { collection: state.collection, fields, dimensions: state.dimensions, text: state.text, index };
  return collectionFields(layout).map((field) => String((field as { readonly name: string }).name));
}
