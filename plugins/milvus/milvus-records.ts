import type { CollectionCallOptions, CollectionRecord, CollectionRecords, CollectionWriteReport } from "@codesoul-co/ditto/plugin";
import { CollectionFault } from "../sql/collection-fault.ts";
import { distinctTexts, inGroups } from "../sql/collection/look-up.ts";
import { assertSameRecord, needsVector, prepareRecords } from "../sql/collection/plan-records.ts";
import { countCut } from "../sql/embed-texts.ts";
import { parseFilter } from "../sql/filter.ts";
import type { PreparedRow } from "../sql/row.ts";
import { scopeOfNamespace } from "../sql/scope.ts";
import { changeRows } from "./change-rows.ts";
import { rowColumns } from "./collection-layout.ts";
import { decodeText } from "./encode-value.ts";
import { literal, literals } from "./milvus-expression.ts";
import type { MilvusCore, MilvusState } from "./milvus-core.ts";
import { vectorFor } from "./milvus-store.ts";
import { countRows, readingRows, scanRows } from "./query-rows.ts";
import { eachRow, lookUpRows, rowExpression, type StoredRow, toStoredRow } from "./read-rows.ts";
import { inTurn } from "./write-queue.ts";

/** Makes the bulk port of a collection. What goes wrong is still a `CollectionFault`. */
export function milvusRecords(core: MilvusCore): CollectionRecords {
  return {
    count: async (options = {}) => await countRows(core, options),
    hashes: async (ids, options = {}) => await readHashes(core, ids, options),
    replace: async (records, options = {}) => await replace(core, records, options),
    remove: async (ids, options = {}) => {
      const values = distinctTexts(ids, "ids");
      const scope = scopeOfNamespace(core.declaration, options.namespace);
      if (values.length === 0) return 0;
      return await removeRows(core, async ({ collection }) => await lookUpRows(core, { collection, scope, column: "record", values }, options), options);
    },
    removeWhere: async (filter, options = {}) => await removeWhere(core, filter, options),
    scan: (options = {}) => scanRows(core, options),
  };
}

/**
 * The kept hashes of records. A record has a hash where all its rows still do, and the same: rows of an older version that were left
 * behind, because a write was cut off, make ingest write the record again.
 */
async function readHashes(core: MilvusCore, ids: readonly string[], options: CollectionCallOptions): Promise<ReadonlyMap<string, string>> {
  const values = distinctTexts(ids, "ids");
  const scope = scopeOfNamespace(core.declaration, options.namespace);
  if (values.length === 0) return new Map();
  return await readingRows(core, options, async ({ collection }) => {
    const hashes = new Map<string, string | null>();
    for (const group of inGroups(values, 1_000)) {
      const where = `scope == ${literal(scope)} and record in ${literals(group)}`;
      for await (const rows of eachRow(core, { collection, where, columns: ["record", "hash"] }, options)) {
        for (const row of rows) {
          const [record, hash] = [String(row.record), decodeText(row.hash)];
          hashes.set(record, !hashes.has(record) || hashes.get(record) === hash ? hash : null);
        }
      }
    }
    return new Map([...hashes].flatMap(([record, hash]) => (hash === null ? [] : [[record, hash] as const])));
  });
}

async function removeWhere(core: MilvusCore, filter: Readonly<Record<string, unknown>>, options: CollectionCallOptions): Promise<number> {
  const scope = scopeOfNamespace(core.declaration, options.namespace);
  const conditions = parseFilter(filter, core.declaration.filterFields);
  if (conditions.length === 0) throw new CollectionFault("filter", "Removing needs a filter with at least one condition");
  return await removeRows(
    core,
    async (state) => {
      const where = await rowExpression(core, { state, scope, conditions }, options);
      const found: StoredRow[] = [];
      for await (const rows of eachRow(core, { collection: state.collection, where, columns: rowColumns, pageSize: 2_000 }, options)) {
        found.push(...rows.map(toStoredRow));
      }
      return found;
    },
    options,
  );
}

async function removeRows(core: MilvusCore, find: (state: MilvusState) => Promise<readonly StoredRow[]>, options: CollectionCallOptions): Promise<number> {
  return await inTurn(core.turn, options.signal, async () => {
    const state = await core.freshState(options);
    const rows = await find(state);
    if (rows.length > 0) await changeRows(core, state, { removed: rows, forgotten: rows }, options);
    return rows.length;
  });
}

/** Writes records whole: their rows as they are now, and none of those they no longer have. A row whose text did not change keeps its vector. */
async function replace(core: MilvusCore, records: readonly CollectionRecord[], options: CollectionCallOptions): Promise<CollectionWriteReport> {
  const scope = scopeOfNamespace(core.declaration, options.namespace);
  const rows = prepareRecords(core.declaration, records, scope);
  if (records.length === 0) return { written: 0, removed: 0, cut: 0 };
  const plan = { rows, records: records.map(({ id }) => id), scope };
  const vectors = new Map<string, Float32Array | undefined>();
  const texts = rows.map(({ text }) => text);
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    if (core.embedding !== undefined) {
      const before = await readingRows(core, options, async (state) => await readBefore(core, state, { ...plan, vectors: false }, options));
      const fresh = rows.filter((row) => needsVector(before.get(row.id), row, vectors));
      for (const [index, vector] of (await core.embed(fresh, options)).entries()) vectors.set(fresh[index]?.text ?? "", vector);
    }
    const removed = await inTurn(core.turn, options.signal, async () => {
      const state = await core.freshState(options);
      const now = await readBefore(core, state, { ...plan, vectors: state.dimensions !== undefined }, options);
      if (core.embedding !== undefined && rows.some((row) => needsVector(now.get(row.id), row, vectors))) return undefined;
      const ids = new Set(rows.map(({ id }) => id));
      const replaced = new Set(plan.records);
      const left = [...now.values()].filter(({ id, record }) => !ids.has(id) && replaced.has(record));
      const written = rows.map((row) => {
        const kept = now.get(row.id);
        if (kept !== undefined) assertSameRecord(kept, row);
        return { row: { ...row, key: row.key ?? kept?.key ?? null }, kept, vector: vectorFor(kept, row, vectors) };
      });
      await changeRows(core, state, { written, removed: left }, options);
      return left.length;
    });
    if (removed !== undefined) return { written: rows.length, removed, cut: countCut(core.embedding, texts) };
  }
  throw new CollectionFault("conflict", "The records keep being changed by somebody else");
}

/** An attempt is in vain only when somebody else wrote other texts meanwhile. */
const mostAttempts = 10;

interface ReplacePlan {
  readonly rows: readonly PreparedRow[];
  readonly records: readonly string[];
  readonly scope: string;
  readonly vectors: boolean;
}

/** The rows that these records have now, and any others that have an id of theirs. */
async function readBefore(
  core: MilvusCore,
  { collection }: MilvusState,
  plan: ReplacePlan,
  options: CollectionCallOptions,
): Promise<ReadonlyMap<string, StoredRow>> {
  const { rows, records, scope, vectors } = plan;
  const found = await Promise.all([
    lookUpRows(core, { collection, scope, column: "record", values: records, vectors }, options),
    lookUpRows(core, { collection, scope, column: "id", values: rows.map(({ id }) => id), vectors }, options),
  ]);
  return new Map(found.flat().map((row) => [row.id, row]));
}
