import type { JsonObject, MemoryCallOptions, MemoryItem, MemoryUpdateEntry } from "@codesoul-co/ditto/plugin";
import { CollectionFault } from "../sql/collection-fault.ts";
import { indexedTextOf, type PreparedRow, prepareRow, toItem } from "../sql/row.ts";
import { assertSameScope } from "../sql/scope.ts";
import type { CollectionCore } from "./collection-core.ts";
import { lookUp, lookUpNow } from "./kept-rows.ts";
import { type KeptRow, RowWriter, toKeptRow } from "./row-writer.ts";

/** What an update asks for. */
export interface UpdateRequest {
  readonly entries: readonly MemoryUpdateEntry[];
  readonly scope: string;
}

/**
 * MEMORY.UPDATE: all entries or none.
 *
 * Texts that change are embedded before the transaction. The transaction applies the entries to the rows as they are then;
 * where that makes a text that was not embedded, because somebody else changed a row meanwhile, nothing is written and
 * everything starts again: no update of somebody else is lost.
 */
export async function updateMemories(core: CollectionCore, request: UpdateRequest, options: MemoryCallOptions): Promise<readonly MemoryItem[]> {
  if (request.entries.length === 0) return [];
  assertEntries(request.entries);
  const vectors = new Map<string, Float32Array | undefined>();
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const fresh = (await readUpdates(core, request, options.signal)).filter((update) => needsVector(update, vectors)).map(({ row }) => row);
    for (const [index, vector] of (await core.embed(fresh, options)).entries()) vectors.set(fresh[index]?.text ?? "", vector);
    const written = await writeUpdates(core, { ...request, vectors }, options.signal);
    if (written !== undefined) return written.map(({ row }) => toItem(core.declaration, { ...row, record: row.recordId }));
  }
  throw new CollectionFault("conflict", "The memories keep being changed by somebody else");
}

/** An attempt is in vain only when somebody else got through. */
const mostAttempts = 10;

interface RowUpdate {
  readonly kept: KeptRow;
  readonly row: PreparedRow;
}

function assertEntries(entries: readonly MemoryUpdateEntry[]): void {
  const ids = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const place = `memories[${index}]`;
    if (ids.has(entry.id)) throw new CollectionFault("input", `${place} updates an id for the second time`);
    if (Object.hasOwn(entry, "key")) throw new CollectionFault("input", `The key of ${place} cannot be changed`);
    if (!Object.hasOwn(entry, "content") && entry.metadata === undefined) throw new CollectionFault("input", `${place} has nothing to update`);
    ids.add(entry.id);
  }
}

async function readUpdates(core: CollectionCore, request: UpdateRequest, signal: AbortSignal | undefined): Promise<readonly RowUpdate[]> {
  const state = await core.state(signal);
  const ids = request.entries.map(({ id }) => id);
  const statements = state === undefined ? [] : lookUp(core.tables, request.scope, { column: "id", values: ids });
  return mergeEntries(core, request.entries, ((await core.database.read(statements, { signal })) ?? []).flat().map(toKeptRow));
}

/** Applies the entries to rows. */
function mergeEntries(core: CollectionCore, entries: readonly MemoryUpdateEntry[], rows: readonly KeptRow[]): readonly RowUpdate[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return entries.map((entry, index) => {
    const kept = byId.get(entry.id);
    if (kept === undefined) throw new CollectionFault("not-found", `There is no memory with the id of memories[${index}]`);
    return { kept, row: mergeEntry(core, kept, { entry, place: `memories[${index}]` }) };
  });
}

/** Tells whether the update makes a text that is not embedded yet. */
function needsVector({ kept, row }: RowUpdate, vectors: ReadonlyMap<string, unknown>): boolean {
  return indexedTextOf(kept) !== row.text && !vectors.has(row.text);
}

function mergeEntry(
  { declaration }: CollectionCore,
  kept: KeptRow,
  { entry, place }: { readonly entry: MemoryUpdateEntry; readonly place: string },
): PreparedRow {
  if (entry.metadata !== undefined) {
    assertSameScope(declaration, entry.metadata, { scope: kept.scope, parent: kept.record === kept.id ? undefined : kept.record, place });
  }
  const given = {
    content: Object.hasOwn(entry, "content") ? entry.content : (JSON.parse(kept.content) as unknown),
    metadata: entry.metadata ?? (kept.metadata === null ? undefined : (JSON.parse(kept.metadata) as JsonObject)),
  };
  return prepareRow(declaration, given, { id: kept.id, scope: kept.scope, recordId: kept.record, key: kept.key, hash: null, place });
}

interface PlannedUpdates extends UpdateRequest {
  /** Vectors by text; undefined for a text that has none. */
  readonly vectors: ReadonlyMap<string, Float32Array | undefined>;
}

/** Writes the updates; undefined, and nothing written, where a text is not embedded. */
async function writeUpdates(
  core: CollectionCore,
  { entries, scope, vectors }: PlannedUpdates,
  signal: AbortSignal | undefined,
): Promise<readonly RowUpdate[] | undefined> {
  const analyzer = await core.analyzer();
  return await core.database.write(
    (writer) => {
      const updates = mergeEntries(core, entries, lookUpNow(writer, core.tables, scope, { column: "id", values: entries.map(({ id }) => id) }));
      if (updates.some((update) => needsVector(update, vectors))) return undefined;
      const change = core.begin(writer, [...vectors.values()].find((vector) => vector !== undefined)?.length);
      const rowWriter = new RowWriter(writer, { declaration: core.declaration, analyzer, change });
      for (const { kept, row } of updates) {
        rowWriter.update(kept, row, indexedTextOf(kept) === row.text ? undefined : vectors.get(row.text));
        rowWriter.forgetHash(kept);
      }
      rowWriter.finish();
      return updates;
    },
    { signal },
  );
}
