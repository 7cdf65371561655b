import type { MemoryCallOptions, MemoryGetInput, MemoryItem } from "@codesoul-co/ditto/plugin";
import { toItem } from "../row.ts";
import { type CollectionReader, toKeptRow } from "./collection-reader.ts";
import { distinctTexts, lookUp } from "./look-up.ts";

/** MEMORY.GET: rows by id and by key, each once, in the order of the request. */
export async function getMemories(
  reader: CollectionReader,
  input: Pick<MemoryGetInput, "ids" | "keys"> & { readonly scope: string },
  { signal }: MemoryCallOptions,
): Promise<readonly MemoryItem[]> {
  const ids = distinctTexts(input.ids ?? [], "ids");
  const keys = distinctTexts(input.keys ?? [], "keys");
  if ((ids.length === 0 && keys.length === 0) || (await reader.state(signal)) === undefined) return [];
  const statements = [...lookUp(reader, input.scope, { column: "id", values: ids }), ...lookUp(reader, input.scope, { column: "key", values: keys })];
  const rows = (await reader.read(statements, signal)).flat().map(toKeptRow);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const byKey = new Map(rows.map((row) => [row.key, row]));
  const found = [...ids.map((id) => byId.get(id)), ...keys.map((key) => byKey.get(key))];
  return [...new Map(found.flatMap((row) => (row === undefined ? [] : [[row.id, toItem(reader.declaration, row)] as const]))).values()];
}
