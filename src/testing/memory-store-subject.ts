import type { MemoryDraft, MemoryItem, MemorySearchProvider, MemoryStore } from "../contracts/memory.ts";
import { assertEqual } from "./assert-equal.ts";
import { assertHolds } from "./assert-holds.ts";
import { type Closable, withOpened } from "./with-opened.ts";

/** What the cases for stores try. */
export interface MemoryStoreSubject {
  /** Opens an empty store that takes any metadata and wants no scope. */
  open(): Promise<OpenedStore>;
  /** Opens an empty store with a scope; for the capability `scope`. */
  openScoped?(): Promise<OpenedStore & { readonly scope: StoreScope }>;
}

/** An open store. */
export interface OpenedStore extends Closable {
  readonly store: MemoryStore & Partial<MemorySearchProvider>;
}

/** The metadata field that is a store's scope, and two values of it. */
export interface StoreScope {
  readonly field: string;
  readonly values: readonly [string, string];
}

/** Makes the run of a case out of what it tries with an empty store. */
export function tryStore(work: (store: MemoryStore) => Promise<void>): (subject: MemoryStoreSubject) => Promise<void> {
  return (subject) =>
    withOpened(
      () => subject.open(),
      ({ store }) => work(store),
    );
}

/** Writes memories and holds the store to one answer for each. */
export async function writeAll(store: MemoryStore, memories: readonly MemoryDraft[]): Promise<readonly MemoryItem[]> {
  const written = await store.write({ memories });
  assertEqual(written.length, memories.length, "the number of memories that WRITE returns");
  return written.map(plainItem);
}

/** Reads every page of everything. */
export async function pagesOf(store: MemoryStore, limit: number, filter?: Readonly<Record<string, unknown>>): Promise<readonly (readonly MemoryItem[])[]> {
  const pages: (readonly MemoryItem[])[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.query({ limit, ...(filter === undefined ? {} : { filter }), ...(cursor === undefined ? {} : { cursor }) });
    pages.push(page.items.map(plainItem));
    cursor = page.nextCursor;
    assertHolds(pages.length < 10_000, "the pages do not end");
  } while (cursor !== undefined);
  return pages;
}

/** Everything that a store has, ordered by id. */
export async function everything(store: MemoryStore, filter?: Readonly<Record<string, unknown>>): Promise<readonly MemoryItem[]> {
  return sorted((await pagesOf(store, 100, filter)).flat());
}

/** Memories ordered by id, for comparisons where a store may have an order of its own. */
export function sorted(items: readonly MemoryItem[]): readonly MemoryItem[] {
  return [...items].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** A memory as plain data, whatever class the store made it of. */
export function plainItem({ id, key, content, metadata }: MemoryItem): MemoryItem {
  return { id, ...(key === undefined ? {} : { key }), content, ...(metadata === undefined ? {} : { metadata: { ...metadata } }) };
}
