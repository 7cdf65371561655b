import type { MemoryCallOptions, MemoryDeleteOutput, MemoryDraft, MemoryGetInput, MemoryItem, MemoryStore } from "@codesoul-co/ditto/plugin";
import { CollectionFault } from "../sql/collection-fault.ts";
import { distinctTexts } from "../sql/collection/look-up.ts";
import { assertUpdates, mergeUpdates, type UpdateRequest, updateNeedsVector } from "../sql/collection/plan-updates.ts";
import { newId } from "../sql/new-id.ts";
import { indexedTextOf, type PreparedRow, prepareRow, toItem } from "../sql/row.ts";
import { assertParent, scopeOfCall, scopeOfMetadata } from "../sql/scope.ts";
import { changeRows } from "./change-rows.ts";
import type { MilvusCore } from "./milvus-core.ts";
import { queryRows, readingRows } from "./query-rows.ts";
import { lookUpRows, type StoredRow } from "./read-rows.ts";
import { inTurn } from "./write-queue.ts";

/** Makes the memory store of a collection. What goes wrong is still a `CollectionFault`. */
export function milvusStore(core: MilvusCore): MemoryStore {
  const { declaration } = core;
  return {
    get: async (input, options = {}) => await get(core, { ...input, scope: scopeOfCall(declaration, input.filter) }, options),
    query: async (input, options = {}) => await queryRows(core, input, options),
    write: async (input, options = {}) => await write(core, input.memories, options),
    update: async (input, options = {}) => await update(core, { entries: input.memories, scope: scopeOfCall(declaration, input.filter) }, options),
    delete: async (input, options = {}) => await remove(core, { ids: input.ids, scope: scopeOfCall(declaration, input.filter) }, options),
  };
}

/** The vector that a row gets: a new one where its text changed, else the one that it has. */
export function vectorFor(
  kept: StoredRow | undefined,
  row: PreparedRow,
  vectors: ReadonlyMap<string, Float32Array | undefined>,
): ArrayLike<number> | undefined {
  return kept !== undefined && indexedTextOf(kept) === row.text ? kept.vector : vectors.get(row.text);
}

async function get(
  core: MilvusCore,
  input: Pick<MemoryGetInput, "ids" | "keys"> & { readonly scope: string },
  { signal }: MemoryCallOptions,
): Promise<readonly MemoryItem[]> {
  const ids = distinctTexts(input.ids ?? [], "ids");
  const keys = distinctTexts(input.keys ?? [], "keys");
  if (ids.length === 0 && keys.length === 0) return [];
  return await readingRows(core, { signal }, async ({ collection }) => {
    const [byId, byKey] = await Promise.all(
      (["id", "key"] as const).map(async (column) => {
        const values = column === "id" ? ids : keys;
        const rows = values.length === 0 ? [] : await lookUpRows(core, { collection, scope: input.scope, column, values }, { signal });
        return new Map(rows.map((row) => [row[column], row]));
      }),
    );
    const found = [...ids.map((id) => byId?.get(id)), ...keys.map((key) => byKey?.get(key))];
    return [...new Map(found.flatMap((row) => (row === undefined ? [] : [[row.id, toItem(core.declaration, row)] as const]))).values()];
  });
}

/** New rows. A key that its scope has already is a conflict, among the writers of one process. */
async function write(core: MilvusCore, drafts: readonly MemoryDraft[], options: MemoryCallOptions): Promise<readonly MemoryItem[]> {
  if (drafts.length === 0) return [];
  const { declaration } = core;
  const rows = drafts.map((draft, index) => prepareDraft(core, draft, `memories[${index}]`));
  const vectors = await core.embed(rows, options);
  const call = { signal: options.signal };
  await inTurn(core.turn, options.signal, async () => {
    const written = rows.map((row, index) => ({ row, kept: undefined, vector: vectors[index] }));
    await changeRows(core, await core.freshState(call), { written }, call);
  });
  return rows.map((row) => toItem(declaration, { ...row, record: row.recordId }));
}

function prepareDraft({ declaration }: MilvusCore, draft: MemoryDraft, place: string): PreparedRow {
  const scope = scopeOfMetadata(declaration, draft.metadata, place);
  assertParent(draft.metadata, { place });
  const id = newId();
  return prepareRow(declaration, draft, { id, scope, recordId: id, key: draft.key, place });
}

/**
 * All entries or none.
 *
 * Texts that change are embedded before the turn. The turn applies the entries to the rows as they are then; where that makes a text that
 * was not embedded, because somebody else changed a row meanwhile, nothing is written and everything starts again.
 */
async function update(core: MilvusCore, request: UpdateRequest, options: MemoryCallOptions): Promise<readonly MemoryItem[]> {
  const { entries, scope } = request;
  if (entries.length === 0) return [];
  assertUpdates(entries);
  const call = { signal: options.signal };
  const vectors = new Map<string, Float32Array | undefined>();
  const values = distinctTexts(
    entries.map(({ id }) => id),
    "ids",
  );
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    if (core.embedding !== undefined) {
      const before = await readingRows(core, call, async ({ collection }) => await lookUpRows(core, { collection, scope, column: "id", values }, call));
      const fresh = mergeUpdates(core.declaration, entries, before)
        .filter((each) => updateNeedsVector(each, vectors))
        .map(({ row }) => row);
      for (const [index, vector] of (await core.embed(fresh, options)).entries()) vectors.set(fresh[index]?.text ?? "", vector);
    }
    const written = await inTurn(core.turn, options.signal, async () => {
      const state = await core.freshState(call);
      const kept = await lookUpRows(core, { collection: state.collection, scope, column: "id", values, vectors: state.dimensions !== undefined }, call);
      const byId = new Map(kept.map((row) => [row.id, row]));
      const updates = mergeUpdates(core.declaration, entries, kept);
      if (core.embedding !== undefined && updates.some((each) => updateNeedsVector(each, vectors))) return undefined;
      await changeRows(
        core,
        state,
        { written: updates.map(({ row }) => ({ row, kept: byId.get(row.id), vector: vectorFor(byId.get(row.id), row, vectors) })), forgotten: kept },
        call,
      );
      return updates;
    });
    if (written !== undefined) return written.map(({ row }) => toItem(core.declaration, { ...row, record: row.recordId }));
  }
  throw new CollectionFault("conflict", "The memories keep being changed by somebody else");
}

/** An attempt is in vain only when somebody else got through. */
const mostAttempts = 10;

/** The rows with these ids that exist. */
async function remove(
  core: MilvusCore,
  request: { readonly ids: readonly string[]; readonly scope: string },
  { signal }: MemoryCallOptions,
): Promise<MemoryDeleteOutput> {
  const ids = distinctTexts(request.ids, "ids");
  if (ids.length === 0) return { deleted: [] };
  const gone = await inTurn(core.turn, signal, async () => {
    const state = await core.freshState({ signal });
    const rows = await lookUpRows(core, { collection: state.collection, scope: request.scope, column: "id", values: ids }, { signal });
    if (rows.length > 0) await changeRows(core, state, { removed: rows, forgotten: rows }, { signal });
    return new Set(rows.map(({ id }) => id));
  });
  return { deleted: ids.filter((id) => gone.has(id)) };
}
