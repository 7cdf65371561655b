import type { CollectionCallOptions, CollectionRecord, CollectionWriteReport } from "@codesoul-co/ditto/plugin";
import { CollectionFault } from "../sql/collection-fault.ts";
import { countCut } from "../sql/embed-texts.ts";
import { type KeptRow, toKeptRow } from "../sql/collection/collection-reader.ts";
import { lookUp } from "../sql/collection/look-up.ts";
import { assertSameRecord, needsVector, prepareRecords } from "../sql/collection/plan-records.ts";
import { indexedTextOf, type PreparedRow } from "../sql/row.ts";
import { scopeOfNamespace } from "../sql/scope.ts";
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
  const scope = scopeOfNamespace(core.declaration, options.namespace);
  const rows = prepareRecords(core.declaration, records, scope);
  if (records.length === 0) return { written: 0, removed: 0, cut: 0 };
  const plan = { rows, records: records.map(({ id }) => id), scope };
  const vectors = new Map<string, Float32Array | undefined>();
  const cut = countCut(
    core.embedding,
    rows.map(({ text }) => text),
  );
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const before = await readBefore(core, plan, options.signal);
    const fresh = rows.filter((row) => needsVector(before.get(row.id), row, vectors));
    for (const [index, vector] of (await core.embed(fresh, options)).entries()) vectors.set(fresh[index]?.text ?? "", vector);
    const removed = await writeRecords(core, { ...plan, vectors }, options.signal);
    if (removed !== undefined) return { written: rows.length, removed, cut };
  }
  throw new CollectionFault("conflict", "The records keep being changed by somebody else");
}

/** An attempt is in vain only when somebody else wrote other texts meanwhile. */
const mostAttempts = 10;

interface ReplacePlan {
  readonly rows: readonly PreparedRow[];
  readonly records: readonly string[];
  readonly scope: string;
}

/** The rows that these records have now, and any others that have an id of theirs. */
async function readBefore(core: CollectionCore, { rows, records, scope }: ReplacePlan, signal: AbortSignal | undefined): Promise<ReadonlyMap<string, KeptRow>> {
  if ((await core.state(signal)) === undefined) return new Map();
  const statements = [
    ...lookUp(core, scope, { column: "record", values: records }),
    ...lookUp(core, scope, { column: "id", values: rows.map(({ id }) => id) }),
  ];
  const found = (await core.read(statements, signal)).flat().map(toKeptRow);
  return new Map(found.map((row) => [row.id, row]));
}

interface PlannedRecords extends ReplacePlan {
  readonly vectors: ReadonlyMap<string, Float32Array | undefined>;
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
