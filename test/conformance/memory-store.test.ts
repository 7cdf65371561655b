import { describe } from "vitest";
import type { MemoryItem, MemoryStore, MemorySearchProvider } from "../../src/contracts/memory.ts";
import { createRetrievalMemorySearchProvider } from "../../src/retrieval/adapters/memory/create-retrieval-memory-search-provider.ts";
import { createTextSearchProvider } from "../../src/retrieval/providers/text.ts";
import { memorySearchCases, type MemorySearchSubject } from "../../src/testing/memory-search-cases.ts";
import { memoryStoreCases } from "../../src/testing/memory-store-cases.ts";
import type { MemoryStoreSubject } from "../../src/testing/memory-store-subject.ts";
import { openCollection } from "../plugins/sqlite/open-test-collection.ts";
import { InMemoryStore } from "./in-memory-store.ts";
import { testCases, testFaults } from "./run-cases.ts";

type Store = MemoryStore & MemorySearchProvider;

function storeSubject(make: (scopeField?: string) => Store): MemoryStoreSubject {
  return {
    open: async () => ({ store: make() }),
    openScoped: async () => ({ store: make("tenant"), scope: { field: "tenant", values: ["a", "b"] } }),
  };
}

function searchSubject(make: () => Store): MemorySearchSubject {
  return {
    open: async () => {
      const store = make();
      return { store, search: store };
    },
    unknownStrategy: "guess",
  };
}

/** A store like the whole one, but for some methods. */
function storeBut(change: (store: Store) => Partial<Store>): MemoryStoreSubject {
  return storeSubject((scopeField) => changed(scopeField, change));
}

function searchBut(change: (store: Store) => Partial<Store>): MemorySearchSubject {
  return searchSubject(() => changed(undefined, change));
}

function changed(scopeField: string | undefined, change: (store: Store) => Partial<Store>): Store {
  const whole = new InMemoryStore(scopeField);
  const bound = Object.fromEntries(
    (["get", "query", "search", "write", "update", "delete"] as const).map((name) => [name, whole[name].bind(whole)]),
  ) as unknown as Store;
  return { ...bound, ...change(bound) };
}

const whole = (scopeField?: string) => new InMemoryStore(scopeField);

describe("a store in memory", () => testCases(memoryStoreCases, storeSubject(whole), ["scope", "atomic", "unique-keys"]));
describe("a search in memory", () => testCases(memorySearchCases, searchSubject(whole), ["same-data", "strategies"]));

describe("a SQLite collection's full text as MEMORY.SEARCH", () => {
  const open = async () => {
    const { collection, close } = await openCollection({});
    const search = createRetrievalMemorySearchProvider({
      provider: createTextSearchProvider(collection.text),
      target: { name: "kb" },
      mapOutput: async ({ candidates }) => {
        const items = await collection.get({ ids: candidates.map(({ id }) => String(id)) });
        return items.map((memory, index) => ({ memory, score: candidates[index]!.score! }));
      },
    });
    return { store: collection, search, close };
  };
  testCases(memorySearchCases, { open }, ["same-data"]);
});

/** Keys as a database keeps them that folds case. */
class Folding extends InMemoryStore {
  protected override foldKey(key: string): string {
    return key.toLowerCase();
  }
  protected override hasKey(): boolean {
    return false;
  }
}

class Upserting extends InMemoryStore {
  override async update(input: Parameters<MemoryStore["update"]>[0]): Promise<readonly MemoryItem[]> {
    for (const { id, content } of input.memories) if (!this.items.has(id)) this.items.set(id, { id, content });
    return super.update(input);
  }
}

class ScopesIgnored extends InMemoryStore {
  protected override isIn(): boolean {
    return true;
  }
}

class KeysAcrossScopes extends InMemoryStore {
  protected override hasKey(key: string): boolean {
    return [...this.items.values()].some((item) => item.key === key);
  }
}

class ScopeOptional extends InMemoryStore {
  protected override scopeOf(named: Readonly<Record<string, unknown>> | undefined): unknown {
    return named?.tenant;
  }
  protected override isIn({ metadata }: MemoryItem, scope: unknown): boolean {
    return scope === undefined || metadata?.tenant === scope;
  }
}

class Moving extends InMemoryStore {
  protected override merge(item: MemoryItem, entry: { readonly metadata?: Record<string, unknown> | undefined }): MemoryItem {
    return { ...item, metadata: { ...item.metadata, ...entry.metadata } };
  }
}

