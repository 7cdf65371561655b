import type { MemoryCallOptions, MemoryDeleteOutput, MemoryDraft, MemoryItem, MemoryStore } from "@codesoul-co/ditto/plugin";
import type { SqlReader } from "../engine/sql-engine.ts";
import { newId } from "../new-id.ts";
import { indexedTextOf, type PreparedRow, prepareRow, toItem } from "../row.ts";
import { assertParent, scopeOfCall, scopeOfMetadata } from "../scope.ts";
import { changeRows } from "./change-rows.ts";
import { type KeptRow, toKeptRow } from "./collection-reader.ts";
import { getMemories } from "./get-memories.ts";
import { distinctTexts, type LookUp, lookUp } from "./look-up.ts";
import { mergeUpdates, type RowUpdate, updateNeedsVector } from "./plan-updates.ts";
import { queryMemories } from "./query-memories.ts";
import type { TableCore } from "./table-core.ts";
import { beginTransaction } from "./table-transaction.ts";
import { type PlannedUpdates, updateRows } from "./update-rows.ts";

/** Makes the memory store of a collection. What goes wrong is still a `CollectionFault`. */
export function tableStore(core: TableCore): MemoryStore {
  const { declaration } = core;
  return {
    get: async (input, options = {}) => await getMemories(core, { ...input, scope: scopeOfCall(declaration, input.filter) }, options),
    query: async (input, options = {}) => await queryMemories(core, input, options),
    write: async (input, options = {}) => await write(core, input.memories, options),
    update: async (input, options = {}) =>
      await updateRows(
        core,
        { entries: input.memories, scope: scopeOfCall(declaration, input.filter) },
        { options, write: (updates) => writeUpdates(core, updates, options.signal) },
      ),
    delete: async (input, options = {}) => await remove(core, { ids: input.ids, scope: scopeOfCall(declaration, input.filter) }, options),
  };
}

/** Looks rows up inside a transaction. */
export async function lookUpNow(reader: SqlReader, core: TableCore, scope: string, by: LookUp): Promise<readonly KeptRow[]> {
  const rows: KeptRow[] = [];
  for (const statement of lookUp(core, scope, by)) rows.push(...(await reader.all(statement)).map(toKeptRow));
  return rows;
}

/** The length of the vectors that are about to be written. */
export function lengthOf(vectors: Iterable<Float32Array | undefined>): number | undefined {
  for (const vector of vectors) if (vector !== undefined) return vector.length;
  return undefined;
}

/** New rows, all or none. A key that its scope has already is a conflict. */
async function write(core: TableCore, drafts: readonly MemoryDraft[], options: MemoryCallOptions): Promise<readonly MemoryItem[]> {
  if (drafts.length === 0) return [];
  const { declaration, engine } = core;
  const rows = drafts.map((draft, index) => prepareDraft(core, draft, `memories[${index}]`));
  await core.state(options.signal);
  const vectors = await core.embed(rows, options);
  const inserted = rows.map((row, index) => ({ row, vector: vectors[index] }));
  await engine.write(async (writer) => await changeRows(core, await beginTransaction(core, writer, lengthOf(vectors)), { inserted }), options);
  return rows.map((row) => toItem(declaration, { ...row, record: row.recordId }));
}

function prepareDraft({ declaration }: TableCore, draft: MemoryDraft, place: string): PreparedRow {
  const scope = scopeOfMetadata(declaration, draft.metadata, place);
  assertParent(draft.metadata, { place });
  const id = newId();
  return prepareRow(declaration, draft, { id, scope, recordId: id, key: draft.key, place });
}

/** Writes the updates; undefined, and nothing written, where a text is not embedded. */
async function writeUpdates(
  core: TableCore,
  { entries, scope, vectors }: PlannedUpdates,
  signal: AbortSignal | undefined,
): Promise<readonly RowUpdate[] | undefined> {
  return await core.engine.write(
    async (writer) => {
      const transaction = await beginTransaction(core, writer, lengthOf(vectors.values()));
      const kept = await lookUpNow(writer, core, scope, { column: "id", values: entries.map(({ id }) => id) });
      const updates = mergeUpdates(core.declaration, entries, kept);
      if (updates.some((each) => updateNeedsVector(each, vectors))) return undefined;
      await changeRows(core, transaction, {
        updated: updates.map((each) => ({ ...each, vector: indexedTextOf(each.kept) === each.row.text ? undefined : vectors.get(each.row.text) })),
        forgotten: updates.map((each) => each.kept),
      });
      return updates;
    },
    { signal },
  );
}

/** The rows with these ids that exist, in one transaction. */
async function remove(
  core: TableCore,
  request: { readonly ids: readonly string[]; readonly scope: string },
  { signal }: MemoryCallOptions,
): Promise<MemoryDeleteOutput> {
  const ids = distinctTexts(request.ids, "ids");
  if (ids.length === 0 || (await core.state(signal)) === undefined) return { deleted: [] };
  const gone = await core.engine.write(
    async (writer) => {
      const transaction = await beginTransaction(core, writer);
      const rows = await lookUpNow(writer, core, request.scope, { column: "id", values: ids });
      if (rows.length > 0) await changeRows(core, transaction, { removed: rows, forgotten: rows });
      return new Set(rows.map(({ id }) => id));
    },
    { signal },
  );
  return { deleted: ids.filter((id) => gone.has(id)) };
}
