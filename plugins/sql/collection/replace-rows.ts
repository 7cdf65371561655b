import type { CollectionCallOptions, CollectionRecord, CollectionWriteReport } from "@codesoul-co/ditto/plugin";
import { CollectionFault } from "../collection-fault.ts";
import { countCut } from "../embed-texts.ts";
import type { PreparedRow } from "../row.ts";
import { scopeOfNamespace } from "../scope.ts";
import { type KeptRow, toKeptRow } from "./collection-reader.ts";
import { type EmbeddingCollection, mostAttempts, type VectorsByText } from "./embedding-collection.ts";
import { lookUp } from "./look-up.ts";
import { needsVector, prepareRecords } from "./plan-records.ts";

interface ReplacePlan {
  readonly rows: readonly PreparedRow[];
  readonly records: readonly string[];
  readonly scope: string;
}

/** Records as rows, with the vectors that were made for them. */
export interface PlannedRecords extends ReplacePlan {
  readonly vectors: VectorsByText;
}

/**
 * Writes records whole, in one transaction: their rows as they are now, and none of those they no longer have.
 *
 * A row whose text did not change keeps its vector.
 *
 * @param write The transaction; tells how many rows were removed: undefined, and nothing written, where a text is not embedded.
 */
export async function replaceRows(
  collection: EmbeddingCollection,
  records: readonly CollectionRecord[],
  { options, write }: { readonly options: CollectionCallOptions; readonly write: (plan: PlannedRecords) => Promise<number | undefined> },
): Promise<CollectionWriteReport> {
  const scope = scopeOfNamespace(collection.declaration, options.namespace);
  const rows = prepareRecords(collection.declaration, records, scope);
  if (records.length === 0) return { written: 0, removed: 0, cut: 0 };
  const plan = { rows, records: records.map(({ id }) => id), scope };
  const vectors = new Map<string, Float32Array | undefined>();
  const cut = countCut(
    collection.embedding,
    rows.map(({ text }) => text),
  );
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const before = collection.embedding === undefined ? noRows : await readBefore(collection, plan, options.signal);
    const fresh = rows.filter((row) => needsVector(before.get(row.id), row, vectors));
    for (const [index, vector] of (await collection.embed(fresh, options)).entries()) vectors.set(fresh[index]?.text ?? "", vector);
    const removed = await write({ ...plan, vectors });
    if (removed !== undefined) return { written: rows.length, removed, cut };
  }
  throw new CollectionFault("conflict", "The records keep being changed by somebody else");
}

const noRows: ReadonlyMap<string, KeptRow> = new Map();

/** The rows that these records have now, and any others that have an id of theirs. */
async function readBefore(
  collection: EmbeddingCollection,
  { rows, records, scope }: ReplacePlan,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, KeptRow>> {
  if ((await collection.state(signal)) === undefined) return noRows;
  const statements = [
    ...lookUp(collection, scope, { column: "record", values: records }),
    ...lookUp(collection, scope, { column: "id", values: rows.map(({ id }) => id) }),
  ];
  const found = (await collection.read(statements, signal)).flat().map(toKeptRow);
  return new Map(found.map((row) => [row.id, row]));
}
