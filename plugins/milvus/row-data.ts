import { CollectionFault } from "../sql/collection-fault.ts";
import type { Declaration } from "../sql/declaration.ts";
import type { PreparedRow } from "../sql/row.ts";
import type { MilvusState } from "./milvus-core.ts";
import { columnOf, longestList, longestText } from "./collection-layout.ts";
import { encodeColumn } from "./encode-value.ts";
import type { MilvusRow } from "./milvus-database.ts";
import { primaryKey } from "./read-rows.ts";
import { documentWeights } from "./term-weights.ts";

/** What a row has beside its own data. */
export interface RowParts {
  readonly vector: ArrayLike<number> | undefined;
  /** Its text's tokens; none for a row without a text, and on a server without full text. */
  readonly tokens: readonly string[];
  readonly average: number;
}

/**
 * A row as the server keeps it.
 *
 * @throws CollectionFault `input` For a text that is longer than the server takes, which counts bytes, naming row and member.
 */
export function rowData(declaration: Declaration, state: Pick<MilvusState, "dimensions" | "text" | "hasColumn">, row: PreparedRow, parts: RowParts): MilvusRow {
  const { vector, tokens, average } = parts;
  const optional = (value: string | null): string => (value === null ? "" : `=${value}`);
  const texts = {
    scope: row.scope,
    id: row.id,
    record: row.recordId,
    parent: row.recordId === row.id ? "" : `=${row.recordId}`,
    key: optional(row.key),
    hash: optional(row.hash),
    content: row.content,
    metadata: optional(row.metadata),
    text: optional(row.ownText),
  };
  for (const [name, text] of Object.entries(texts)) assertFits(text, memberNames[name] ?? name, row.place);
  const fields = declaration.fields.flatMap((field, index) => {
    if (!state.hasColumn(field.name)) return [];
    const value = encodeColumn(field, row.columns[index] ?? null);
    const what = `metadata field "${field.name}"`;
    if (typeof value === "string") assertFits(value, what, row.place);
    else {
      if (value.length > longestList) throw new CollectionFault("input", `The ${what} of ${row.place} has more than ${longestList - 1} items`);
      for (const item of value) assertFits(item, `${what}, an item of it,`, row.place);
    }
    return [[columnOf(field.name), value] as const];
  });
  const dense = state.dimensions === undefined && state.text ? {} : { vector: denseVector(vector, state.dimensions) };
  return {
    pk: primaryKey(row.scope, row.id),
    ...texts,
    tokens: tokens.length,
    embedded: vector !== undefined,
    ...Object.fromEntries(fields),
    ...dense,
    ...(state.text ? { terms: documentWeights(tokens, average) } : {}),
  };
}

/** A row without a vector gets one all the same, for the server wants one; it is marked, and no hit. */
function denseVector(vector: ArrayLike<number> | undefined, dimensions = 2): readonly number[] {
  return vector === undefined ? Array.from({ length: dimensions }, (_, index) => Number(index === 0)) : Array.from(vector);
}

const memberNames: Readonly<Record<string, string>> = { record: "record id", parent: "record id", text: "indexed text" };

function assertFits(text: string, what: string, place: string): void {
  // No text has more bytes than three for each unit.
  if (text.length * 3 <= longestText) return;
  const bytes = Buffer.byteLength(text);
  if (bytes > longestText) throw new CollectionFault("input", `The ${what} of ${place} has ${bytes} bytes; Milvus keeps at most ${longestText}`);
}
