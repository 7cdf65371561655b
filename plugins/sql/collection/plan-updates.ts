import type { JsonObject, MemoryUpdateEntry } from "@codesoul-co/ditto/plugin";
import { CollectionFault } from "../collection-fault.ts";
import type { Declaration } from "../declaration.ts";
import { indexedTextOf, type PreparedRow, prepareRow } from "../row.ts";
import { assertSameScope } from "../scope.ts";
import type { KeptRow } from "./collection-reader.ts";

/** What an update asks for. */
export interface UpdateRequest {
  readonly entries: readonly MemoryUpdateEntry[];
  readonly scope: string;
}

/** A row as it is kept, and as it is to be. */
export interface RowUpdate {
  readonly kept: KeptRow;
  readonly row: PreparedRow;
}

/** @throws CollectionFault `input` For an id that is there twice, a key, and an entry with nothing in it. */
export function assertUpdates(entries: readonly MemoryUpdateEntry[]): void {
  const ids = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const place = `memories[${index}]`;
    if (ids.has(entry.id)) throw new CollectionFault("input", `${place} updates an id for the second time`);
    if (Object.hasOwn(entry, "key")) throw new CollectionFault("input", `The key of ${place} cannot be changed`);
    if (!Object.hasOwn(entry, "content") && entry.metadata === undefined) throw new CollectionFault("input", `${place} has nothing to update`);
    ids.add(entry.id);
  }
}

/**
 * Applies the entries to rows.
 *
 * @throws CollectionFault `not-found` For an id that no row has.
 */
export function mergeUpdates(declaration: Declaration, entries: readonly MemoryUpdateEntry[], rows: readonly KeptRow[]): readonly RowUpdate[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return entries.map((entry, index) => {
    const kept = byId.get(entry.id);
    if (kept === undefined) throw new CollectionFault("not-found", `There is no memory with the id of memories[${index}]`);
    return { kept, row: mergeUpdate(declaration, kept, { entry, place: `memories[${index}]` }) };
  });
}

/** Tells whether the update makes a text that is not embedded yet. */
export function updateNeedsVector({ kept, row }: RowUpdate, vectors: ReadonlyMap<string, unknown>): boolean {
  return indexedTextOf(kept) !== row.text && !vectors.has(row.text);
}

function mergeUpdate(declaration: Declaration, kept: KeptRow, { entry, place }: { readonly entry: MemoryUpdateEntry; readonly place: string }): PreparedRow {
  if (entry.metadata !== undefined) {
    assertSameScope(declaration, entry.metadata, { scope: kept.scope, parent: kept.record === kept.id ? undefined : kept.record, place });
  }
  const given = {
    content: Object.hasOwn(entry, "content") ? entry.content : (JSON.parse(kept.content) as unknown),
    metadata: entry.metadata ?? (kept.metadata === null ? undefined : (JSON.parse(kept.metadata) as JsonObject)),
  };
  return prepareRow(declaration, given, { id: kept.id, scope: kept.scope, recordId: kept.record, key: kept.key, hash: null, place });
}
