import { isRecord } from "../../base/is-record.ts";
import type {
  MemoryDeleteInput,
  MemoryDraft,
  MemoryGetInput,
  MemoryQueryInput,
  MemorySearchInput,
  MemoryUpdateEntry,
  MemoryUpdateInput,
  MemoryWriteInput,
} from "../../contracts/memory.ts";
import { MemoryError } from "../../contracts/memory-error.ts";

/**
 * The readers of the six inputs: each checks the public contract and gives the plugin a fresh object without absent members.
 *
 * Values of `content`, `query`, `filter`, `options` and `metadata` are handed on as they are. A member that the contract does not
 * know is refused: a misspelt `filter` would otherwise widen a request in silence.
 *
 * @throws MemoryError `INVALID_INPUT`
 */
export const readMemoryInput: {
  readonly get: (input: unknown) => MemoryGetInput;
  readonly query: (input: unknown, defaultLimit: unknown) => MemoryQueryInput;
  readonly search: (input: unknown, defaultLimit: unknown) => MemorySearchInput;
  readonly write: (input: unknown) => MemoryWriteInput;
  readonly update: (input: unknown) => MemoryUpdateInput;
  readonly delete: (input: unknown) => MemoryDeleteInput;
} = { get: readGet, query: readQuery, search: readSearch, write: readWrite, update: readUpdate, delete: readDelete };

function readGet(value: unknown): MemoryGetInput {
  const input = readObject(value, "input", ["ids", "keys", "filter"]);
  if (input.ids === undefined && input.keys === undefined) refuse("input needs ids or keys");
  return {
    ...(input.ids === undefined ? {} : { ids: readDistinctIds(input.ids, "ids") }),
    ...(input.keys === undefined ? {} : { keys: readDistinctIds(input.keys, "keys") }),
    ...readPlainObject(input, "filter", "input"),
  };
}

function readQuery(value: unknown, defaultLimit: unknown): MemoryQueryInput {
  const input = readObject(value, "input", ["filter", "limit", "cursor", "orderBy"]);
  return {
    ...readPlainObject(input, "filter", "input"),
    limit: readLimit(input, defaultLimit),
    ...readText(input, "cursor", "input"),
    ...(input.orderBy === undefined ? {} : { orderBy: readArray(input.orderBy, "orderBy").map(readOrder) }),
  };
}

function readOrder(value: unknown, index: number): { field: string; direction?: "asc" | "desc" } {
  const at = `orderBy[${index}]`;
  const order = readObject(value, at, ["field", "direction"]);
  const field = readId(order.field, `${at}.field`);
  const { direction } = order;
  if (direction === undefined) return { field };
  if (direction !== "asc" && direction !== "desc") return refuse(`${at}.direction must be asc or desc`);
  return { field, direction };
}

function readSearch(value: unknown, defaultLimit: unknown): MemorySearchInput {
  const input = readObject(value, "input", ["query", "strategy", "filter", "limit", "options"]);
  if (!Object.hasOwn(input, "query")) refuse("input needs query");
  return {
    query: input.query,
    ...readText(input, "strategy", "input"),
    ...readPlainObject(input, "filter", "input"),
    limit: readLimit(input, defaultLimit),
    ...readPlainObject(input, "options", "input"),
  };
}

function readWrite(value: unknown): MemoryWriteInput {
  const input = readObject(value, "input", ["memories"]);
  return { memories: readArray(input.memories, "memories").map(readDraft) };
}

function readDraft(value: unknown, index: number): MemoryDraft {
  const at = `memories[${index}]`;
  const draft = readObject(value, at, ["key", "content", "metadata"]);
  if (!Object.hasOwn(draft, "content")) refuse(`${at} needs content`);
  return { ...readText(draft, "key", at), content: draft.content, ...readPlainObject(draft, "metadata", at) };
}

function readUpdate(value: unknown): MemoryUpdateInput {
  const input = readObject(value, "input", ["memories", "filter"]);
  const memories = readArray(input.memories, "memories").map(readUpdateEntry);
  const seen = new Set<string>();
  for (const [index, { id }] of memories.entries()) {
    if (seen.has(id)) refuse(`memories[${index}].id stands there twice`);
    seen.add(id);
  }
  return { memories, ...readPlainObject(input, "filter", "input") };
}

function readUpdateEntry(value: unknown, index: number): MemoryUpdateEntry {
  const at = `memories[${index}]`;
  if (isRecord(value) && Object.hasOwn(value, "key")) refuse(`${at}.key cannot be changed`);
  const entry = readObject(value, at, ["id", "content", "metadata"]);
  const id = readId(entry.id, `${at}.id`);
  const content = Object.hasOwn(entry, "content") ? { content: entry.content } : undefined;
  const metadata = readPlainObject(entry, "metadata", at);
  if (content === undefined && metadata === undefined) refuse(`${at} needs content or metadata`);
  return { id, ...content, ...metadata };
}

function readDelete(value: unknown): MemoryDeleteInput {
  const input = readObject(value, "input", ["ids", "filter"]);
  return { ids: readDistinctIds(input.ids, "ids"), ...readPlainObject(input, "filter", "input") };
}

function readObject(value: unknown, at: string, known: readonly string[]): Record<string, unknown> {
  if (!isRecord(value)) return refuse(`${at} must be an object`);
  for (const name of Object.keys(value)) if (!known.includes(name)) refuse(`${at} may have ${known.join(", ")} only`);
  return value;
}

function readArray(value: unknown, at: string): unknown[] {
  // Array.from turns holes into undefined, which a callback of map would skip.
  return Array.isArray(value) ? Array.from(value) : refuse(`${at} must be an array`);
}

function readDistinctIds(value: unknown, at: string): string[] {
  return [...new Set(readArray(value, at).map((id, index) => readId(id, `${at}[${index}]`)))];
}

function readId(value: unknown, at: string): string {
  return typeof value === "string" && value !== "" ? value : refuse(`${at} must be a non-empty string`);
}

function readText<N extends string>(owner: Record<string, unknown>, name: N, at: string): { [K in N]: string } | undefined {
  if (owner[name] === undefined) return undefined;
  return { [name]: readId(owner[name], `${at}.${name}`) } as { [K in N]: string };
}

function readPlainObject<N extends string>(owner: Record<string, unknown>, name: N, at: string): { [K in N]: Record<string, unknown> } | undefined {
  const value = owner[name];
  if (value === undefined) return undefined;
  if (!isRecord(value)) return refuse(`${at}.${name} must be a plain object`);
  return { [name]: value } as { [K in N]: Record<string, unknown> };
}

function readLimit(input: Record<string, unknown>, defaultLimit: unknown): number {
  const limit = input.limit === undefined ? defaultLimit : input.limit;
  if (typeof limit !== "number" || !Number.isInteger(limit) || limit < 1 || limit > 10_000) return refuse("limit must be an integer from 1 to 10000");
  return limit;
}

function refuse(message: string): never {
  throw new MemoryError("INVALID_INPUT", message);
}
