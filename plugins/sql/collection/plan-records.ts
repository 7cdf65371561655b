import type { CollectionRecord } from "@codesoul-co/ditto/plugin";
import { CollectionFault } from "../collection-fault.ts";
import type { Declaration } from "../declaration.ts";
import { indexedTextOf, isBlank, type PreparedRow, prepareRow } from "../row.ts";
import { assertParent } from "../scope.ts";
import type { KeptRow } from "./collection-reader.ts";

/**
 * Checks records and makes the rows that are written for them.
 *
 * @throws CollectionFault `input` For an id that is there twice, another scope, a reserved field, and what {@link prepareRow} refuses.
 */
export function prepareRecords(declaration: Declaration, records: readonly CollectionRecord[], scope: string): readonly PreparedRow[] {
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

/** Tells whether the row has a text that is not embedded yet. */
export function needsVector(kept: KeptRow | undefined, row: PreparedRow, vectors: ReadonlyMap<string, unknown>): boolean {
  return !isBlank(row.text) && (kept === undefined || indexedTextOf(kept) !== row.text) && !vectors.has(row.text);
}

/** Refuses a row whose id belongs to another record. */
export function assertSameRecord(kept: KeptRow, row: PreparedRow): void {
  if (kept.record !== row.recordId) throw new CollectionFault("conflict", `The id of ${row.place} is that of a row of record "${kept.record}"`);
}
