import type { CollectionCallOptions, CollectionRecord, CollectionWriteReport } from "@codesoul-co/ditto/plugin";
import { CollectionFault } from "../sql/collection-fault.ts";
import { countCut } from "../sql/embed-texts.ts";
import { indexedTextOf, isBlank, type PreparedRow, prepareRow } from "../sql/row.ts";
import { assertParent, scopeOfNamespace } from "../sql/scope.ts";
import type { CollectionCore } from "./collection-core.ts";
import { lookUp, lookUpNow } from "./kept-rows.ts";
import { type KeptRow, RowWriter, toKeptRow } from "./row-writer.ts";

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
  const rows = prepareRecords(core, records, scope);
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

function prepareRecords({ declaration }: CollectionCore, records: readonly CollectionRecord[], scope: string): readonly PreparedRow[] {
  const seen = new Set<string>();
  const { namespace } = declaration.facts;
  return records.flatMap((record) =>
    record.parts.map((part) => {
      const place = part.id === record.id ? `record "${record.id}"` : `row "${part.id}" of record "${record.id}"`;
      if (seen.has(part.id)) throw new CollectionFault("input", `The id of ${place} is there twice`);
      seen.add(part.id);
      assertParent(part.metadata, { parent: part.id === record.id ? undefined : record.id, place });
      const named = namespace === undefined ? undefined : part.metadata?.[namespace];
      if (named !== undefined && named !== scope) throw new CollectionFault("input", `The namespace field "${namespace}" of ${place} names another scope`);
      return prepareRow(declaration, part, { id: part.id, scope, recordId: record.id, key: part.key, hash: record.hash || null, place });
    }),
  );
}

interface ReplacePlan {
  readonly rows: readonly PreparedRow[];
  readonly records: readonly string[];
  readonly scope: string;
}

/** The rows that these records have now, and any others that have an id of theirs. */
async function readBefore(core: CollectionCore, { rows, records, scope }: ReplacePlan, signal: AbortSignal | undefined): Promise<ReadonlyMap<string, KeptRow>> {
  if ((await core.state(signal)) === undefined) return new Map();
  const statements = [
    ...lookUp(core.tables, scope, { column: "record", values: records }),
    ...lookUp(core.tables, scope, { column: "id", values: rows.map(({ id }) => id) }),
  ];
  const found = ((await core.database.read(statements, { signal })) ?? []).flat().map(toKeptRow);
  return new Map(found.map((row) => [row.id, row]));
}

/** Tells whether the row has a text that is not embedded yet. */
function needsVector(kept: KeptRow | undefined, row: PreparedRow, vectors: ReadonlyMap<string, unknown>): boolean {
  return !isBlank(row.text) && (kept === undefined || indexedTextOf(kept) !== row.text) && !vectors.has(row.text);
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
          ...lookUpNow(writer, core.tables, scope, { column: "record", values: records }),
          ...lookUpNow(writer, core.tables, scope, { column: "id", values: rows.map(({ id }) => id) }),
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
  if (kept.record !== row.recordId) throw new CollectionFault("conflict", `The id of ${row.place} is that of a row of record "${kept.record}"`);
  const vector = indexedTextOf(kept) === row.text ? undefined : vectors.get(row.text);
  rowWriter.update(kept, { ...row, key: row.key ?? kept.key }, vector);
}
