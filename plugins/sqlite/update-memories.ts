import type { MemoryCallOptions, MemoryItem } from "@codesoul-co/ditto/plugin";
import { CollectionFault } from "../sql/collection-fault.ts";
import { toKeptRow } from "../sql/collection/collection-reader.ts";
import { lookUp } from "../sql/collection/look-up.ts";
import { assertUpdates, mergeUpdates, type RowUpdate, type UpdateRequest, updateNeedsVector } from "../sql/collection/plan-updates.ts";
import { indexedTextOf, toItem } from "../sql/row.ts";
import type { CollectionCore } from "./collection-core.ts";
import { lookUpNow } from "./kept-rows.ts";
import { RowWriter } from "./row-writer.ts";

/**
 * MEMORY.UPDATE: all entries or none.
 *
 * Texts that change are embedded before the transaction. The transaction applies the entries to the rows as they are then;
 * where that makes a text that was not embedded, because somebody else changed a row meanwhile, nothing is written and
 * everything starts again: no update of somebody else is lost.
 */
export async function updateMemories(core: CollectionCore, request: UpdateRequest, options: MemoryCallOptions): Promise<readonly MemoryItem[]> {
  if (request.entries.length === 0) return [];
  assertUpdates(request.entries);
  const vectors = new Map<string, Float32Array | undefined>();
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const fresh = (await readUpdates(core, request, options.signal)).filter((update) => updateNeedsVector(update, vectors)).map(({ row }) => row);
    for (const [index, vector] of (await core.embed(fresh, options)).entries()) vectors.set(fresh[index]?.text ?? "", vector);
    const written = await writeUpdates(core, { ...request, vectors }, options.signal);
    if (written !== undefined) return written.map(({ row }) => toItem(core.declaration, { ...row, record: row.recordId }));
  }
  throw new CollectionFault("conflict", "The memories keep being changed by somebody else");
}

/** An attempt is in vain only when somebody else got through. */
const mostAttempts = 10;

async function readUpdates(core: CollectionCore, request: UpdateRequest, signal: AbortSignal | undefined): Promise<readonly RowUpdate[]> {
  const state = await core.state(signal);
  const ids = request.entries.map(({ id }) => id);
  const statements = state === undefined ? [] : lookUp(core, request.scope, { column: "id", values: ids });
  return mergeUpdates(core.declaration, request.entries, (await core.read(statements, signal)).flat().map(toKeptRow));
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