describe("the cases for stores", () =>
  testFaults(memoryStoreCases, {
    "WRITE gives every memory an id of its own and returns it whole, in the order of the request": storeBut((store) => ({
      write: async (input) => [...(await store.write(input))].reverse(),
    })),
    "content of any JSON comes back as it was written, numbers to the last digit and texts to the last byte": storeBut((store) => ({
      get: async (input) => (await store.get(input)).map((item) => (typeof item.content === "number" ? { ...item, content: Math.fround(item.content) } : item)),
    })),
    "GET finds by id and by key, each once, and leaves out what does not exist": storeBut((store) => ({ get: ({ ids = [] }) => store.get({ ids }) })),
    "keys and ids are taken as they are: no wildcard, no quoting, no case, no trimming": storeSubject((scopeField) => new Folding(scopeField)),
    "a key that is taken never drops a memory in silence": storeBut((store) => ({
      write: async (input) => {
        const there = await store.get({ keys: input.memories.flatMap(({ key }) => key ?? []) });
        return there.length > 0 ? there : store.write(input);
      },
    })),
    "a key that is taken is refused, and nothing of the batch is written": storeBut((store) => ({
      write: async ({ memories }) => (await Promise.all(memories.map((memory) => store.write({ memories: [memory] })))).flat(),
    })),
    "QUERY gives at most limit memories a page, every one once, and no cursor on the last page": storeBut((store) => ({
      query: async (input) => {
        const page = await store.query(input);
        return page.items.length === 0 ? page : { nextCursor: page.items.at(-1)!.id, ...page };
      },
    })),
    "pages stay right when memories are added in between: all that were there are met once": storeBut((store) => ({
      query: async ({ limit = 100, cursor = "0" }) => {
        const newestFirst = [...(await store.query({ limit: 10_000 })).items].reverse();
        const end = Number(cursor) + limit;
        return { items: newestFirst.slice(Number(cursor), end), ...(end < newestFirst.length ? { nextCursor: String(end) } : {}) };
      },
    })),
    "UPDATE replaces what is given and keeps the rest; null is content, and empty metadata are metadata": storeBut((store) => ({
      update: async ({ memories }) => {
        const [before] = await store.get({ ids: memories.map(({ id }) => id) });
        return store.update({ memories: memories.map((entry) => ({ ...entry, metadata: { ...before?.metadata, ...entry.metadata } })) });
      },
    })),
    "UPDATE of a memory that does not exist fails and makes none": storeSubject((scopeField) => new Upserting(scopeField)),
    "UPDATE changes all of its entries or none": storeBut((store) => ({
      update: async ({ memories }) => {
        const updated: MemoryItem[] = [];
        for (const entry of memories) updated.push(...(await store.update({ memories: [entry] })));
        return updated;
      },
    })),
    "DELETE tells which memories it removed, once, and they are gone for every read": storeBut((store) => ({
      delete: async ({ ids }) => {
        await store.delete({ ids });
        return { deleted: ids };
      },
    })),
    "methods leave their input as it was": storeBut((store) => ({
      delete: (input) => store.delete(Object.assign(input, { ids: [...new Set(input.ids)] })),
    })),
    "a memory of another scope is never read, not by id or key either": storeSubject((scopeField) => new ScopesIgnored(scopeField)),
    "a memory of another scope is never changed or removed": storeSubject((scopeField) => new ScopesIgnored(scopeField)),
    "a key belongs to its scope: two scopes may have the same": storeSubject((scopeField) => new KeysAcrossScopes(scopeField)),
    "every call needs the scope": storeSubject((scopeField) => new ScopeOptional(scopeField)),
    "UPDATE keeps the scope where new metadata leave it out, and refuses another one": storeSubject((scopeField) => new Moving(scopeField)),
  }));

describe("the cases for memory searches", () =>
  testFaults(memorySearchCases, {
    "SEARCH gives whole memories as the store has them, each once, with finite scores, at most limit": searchBut((store) => ({
      search: async (input) => store.search({ ...input, limit: 100 }),
    })),
    "SEARCH takes a query as text, whatever it looks like, and leaves the data as they are": searchBut((store) => ({
      search: async (input) => {
        if (String(input.query).includes("DROP TABLE")) await store.delete({ ids: ["m000001"] });
        return store.search(input);
      },
    })),
    "SEARCH sees what was written, changed and removed": searchBut((store) => {
      const index = new InMemoryStore();
      return {
        write: async (input) => {
          await index.write(input);
          return store.write(input);
        },
        search: (input) => index.search(input),
      };
    }),
    "SEARCH refuses a strategy that it does not have": searchBut((store) => ({ search: ({ strategy: _, ...input }) => store.search(input) })),
    "SEARCH over nothing finds nothing": searchBut((store) => ({
      search: async (input) => {
        const hits = await store.search(input);
        return hits.length > 0 ? hits : [{ memory: { id: "none", content: "" } }];
      },
    })),
  }));
