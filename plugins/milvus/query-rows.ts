import type { CollectionCallOptions, JsonObject, MemoryCallOptions, MemoryQueryInput, MemoryQueryOutput, StoredPart } from "@codesoul-co/ditto/plugin";
import { CollectionFault } from "../sql/collection-fault.ts";
import { decodeCursor, encodeCursor, queryDigest } from "../sql/cursor.ts";
import { parseFilter } from "../sql/filter.ts";
import { fieldOfKeptMetadata } from "../sql/metadata.ts";
import { type OrderTerm, parseOrder } from "../sql/order.ts";
import { toItem, toStoredPart } from "../sql/row.ts";
import { scopeOfNamespace, splitScope } from "../sql/scope.ts";
import { columnOf, rowColumns } from "./collection-layout.ts";
import { compareBytes } from "./compare-bytes.ts";
import { decodeText, encodeColumn } from "./encode-value.ts";
import type { MilvusCall, MilvusRow } from "./milvus-database.ts";
import { allOf, literal, literals } from "./milvus-expression.ts";
import type { MilvusCore, MilvusState } from "./milvus-core.ts";
import { inGroups } from "../sql/collection/look-up.ts";
import { CollectionGone, eachRow, rowExpression, type StoredRow, toStoredRow } from "./read-rows.ts";

/**
 * MEMORY.QUERY: rows that meet a filter, in a total order, page by page.
 *
 * The server knows no order, so the values that decide are read of all rows that can be on the page, and the contents of its rows only.
 */
export async function queryRows(core: MilvusCore, input: MemoryQueryInput, { signal }: MemoryCallOptions): Promise<MemoryQueryOutput> {
  const { declaration } = core;
  const { scope, rest } = splitScope(declaration, input.filter);
  const conditions = parseFilter(rest, declaration.filterFields);
  // Values are kept as texts, the empty one for none: they compare as such.
  const terms = parseOrder(input.orderBy, declaration.orderFields).map((term) => ({ ...term, numeric: false, nullable: false }));
  const digest = queryDigest([declaration.table, scope, conditions, terms]);
  const position = input.cursor === undefined ? undefined : (decodeCursor(input.cursor, digest, terms) as readonly string[]);
  const limit = readLimit(input.limit);
  return await readingRows(core, { signal }, async (state) => {
    const where = allOf([await rowExpression(core, { state, scope, conditions }, { signal }), behind(state, terms[0], position?.[0])]);
    const compare = comparePlaces(terms);
    const best: Place[] = [];
    for await (const places of eachPlace(core, { state, terms, where }, { signal })) {
      for (const place of places) if (position === undefined || compare(place.values, position) > 0) best.push(place);
      if (best.length > limit * 4 + 20_000) best.sort((a, b) => compare(a.values, b.values)).splice(limit + 1);
    }
    best.sort((a, b) => compare(a.values, b.values));
    const page = best.slice(0, limit);
    const rows = await rowsInOrder(core, state, page, { signal });
    const items = rows.map((row) => toItem(declaration, row));
    const last = page.at(-1);
    return best.length <= limit || last === undefined ? { items } : { items, nextCursor: encodeCursor(digest, last.values) };
  });
}

/** Counts rows, of all scopes where none is named. */
export async function countRows(core: MilvusCore, options: CollectionCallOptions): Promise<number> {
  const scope = optionalScope(core, options);
  return await core.reading(
    options,
    async (state) => await core.database.count(state.collection, scope === undefined ? "" : `scope == ${literal(scope)}`, options),
  );
}

/** Rows in order of scope and id. Their names are read first; contents follow batch by batch, without the rows that went meanwhile. */
export async function* scanRows(
  core: MilvusCore,
  options: CollectionCallOptions & { readonly batchSize?: number | undefined },
): AsyncGenerator<readonly StoredPart[]> {
  const { batchSize = 500, signal } = options;
  if (!Number.isInteger(batchSize) || batchSize < 1) throw new CollectionFault("input", "batchSize must be a positive integer");
  const scope = optionalScope(core, options);
  const { state, places } = await readingRows(core, { signal }, async (state) => {
    const found: { readonly pk: string; readonly scope: string; readonly id: string }[] = [];
    const where = scope === undefined ? "" : `scope == ${literal(scope)}`;
    for await (const rows of eachRow(core, { collection: state.collection, where, columns: ["pk", "scope", "id"] }, { signal })) {
      found.push(...rows.map((row) => ({ pk: String(row.pk), scope: String(row.scope), id: String(row.id) })));
    }
    return { state, places: found.sort((a, b) => compareBytes(a.scope, b.scope) || compareBytes(a.id, b.id)) };
  });
  for (const group of inGroups(places, batchSize)) {
    const rows = await rowsInOrder(core, state, group, { signal });
    if (rows.length > 0) yield rows.map((row) => toStoredPart(core.declaration, row));
  }
}

