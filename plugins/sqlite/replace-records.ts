import type { CollectionCallOptions, CollectionRecord, CollectionWriteReport } from "@codesoul-co/ditto/plugin";
import type { KeptRow } from "../sql/collection/collection-reader.ts";
import { assertSameRecord, needsVector } from "../sql/collection/plan-records.ts";
import { type PlannedRecords, replaceRows } from "../sql/collection/replace-rows.ts";
import { indexedTextOf, type PreparedRow } from "../sql/row.ts";
import type { CollectionCore } from "./collection-core.ts";
import { lookUpNow } from "./kept-rows.ts";
import { RowWriter } from "./row-writer.ts";

/**
 * Writes records whole, in one transaction: their rows as they are now, and none of those they no longer have.
 *
 * A row whose text did not change keeps its vector.
 */
export async function replaceRecords(
  core: CollectionCore,
  records: readonly CollectionRecord[],
  options: CollectionCallOptions,
): Promise<CollectionWriteReport> {
  return await replaceRows(core, records, { options, write: (plan) => writeRecords(core, plan, options.signal) });
}

/** Writes the records and tells how many rows were removed; undefined, and nothing written, where a text is not embedded. */
async function writeRecords(core: CollectionCore, plan: PlannedRecords, signal: AbortSignal | undefined): Promise<number | undefined> {
  const { rows, records, scope, vectors } = plan;
  const analyzer = await core.analyzer();
  return await core.database.write(
    (writer) => {
      const change = core.begin(writer, [...vectors.values()].find((vector) => vector !== undefined)?.length);
      const now = new Map(
        [
          ...lookUpNow(writer, core, scope, { column: "record", values: records }),
          ...lookUpNow(writer, core, scope, { column: "id", values: rows.map(({ id }) => id) }),
        ].map((row) => [row.id, row]),
      );
      if (rows.some((row) => needsVector(now.get(row.id), row, vectors))) return undefined;
      const rowWriter = new RowWriter(writer, { declaration: core.declaration, analyzer, change });
      const ids = new Set(rows.map(({ id }) => id));
      const replaced = new Set(records);
      const gone = [...now.values()].filter(({ id, record }) => !ids.has(id) && replaced.has(record));
      for (const row of gone) rowWriter.remove(row);
      for (const row of rows) writeRow(rowWriter, row, { kept: now.get(row.id), vectors });
      rowWriter.finish();
      return gone.length;
    },
    { signal },
  );
}

function writeRow(
  rowWriter: RowWriter,
  row: PreparedRow,
  { kept, vectors }: { readonly kept: KeptRow | undefined; readonly vectors: ReadonlyMap<string, Float32Array | undefined> },
): void {
  if (kept === undefined) {
    rowWriter.insert(row, vectors.get(row.text));
    return;
  }
  assertSameRecord(kept, row);
  const vector = indexedTextOf(kept) === row.text ? undefined : vectors.get(row.text);
  rowWriter.update(kept, { ...row, key: row.key ?? kept.key }, vector);
}
