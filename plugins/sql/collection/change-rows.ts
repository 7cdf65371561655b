import { CollectionFault } from "../collection-fault.ts";
import type { InsertTarget } from "../engine/sql-engine.ts";
import { indexedTextOf, type PreparedRow } from "../row.ts";
import { sql, type SqlValue, trustedSql, valueList } from "../sql.ts";
import { compose, type KeptRow } from "./collection-reader.ts";
import { inGroups } from "./look-up.ts";
import { changeText } from "./change-text.ts";
import type { TableCore } from "./table-core.ts";
import { endTransaction, type TableTransaction } from "./table-transaction.ts";

/** What one transaction does to rows. */
export interface RowChanges {
  readonly inserted?: readonly { readonly row: PreparedRow; readonly vector: Float32Array | undefined }[];
  /** The vector of a row whose text changed, or undefined for none; one whose text did not keeps what it has. */
  readonly updated?: readonly { readonly kept: KeptRow; readonly row: PreparedRow; readonly vector: Float32Array | undefined }[];
  readonly removed?: readonly KeptRow[];
  /** Rows whose records become unlike what ingest knows, so that it writes them again. */
  readonly forgotten?: readonly { readonly scope: string; readonly record: string }[];
}

/**
 * Writes rows with all that belongs to them: fields, content, text index, vectors. Ends the transaction's work.
 *
 * A row that is updated is written anew under its number, so that many rows take a handful of statements.
 *
 * @throws CollectionFault `conflict` When a scope would have a key twice.
 */
export async function changeRows(core: TableCore, transaction: TableTransaction, changes: RowChanges): Promise<void> {
  const { writer, counters, change, state } = transaction;
  const { inserted = [], updated = [], removed = [], forgotten = [] } = changes;
  const table = core.declaration.table;
  const gone = [...removed, ...updated.map(({ kept }) => kept)];
  await assertKeysFree(core, transaction, { gone, written: [...inserted.map(({ row }) => row), ...updated.map(({ row }) => row)] });
  await deleteRows(core, transaction, gone);

  const fresh = inserted.map(({ row, vector }, index) => ({ number: counters.lastRow + 1 + index, row, vector }));
  const again = updated.map(({ kept, row, vector }) => ({ number: kept.row, row, vector, before: indexedTextOf(kept) }));
  await writer.insert(
    rowTarget(core),
    [...fresh, ...again].map(({ number, row }) => rowValues(number, row)),
  );
  const changed = again.filter(({ before, row }) => before !== row.text);
  const counted = await changeText(core, transaction, {
    removed: [
      ...removed.map((kept) => ({ row: kept.row, text: indexedTextOf(kept) })),
      ...changed.map(({ number, before }) => ({ row: number, text: before })),
    ],
    added: [...fresh, ...changed].map(({ number, row }) => ({ row: number, text: row.text })),
  });
  const withoutVector = [...removed.map(({ row }) => row), ...changed.filter(({ vector }) => vector === undefined).map(({ number }) => number)];
  if (withoutVector.length > 0) await state.keeper.drop(writer, table, change, withoutVector);
  const vectors = [...fresh, ...again].flatMap(({ number, vector }) => (vector === undefined ? [] : [[number, vector] as const]));
  if (vectors.length > 0) await state.keeper.set(writer, table, change, vectors);
  await forgetHashes(core, transaction, forgotten);
  await endTransaction(core, transaction, { lastRow: counters.lastRow + fresh.length, ...counted });
}

/** Within a transaction nobody else writes, so what is free now stays free. */
async function assertKeysFree(
  core: TableCore,
  { writer }: TableTransaction,
  { gone, written }: { readonly gone: readonly KeptRow[]; readonly written: readonly PreparedRow[] },
): Promise<void> {
  const asked = new Map<string, Map<string, PreparedRow>>();
  for (const row of written) {
    if (row.key === null) continue;
    const keys = asked.get(row.scope) ?? new Map<string, PreparedRow>();
    if (keys.has(row.key)) throw keyInUse(row);
    asked.set(row.scope, keys.set(row.key, row));
  }
  const free = new Set(gone.map(({ row }) => row));
  for (const [scope, keys] of asked) {
    for (const group of inGroups([...keys.keys()], 10_000)) {
      const found = await writer.all(compose(core, sql`SELECT r.row, r.key FROM ${core.rows} WHERE r.scope = ${scope} AND r.key IN (${valueList(group)})`));
      for (const { row, key } of found) {
        const wanted = keys.get(String(key));
        if (wanted !== undefined && !free.has(Number(row))) throw keyInUse(wanted);
      }
    }
  }
}

function keyInUse({ place }: PreparedRow): CollectionFault {
  return new CollectionFault("conflict", `The key of ${place} is in use already`);
}

async function deleteRows(core: TableCore, { writer }: TableTransaction, gone: readonly KeptRow[]): Promise<void> {
  if (gone.length === 0) return;
  const { dialect, names } = core;
  const isGone = dialect.isOneOf(
    dialect.identifier("row"),
    gone.map(({ row }) => row),
  );
  await writer.run(compose(core, sql`DELETE FROM ${dialect.identifier(names.rows)} WHERE ${isGone}`));
}

function rowTarget({ declaration, names }: TableCore): InsertTarget {
  const texts = ["scope", "id", "record", "key", "hash", "content", "metadata", "own_text"].map((name) => ({ name, type: "text" as const }));
  const fields = declaration.fields.map(({ column, type }) => ({
    name: column,
    type: type.list
      ? ("list" as const)
      : type.scalar === "number"
        ? ("number" as const)
        : type.scalar === "integer" || type.scalar === "boolean"
          ? ("integer" as const)
          : ("text" as const),
  }));
  return { table: names.rows, columns: [{ name: "row", type: "integer" }, ...texts, ...fields] };
}

function rowValues(number: number, row: PreparedRow): readonly SqlValue[] {
  return [number, row.scope, row.id, row.recordId, row.key, row.hash, row.content, row.metadata, row.ownText, ...row.columns];
}

async function forgetHashes(core: TableCore, { writer }: TableTransaction, forgotten: NonNullable<RowChanges["forgotten"]>): Promise<void> {
  const byScope = new Map<string, Set<string>>();
  for (const { scope, record } of forgotten) byScope.set(scope, (byScope.get(scope) ?? new Set()).add(record));
  const { dialect, names } = core;
  const hash = trustedSql("hash");
  for (const [scope, records] of byScope) {
    for (const group of inGroups([...records], 10_000)) {
      const where = sql`scope = ${scope} AND record IN (${valueList(group)}) AND ${hash} IS NOT NULL`;
      await writer.run(compose(core, sql`UPDATE ${dialect.identifier(names.rows)} SET ${hash} = NULL WHERE ${where}`));
    }
  }
}