/** Runs what reads rows, once more where the collection is gone. */
export async function readingRows<T>(core: MilvusCore, call: MilvusCall, work: (state: MilvusState) => Promise<T>): Promise<T> {
  return await core.reading(call, async (state) => {
    try {
      return await work(state);
    } catch (error) {
      if (error instanceof CollectionGone) return undefined;
      throw error;
    }
  });
}

/** Whole rows by their primary keys, in the order of the list; those that are gone are left out. */
export async function rowsInOrder(
  core: Pick<MilvusCore, "database">,
  { collection }: Pick<MilvusState, "collection">,
  places: readonly { readonly pk: string }[],
  call: MilvusCall,
): Promise<readonly StoredRow[]> {
  const found = new Map<string, StoredRow>();
  for (const group of inGroups(places, 500)) {
    const where = `pk in ${literals(group.map(({ pk }) => pk))}`;
    for await (const rows of eachRow(core, { collection, where, columns: rowColumns, pageSize: 2_000 }, call)) {
      for (const row of rows) found.set(String(row.pk), toStoredRow(row));
    }
  }
  return places.flatMap(({ pk }) => found.get(pk) ?? []);
}

interface Place {
  readonly pk: string;
  /** The encoded values of the order's terms. */
  readonly values: readonly string[];
}

async function* eachPlace(
  core: MilvusCore,
  { state, terms, where }: { readonly state: MilvusState; readonly terms: readonly OrderTerm[]; readonly where: string },
  call: MilvusCall,
): AsyncGenerator<readonly Place[]> {
  const columns = terms.map(({ field }) => placeColumn(state, field));
  const read = [...new Set(["pk", ...columns.map((column) => column ?? "metadata")])];
  for await (const rows of eachRow(core, { collection: state.collection, where, columns: read }, call)) {
    yield rows.map((row) => ({
      pk: String(row.pk),
      values: terms.map(({ field }, index) => {
        const column = columns[index];
        return column === undefined ? lateValue(core, row, field) : String(row[column] ?? "");
      }),
    }));
  }
}

/** The column of an order's field; undefined for a field that has none yet. */
function placeColumn(state: MilvusState, field: string): string | undefined {
  if (field === "id" || field === "key") return field;
  return state.hasColumn(field) ? columnOf(field) : undefined;
}

function lateValue({ declaration }: MilvusCore, row: MilvusRow, name: string): string {
  const field = declaration.fields.find((each) => each.name === name);
  const text = decodeText(row.metadata);
  if (field === undefined) return "";
  return String(encodeColumn(field, fieldOfKeptMetadata(field, text === null ? undefined : (JSON.parse(text) as JsonObject))));
}

/** Leaves out most of what stands before a position: the first term alone decides. */
function behind(state: MilvusState, term: OrderTerm | undefined, value: string | undefined): string {
  const column = term === undefined ? undefined : placeColumn(state, term.field);
  if (term === undefined || column === undefined || value === undefined) return "";
  return `${column} ${term.direction === "asc" ? ">=" : "<="} ${literal(value)}`;
}

function comparePlaces(terms: readonly OrderTerm[]): (a: readonly string[], b: readonly string[]) => number {
  return (a, b) => {
    for (const [index, { direction }] of terms.entries()) {
      const order = compareBytes(a[index] ?? "", b[index] ?? "");
      if (order !== 0) return direction === "asc" ? order : -order;
    }
    return 0;
  };
}

function optionalScope({ declaration }: MilvusCore, { namespace }: CollectionCallOptions): string | undefined {
  if (namespace === undefined) return undefined;
  return scopeOfNamespace(declaration, namespace);
}

function readLimit(limit: number | undefined): number {
  if (limit === undefined) return 100;
  if (Number.isInteger(limit) && limit >= 1 && limit <= 10_000) return limit;
  throw new CollectionFault("input", "limit must be an integer from 1 to 10000");
}
