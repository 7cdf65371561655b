import type { MemoryCallOptions, MemoryItem } from "@codesoul-co/ditto/plugin";
import { mergeUpdates, type RowUpdate, type UpdateRequest, updateNeedsVector } from "../sql/collection/plan-updates.ts";
import { type PlannedUpdates, updateRows } from "../sql/collection/update-rows.ts";
import { indexedTextOf } from "../sql/row.ts";
import type { CollectionCore } from "./collection-core.ts";
import { lookUpNow } from "./kept-rows.ts";
import { RowWriter } from "./row-writer.ts";

/** MEMORY.UPDATE: all entries or none. */
export async function updateMemories(core: CollectionCore, request: UpdateRequest, options: MemoryCallOptions): Promise<readonly MemoryItem[]> {
  return await updateRows(core, request, { options, write: (updates) => writeUpdates(core, updates, options.signal) });
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
      const updates = mergeUpdates(core.declaration, entries, lookUpNow(writer, core, scope, { column: "id", values: entries.map(({ id }) => id) }));
      if (updates.some((update) => updateNeedsVector(update, vectors))) return undefined;
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
