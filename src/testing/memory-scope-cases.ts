import type { MemoryItem, MemoryStore } from "../contracts/memory.ts";
import { assertEqual } from "./assert-equal.ts";
import { assertRefused } from "./assert-refused.ts";
import type { ConformanceCase } from "./conformance-case.ts";
import { ConformanceError } from "./conformance-error.ts";
import { everything, type MemoryStoreSubject, plainItem } from "./memory-store-subject.ts";
import { withOpened } from "./with-opened.ts";

/** What a scope keeps apart; for the capability `scope`. */
export const memoryScopeCases: readonly ConformanceCase<MemoryStoreSubject>[] = [
  {
    name: "a memory of another scope is never read, not by id or key either",
    needs: ["scope"],
    run: tryScopes(async (store, { mine, other }) => {
      const [item] = await other.write([{ key: "k", content: "theirs" }]);
      assertEqual(await store.get({ ids: [item!.id], keys: ["k"], filter: mine.filter }), [], "what GET finds");
      assertEqual(await everything(store, mine.filter), [], "what QUERY finds");
      assertEqual(await everything(store, other.filter), [item], "what QUERY finds in the memory's own scope");
    }),
  },
  {
    name: "a memory of another scope is never changed or removed",
    needs: ["scope"],
    run: tryScopes(async (store, { mine, other }) => {
      const [item] = await other.write([{ content: "theirs" }]);
      const memories = [{ id: item!.id, content: "mine" }];
      await assertRefused(() => store.update({ memories, filter: mine.filter }), { family: "memory" }, "UPDATE of a memory of another scope");
      assertEqual(await store.delete({ ids: [item!.id], filter: mine.filter }), { deleted: [] }, "DELETE of a memory of another scope");
      assertEqual(await everything(store, other.filter), [item], "what is kept");
    }),
  },
  {
    name: "a key belongs to its scope: two scopes may have the same",
    needs: ["scope"],
    run: tryScopes(async (store, { mine, other }) => {
      const [theirs] = await other.write([{ key: "k", content: "theirs" }]);
      const [own] = await mine.write([{ key: "k", content: "mine" }]);
      assertEqual((await store.get({ keys: ["k"], filter: mine.filter })).map(plainItem), [own], "GET by key");
      assertEqual((await store.get({ keys: ["k"], filter: other.filter })).map(plainItem), [theirs], "GET by key in the other scope");
    }),
  },
  {
    name: "every call needs the scope",
    needs: ["scope"],
    run: tryScopes(async (store, { mine }) => {
      const [item] = await mine.write([{ content: 1 }]);
      const ids = [item!.id];
      const calls: Readonly<Record<string, () => Promise<unknown>>> = {
        GET: () => store.get({ ids }),
        QUERY: () => store.query({}),
        WRITE: () => store.write({ memories: [{ content: 1 }] }),
        UPDATE: () => store.update({ memories: [{ id: item!.id, content: 2 }] }),
        DELETE: () => store.delete({ ids }),
      };
      for (const [name, call] of Object.entries(calls)) await assertRefused(call, { family: "memory" }, `${name} without a scope`);
      assertEqual(await everything(store, mine.filter), [item], "what is kept");
    }),
  },
  {
    name: "UPDATE keeps the scope where new metadata leave it out, and refuses another one",
    needs: ["scope"],
    run: tryScopes(async (store, { mine, other }) => {
      const [item] = await mine.write([{ content: 1 }]);
      await store.update({ memories: [{ id: item!.id, metadata: {} }], filter: mine.filter });
      assertEqual(
        (await everything(store, mine.filter)).map(({ metadata }) => metadata),
        [mine.filter],
        "the metadata after an UPDATE",
      );
      const moving = [{ id: item!.id, metadata: other.filter }];
      await assertRefused(() => store.update({ memories: moving, filter: mine.filter }), { family: "memory" }, "UPDATE that moves a memory");
      assertEqual(await everything(store, other.filter), [], "what is in the other scope");
    }),
  },
];

/** One scope of the store. */
interface Side {
  readonly filter: Readonly<Record<string, unknown>>;
  write(memories: readonly { readonly key?: string; readonly content: unknown }[]): Promise<readonly MemoryItem[]>;
}

function tryScopes(
  work: (store: MemoryStore, sides: { readonly mine: Side; readonly other: Side }) => Promise<void>,
): (subject: MemoryStoreSubject) => Promise<void> {
  return (subject) => {
    const { openScoped } = subject;
    if (openScoped === undefined) throw new ConformanceError("The capability scope needs a subject with openScoped");
    return withOpened(
      () => openScoped.call(subject),
      async ({ store, scope: { field, values } }) => {
        const side = (value: string): Side => ({
          filter: { [field]: value },
          write: async (memories) => {
            const drafts = memories.map((draft) => ({ ...draft, metadata: { [field]: value } }));
            return (await store.write({ memories: drafts })).map(plainItem);
          },
        });
        await work(store, { mine: side(values[0]), other: side(values[1]) });
      },
    );
  };
}
