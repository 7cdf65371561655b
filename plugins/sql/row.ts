import type { CollectionPart, JsonObject, MemoryItem, StoredPart } from "@codesoul-co/ditto/plugin";
import { CollectionFault } from "./collection-fault.ts";
import { type Declaration, defaultText } from "./declaration.ts";
import { isWellFormed } from "./field-type.ts";
import { toJsonText } from "./json-text.ts";
import { checkMetadata } from "./metadata.ts";
import type { SqlValue } from "./sql.ts";

/** A row that is ready to be written, but for its vector. */
export interface PreparedRow {
  readonly id: string;
  readonly scope: string;
  readonly recordId: string;
  readonly key: string | null;
  readonly hash: string | null;
  /** JSON. */
  readonly content: string;
  /** JSON without the scope and without `parent`. */
  readonly metadata: string | null;
  /** One value for each declared field. */
  readonly columns: readonly SqlValue[];
  /** What is indexed and embedded; blank for a row that is neither. */
  readonly text: string;
  /** The text where it is not that of the content alone, else null. */
  readonly ownText: string | null;
  /** For messages. */
  readonly place: string;
}

/** A row as it is read. */
export interface ReadRow {
  readonly id: string;
  readonly scope: string;
  readonly record: string;
  readonly key: string | null;
  readonly hash: string | null;
  readonly content: string;
  readonly metadata: string | null;
}

/** Where a row comes from. */
export interface RowOrigin {
  readonly id: string;
  readonly scope: string;
  readonly recordId: string;
  readonly key?: string | null | undefined;
  readonly hash?: string | null | undefined;
  readonly place: string;
}

/**
 * Checks content and metadata of a row and makes what is kept of them.
 *
 * @throws CollectionFault `input` Naming the row, and the field where it is one.
 */
export function prepareRow(declaration: Declaration, given: { readonly content: unknown; readonly metadata?: unknown }, origin: RowOrigin): PreparedRow {
  const { place, scope, recordId } = origin;
  const content = toJsonText(given.content, `content of ${place}`);
  const { metadata, columns } = checkMetadata(declaration, given.metadata, place);
  const metadataText = metadata === undefined ? null : toJsonText(metadata, `metadata of ${place}`);
  const visible = completeMetadata(declaration, metadata, { scope, id: origin.id, record: recordId });
  const text = declaration.indexedText(given.content, visible ?? {});
  return {
    id: assertIdentifier(origin.id, "id", place),
    scope,
    recordId: assertIdentifier(recordId, "record id", place),
    key: origin.key === undefined || origin.key === null ? null : assertIdentifier(origin.key, "key", place),
    hash: origin.hash ?? null,
    content,
    metadata: metadataText,
    columns,
    text,
    ownText: text === defaultText(given.content) ? null : text,
    place,
  };
}

/** What is indexed of a row that is kept. */
export function indexedTextOf(row: { readonly content: string; readonly text: string | null }): string {
  return row.text ?? defaultText(JSON.parse(row.content));
}

/** Tells whether there is nothing to index or embed. */
export function isBlank(text: string): boolean {
  return text.trim() === "";
}

/** A row as MEMORY gives it. */
export function toItem(declaration: Declaration, row: ReadRow): MemoryItem {
  const metadata = metadataOf(declaration, row);
  return {
    id: row.id,
    ...(row.key === null ? {} : { key: row.key }),
    content: JSON.parse(row.content) as unknown,
    ...(metadata === undefined ? {} : { metadata }),
  };
}

/** A row as the bulk port gives it. */
export function toStoredPart(declaration: Declaration, row: ReadRow): StoredPart {
  return {
    ...(toItem(declaration, row) as CollectionPart),
    recordId: row.record,
    hash: row.hash ?? undefined,
    namespace: declaration.facts.namespace === undefined ? undefined : row.scope,
  };
}

/** A row's metadata with the scope field and, for a chunk, `parent`. */
export function metadataOf(declaration: Declaration, row: ReadRow): Record<string, unknown> | undefined {
  const kept = row.metadata === null ? undefined : (JSON.parse(row.metadata) as JsonObject);
  return completeMetadata(declaration, kept, row);
}

function completeMetadata(
  { facts: { namespace } }: Declaration,
  kept: JsonObject | undefined,
  row: { readonly scope: string; readonly id: string; readonly record: string },
): JsonObject | undefined {
  const scope = namespace === undefined ? undefined : { [namespace]: row.scope };
  const parent = row.record === row.id ? undefined : { parent: row.record };
  return kept === undefined && scope === undefined && parent === undefined ? undefined : { ...scope, ...kept, ...parent };
}

/** Ids and keys are kept byte for byte, so they must be texts that UTF-8 can keep. */
function assertIdentifier(value: unknown, what: string, place: string): string {
  if (typeof value === "string" && value !== "" && isWellFormed(value)) return value;
  throw new CollectionFault("input", `The ${what} of ${place} must be a non-empty string without half characters`);
}
