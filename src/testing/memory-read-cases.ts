import type { MemoryItem } from "../contracts/memory.ts";
import { assertEqual } from "./assert-equal.ts";
import { assertHolds } from "./assert-holds.ts";
import { assertRefused } from "./assert-refused.ts";
import type { ConformanceCase } from "./conformance-case.ts";
import { hostileTexts } from "./hostile-texts.ts";
import { everything, type MemoryStoreSubject, pagesOf, plainItem, sorted, tryStore, writeAll } from "./memory-store-subject.ts";
import { seededRandom } from "./seeded-random.ts";

/** What WRITE keeps, and how GET and QUERY find it. */
export const memoryReadCases: readonly ConformanceCase<MemoryStoreSubject>[] = [
  {
    name: "WRITE gives every memory an id of its own and returns it whole, in the order of the request",
    needs: [],
    run: tryStore(async (store) => {
      const drafts = ["a", "b", "a"].map((content, index) => ({ content, metadata: { index } }));
      const written = await store.write({ memories: drafts });
      assertEqual(
        written.map(({ content, metadata }) => ({ content, metadata })),
        drafts,
        "what WRITE returns",
      );
      assertEqual(new Set(written.map(({ id }) => id)).size, 3, "the number of ids");
      assertHolds(
        written.every(({ id }) => typeof id === "string" && id !== ""),
        "WRITE returned an empty id",
      );
    }),
  },
  {
    name: "content of any JSON comes back as it was written, numbers to the last digit and texts to the last byte",
    needs: [],
    run: tryStore(async (store) => {
      const contents = [
        ...exactNumbers,
        ...hostileTexts,
        "",
        true,
        null,
        [],
        {},
        [1, "1", [null]],
        { "": { a: [1, 2] }, "a.b": "中文" },
        JSON.parse('{"__proto__": 1}'),
      ];
      const written = await writeAll(
        store,
        contents.map((content) => ({ content })),
      );
      const read = new Map((await store.get({ ids: written.map(({ id }) => id) })).map((item) => [item.id, item]));
      for (const [index, { id }] of written.entries()) assertEqual(read.get(id)?.content, contents[index], `content ${index}`);
    }),
  },
  {
    name: "GET finds by id and by key, each once, and leaves out what does not exist",
    needs: [],
    run: tryStore(async (store) => {
      const [first, second] = await writeAll(store, [{ key: "one", content: 1 }, { content: 2 }]);
      const found = await store.get({ ids: [second!.id, "no such id"], keys: ["one", "no such key"] });
      assertEqual(sorted(found.map(plainItem)), sorted([first!, second!]), "what GET finds");
      assertEqual((await store.get({ ids: [first!.id], keys: ["one"] })).map(plainItem), [first], "GET of one memory by both");
      assertEqual(await store.get({ ids: ["no such id"] }), [], "GET of what does not exist");
    }),
  },
  {
    name: "keys and ids are taken as they are: no wildcard, no quoting, no case, no trimming",
    needs: [],
    run: tryStore(async (store) => {
      const keys = hostileTexts.filter((text) => text.length < 300);
      const written = await writeAll(
        store,
        keys.map((key) => ({ key, content: key })),
      );
      for (const [index, key] of keys.entries())
        assertEqual((await store.get({ keys: [key] })).map(plainItem), [written[index]], `GET of the key ${JSON.stringify(key)}`);
      for (const text of hostileTexts) assertEqual(await store.get({ ids: [text] }), [], `GET of the id ${JSON.stringify(text)}`);
      await store.delete({ ids: [...hostileTexts] });
      assertEqual((await everything(store)).length, keys.length, "the number of memories after a DELETE of ids that nobody has");
    }),
  },
  {
    name: "a key that is taken never drops a memory in silence",
    needs: [],
    run: tryStore(async (store) => {
      await store.write({ memories: [{ key: "k", content: "first" }] });
      let second: readonly MemoryItem[];
      try {
        second = await store.write({ memories: [{ key: "k", content: "second" }] });
      } catch {
        return;
      }
      assertEqual(
        (await store.get({ ids: second.map(({ id }) => id) })).map(({ content }) => content),
        ["second"],
        "the second memory with the key",
      );
    }),
  },
  {
    name: "a key that is taken is refused, and nothing of the batch is written",
    needs: ["unique-keys", "atomic"],
    run: tryStore(async (store) => {
      await store.write({ memories: [{ key: "k", content: "first" }] });
      await assertRefused(
        () => store.write({ memories: [{ content: "other" }, { key: "k", content: "second" }] }),
        { family: "memory" },
        "a key that is taken",
      );
      await assertRefused(
        () =>
          store.write({
            memories: [
              { key: "n", content: 1 },
              { key: "n", content: 2 },
            ],
          }),
        { family: "memory" },
        "a key twice in a batch",
      );
      assertEqual(
        (await everything(store)).map(({ content }) => content),
        ["first"],
        "what is kept",
      );
    }),
  },
  {
    name: "QUERY gives at most limit memories a page, every one once, and no cursor on the last page",
    needs: [],
    run: tryStore(async (store) => {
      const written = await writeAll(
        store,
        Array.from({ length: 23 }, (_, content) => ({ content })),
      );
      for (const limit of [1, 7, 22, 23, 24]) {
        const pages = await pagesOf(store, limit);
        assertHolds(
          pages.every(({ length }) => length <= limit),
          `a page has more than ${limit} memories`,
        );
        assertEqual(sorted(pages.flat()), sorted(written), `the pages of ${limit} together`);
      }
      assertEqual("nextCursor" in (await store.query({ limit: 23 })), false, "a cursor on the last page");
    }),
  },
  {
    name: "pages stay right when memories are added in between: all that were there are met once",
    needs: [],
    run: tryStore(async (store) => {
      const random = seededRandom(7);
      const written = await writeAll(
        store,
        Array.from({ length: 20 }, (_, content) => ({ content })),
      );
      const met: MemoryItem[] = [];
      let cursor: string | undefined;
      do {
        const page = await store.query({ limit: 1 + random.integer(4), ...(cursor === undefined ? {} : { cursor }) });
        met.push(...page.items.map(plainItem));
        cursor = page.nextCursor;
        await store.write({ memories: Array.from({ length: random.integer(3) }, () => ({ content: "later" })) });
        assertHolds(met.length < 200, "the pages do not end");
      } while (cursor !== undefined);
      assertEqual(sorted(met.filter(({ content }) => content !== "later")), sorted(written), "what was there from the beginning");
      assertEqual(new Set(met.map(({ id }) => id)).size, met.length, "the number of different memories on the pages");
    }),
  },
];

/** Numbers that lose a digit where they pass through another format. */
const exactNumbers: readonly number[] = [
  0,
  -1,
  0.1,
  1.5,
  0.300_000_000_000_000_04,
  1e21,
  1e-7,
  5e-324,
  Number.MAX_VALUE,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
];
