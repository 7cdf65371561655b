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
 * A text is embedded only where it changed, before the transaction. The transaction then writes only if the rows are still
 * the ones that were read, else everything starts again: no update of somebody else is lost.
 */
export async function updateMemories(core: CollectionCore, request: UpdateRequest, options: MemoryCallOptions): Promise<readonly MemoryItem[]> {
  if (request.entries.length === 0) return [];
  assertEntries(request.entries);
  const vectors = new Map<string, Float32Array | undefined>();
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const updates = await readUpdates(core, request, options.signal);
    const fresh = updates.filter(({ kept, row }) => indexedTextOf(kept) !== row.text && !vectors.has(row.text)).map(({ row }) => row);
    for (const [index, vector] of (await core.embed(fresh, options)).entries()) vectors.set(fresh[index]?.text ?? "", vector);
    if (await writeUpdates(core, { updates, vectors, scope: request.scope }, options.signal)) {
      return updates.map(({ row }) => toItem(core.declaration, { ...row, record: row.recordId }));
    }
  }
  throw new CollectionFault("conflict", "The memories keep being changed by somebody else");
}

/** Everybody who is overtaken makes way for somebody who got through. */
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

async function readUpdates(core: CollectionCore, { entries, scope }: UpdateRequest, signal: AbortSignal | undefined): Promise<readonly RowUpdate[]> {
  const state = await core.state(signal);
  const statements = state === undefined ? [] : lookUp(core.tables, scope, { column: "id", values: entries.map(({ id }) => id) });
  const rows = ((await core.database.read(statements, { signal })) ?? []).flat().map(toKeptRow);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return entries.map((entry, index) => {
    const kept = byId.get(entry.id);
    if (kept === undefined) throw new CollectionFault("not-found", `There is no memory with the id of memories[${index}]`);
    return { kept, row: mergeEntry(core, kept, { entry, place: `memories[${index}]` }) };
  });
}

function mergeEntry({ declaration }: CollectionCore, kept: KeptRow, { entry, place }: { readonly entry: MemoryUpdateEntry; readonly place: string }): PreparedRow {
  if (entry.metadata !== undefined) {
    assertSameScope(declaration, entry.metadata, { scope: kept.scope, parent: kept.record === kept.id ? undefined : kept.record, place });
  }
  const given = {
    content: Object.hasOwn(entry, "content") ? entry.content : (JSON.parse(kept.content) as unknown),
    metadata: entry.metadata ?? (kept.metadata === null ? undefined : (JSON.parse(kept.metadata) as JsonObject)),
  };
  return prepareRow(declaration, given, { id: kept.id, scope: kept.scope, recordId: kept.record, key: kept.key, hash: null, place });
}

interface PlannedUpdates {
  readonly updates: readonly RowUpdate[];
  readonly vectors: ReadonlyMap<string, Float32Array | undefined>;
  readonly scope: string;
}

/** Writes the updates unless a row was changed since it was read; tells whether they were written. */
async function writeUpdates(core: CollectionCore, { updates, vectors, scope }: PlannedUpdates, signal: AbortSignal | undefined): Promise<boolean> {
  const analyzer = await core.analyzer();
  return await core.database.write(
    (writer) => {
      const current = lookUpNow(writer, core.tables, scope, { column: "id", values: updates.map(({ kept }) => kept.id) });
      const changes = new Map(current.map(({ row, change }) => [row, change]));
      if (updates.some(({ kept }) => changes.get(kept.row) !== kept.change)) return false;
      const change = core.begin(writer, [...vectors.values()].find((vector) => vector !== undefined)?.length);
      const rowWriter = new RowWriter(writer, { declaration: core.declaration, analyzer, change });
      for (const { kept, row } of updates) {
        rowWriter.update(kept, row, indexedTextOf(kept) === row.text ? undefined : vectors.get(row.text));
        rowWriter.forgetHash(kept);
      }
      rowWriter.finish();
      return true;
    },
    { signal },
  );
}
