import { isRecord } from "../../base/is-record.ts";
import type {
  MemoryDeleteInput,
  MemoryDeleteOutput,
  MemoryGetInput,
  MemoryItem,
  MemoryQueryInput,
  MemoryQueryOutput,
  MemorySearchInput,
  MemorySearchResult,
  MemoryUpdateInput,
  MemoryWriteInput,
} from "../../contracts/memory.ts";
import { MemoryError } from "../../contracts/memory-error.ts";

/**
 * The checks of the six outputs: each gives a frozen copy of what the contract names.
 *
 * Lists, items, hits and `metadata` are copied one level deep and frozen; `content`, and what lies inside `metadata`, stay the very
 * objects that the plugin returned and are not frozen, for they may be its own or the application's.
 *
 * @throws MemoryError `INVALID_BACKEND_OUTPUT`
 */
export const checkMemoryOutput: {
  readonly get: (output: unknown, input: MemoryGetInput) => readonly MemoryItem[];
  readonly query: (output: unknown, input: MemoryQueryInput) => MemoryQueryOutput;
  readonly search: (output: unknown, input: MemorySearchInput) => readonly MemorySearchResult[];
  readonly write: (output: unknown, input: MemoryWriteInput) => readonly MemoryItem[];
  readonly update: (output: unknown, input: MemoryUpdateInput) => readonly MemoryItem[];
  readonly delete: (output: unknown, input: MemoryDeleteInput) => MemoryDeleteOutput;
} = { get: checkGet, query: checkQuery, search: checkSearch, write: checkWrite, update: checkUpdate, delete: checkDelete };

/** Puts the records into the order of the request: by `ids`, then by `keys`, each record once. */
function checkGet(output: unknown, { ids = [], keys = [] }: MemoryGetInput): readonly MemoryItem[] {
  const byId = new Map<string, MemoryItem>();
  const byKey = new Map<string, MemoryItem>();
  for (const item of copyItems(output, "output")) {
    byId.set(item.id, item);
    if (item.key === undefined) continue;
    if (byKey.has(item.key)) refuse("output has two records with one key");
    byKey.set(item.key, item);
  }
  const ordered = new Set<MemoryItem>();
  for (const id of ids) add(ordered, byId.get(id));
  for (const key of keys) add(ordered, byKey.get(key));
  if (ordered.size !== byId.size) refuse("output has a record that was not asked for");
  return Object.freeze([...ordered]);
}

function add(items: Set<MemoryItem>, item: MemoryItem | undefined): void {
  if (item) items.add(item);
}

function checkQuery(output: unknown, input: MemoryQueryInput): MemoryQueryOutput {
  const page = readObject(output, "output");
  const items = copyItems(page.items, "output.items", input.limit);
  const { nextCursor } = page;
  if (nextCursor === undefined) return Object.freeze({ items });
  return Object.freeze({ items, nextCursor: readId(nextCursor, "output.nextCursor") });
}

function checkSearch(output: unknown, input: MemorySearchInput): readonly MemorySearchResult[] {
  const hits = readArray(output, "output", input.limit).map(copyHit);
  refuseDoubles(hits.map((hit) => hit.memory.id));
  return Object.freeze(hits);
}

function copyHit(value: unknown, index: number): MemorySearchResult {
  const at = `output[${index}]`;
  const hit = readObject(value, at);
  const memory = copyItem(hit.memory, `${at}.memory`);
  const { score } = hit;
  if (score !== undefined && (typeof score !== "number" || !Number.isFinite(score))) refuse(`${at}.score must be a finite number`);
  return Object.freeze({ memory, ...(score === undefined ? undefined : { score: score as number }), ...copyMetadata(hit.metadata, at) });
}

function checkWrite(output: unknown, input: MemoryWriteInput): readonly MemoryItem[] {
  const items = copyItems(output, "output");
  if (items.length !== input.memories.length) refuse("output must have one record for each memory");
  return items;
}

function checkUpdate(output: unknown, input: MemoryUpdateInput): readonly MemoryItem[] {
  const items = copyItems(output, "output");
  const asked = new Set(input.memories.map((entry) => entry.id));
  if (items.length !== asked.size || !items.every((item) => asked.has(item.id))) refuse("output must have each requested id once");
  return items;
}

function checkDelete(output: unknown, input: MemoryDeleteInput): MemoryDeleteOutput {
  const deleted = readArray(readObject(output, "output").deleted, "output.deleted").map((id, index) => readId(id, `output.deleted[${index}]`));
  refuseDoubles(deleted);
  const asked = new Set(input.ids);
  if (!deleted.every((id) => asked.has(id))) refuse("output.deleted has an id that was not asked for");
  return Object.freeze({ deleted: Object.freeze(deleted) });
}

function copyItems(value: unknown, at: string, limit?: number): readonly MemoryItem[] {
  const items = readArray(value, at, limit).map((item, index) => copyItem(item, `${at}[${index}]`));
  refuseDoubles(items.map((item) => item.id));
  return Object.freeze(items);
}

function copyItem(value: unknown, at: string): MemoryItem {
  const item = readObject(value, at);
  const id = readId(item.id, `${at}.id`);
  if (!("content" in item)) refuse(`${at} needs content`);
  const key = item.key === undefined ? undefined : { key: readId(item.key, `${at}.key`) };
  return Object.freeze({ id, ...key, content: item.content, ...copyMetadata(item.metadata, at) });
}

function copyMetadata(value: unknown, at: string): { metadata: Record<string, unknown> } | undefined {
  if (value === undefined) return undefined;
  if (!isRecord(value)) return refuse(`${at}.metadata must be a plain object`);
  return { metadata: Object.freeze({ ...value }) };
}

/** Objects of any class will do: a driver or a mapper may give its own. */
function readObject(value: unknown, at: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return refuse(`${at} must be an object`);
  return value as Record<string, unknown>;
}

function readArray(value: unknown, at: string, limit = Number.POSITIVE_INFINITY): unknown[] {
  if (!Array.isArray(value)) return refuse(`${at} must be an array`);
  if (value.length > limit) refuse(`${at} has more entries than the limit`);
  return Array.from(value);
}

function readId(value: unknown, at: string): string {
  return typeof value === "string" && value !== "" ? value : refuse(`${at} must be a non-empty string`);
}

function refuseDoubles(ids: readonly string[]): void {
  if (new Set(ids).size !== ids.length) refuse("output has one id twice");
}

function refuse(message: string): never {
  throw new MemoryError("INVALID_BACKEND_OUTPUT", message);
}
