import type { MemoryUpdateEntry } from "../contracts/memory.ts";
import { assertEqual } from "./assert-equal.ts";
import { assertRefused } from "./assert-refused.ts";
import type { ConformanceCase } from "./conformance-case.ts";
import { everything, type MemoryStoreSubject, plainItem, tryStore, writeAll } from "./memory-store-subject.ts";

/** What UPDATE and DELETE change. */
export const memoryChangeCases: readonly ConformanceCase<MemoryStoreSubject>[] = [
  {
    name: "UPDATE replaces what is given and keeps the rest; null is content, and empty metadata are metadata",
    needs: [],
    run: tryStore(async (store) => {
      const [item] = await writeAll(store, [{ key: "k", content: { a: 1 }, metadata: { x: "1", y: "2" } }]);
      const id = item!.id;
      const update = async (entry: MemoryUpdateEntry) => (await store.update({ memories: [entry] })).map(plainItem);
      assertEqual(await update({ id, metadata: { x: "3" } }), [{ id, key: "k", content: { a: 1 }, metadata: { x: "3" } }], "after an UPDATE of metadata");
      assertEqual(await update({ id, content: null }), [{ id, key: "k", content: null, metadata: { x: "3" } }], "after an UPDATE of content");
      const changed = await update({ id, content: "b", metadata: {} });
      assertEqual(changed, [{ id, key: "k", content: "b", metadata: {} }], "after an UPDATE of both");
      assertEqual((await store.get({ ids: [id], keys: ["k"] })).map(plainItem), changed, "what GET finds then");
    }),
  },
  {
    name: "UPDATE of a memory that does not exist fails and makes none",
    needs: [],
    run: tryStore(async (store) => {
      await assertRefused(() => store.update({ memories: [{ id: "no such id", content: 1 }] }), { family: "memory" }, "UPDATE of what does not exist");
      assertEqual(await everything(store), [], "what is kept");
    }),
  },
  {
    name: "UPDATE changes all of its entries or none",
    needs: ["atomic"],
    run: tryStore(async (store) => {
      const [item] = await writeAll(store, [{ content: "before" }]);
      const memories = [
        { id: item!.id, content: "after" },
        { id: "no such id", content: 1 },
      ];
      await assertRefused(() => store.update({ memories }), { family: "memory" }, "UPDATE of what does not exist");
      assertEqual(await everything(store), [item], "what is kept");
    }),
  },
  {
    name: "DELETE tells which memories it removed, once, and they are gone for every read",
    needs: [],
    run: tryStore(async (store) => {
      const [gone, kept] = await writeAll(store, [{ key: "k", content: 1 }, { content: 2 }]);
      assertEqual(await store.delete({ ids: [gone!.id, "no such id"] }), { deleted: [gone!.id] }, "the first DELETE");
      assertEqual(await store.delete({ ids: [gone!.id] }), { deleted: [] }, "the second DELETE");
      assertEqual(await store.get({ ids: [gone!.id], keys: ["k"] }), [], "what GET finds");
      assertEqual(await everything(store), [kept], "what QUERY finds");
      await assertRefused(() => store.update({ memories: [{ id: gone!.id, content: 3 }] }), { family: "memory" }, "UPDATE of what was removed");
    }),
  },
  {
    name: "methods leave their input as it was",
    needs: [],
    run: tryStore(async (store) => {
      const memories = Object.freeze([Object.freeze({ key: "k", content: Object.freeze({ a: Object.freeze([1]) }), metadata: Object.freeze({ b: "2" }) })]);
      const [item] = await store.write(Object.freeze({ memories }));
      await store.get(Object.freeze({ ids: Object.freeze([item!.id]), keys: Object.freeze(["k"]) }));
      await store.query(Object.freeze({ limit: 1 }));
      await store.update(Object.freeze({ memories: Object.freeze([Object.freeze({ id: item!.id, metadata: Object.freeze({ b: "3" }) })]) }));
      assertEqual(await store.delete(Object.freeze({ ids: Object.freeze([item!.id]) })), { deleted: [item!.id] }, "DELETE");
    }),
  },
];
