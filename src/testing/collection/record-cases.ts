import type { Collection, CollectionRecord, StoredPart } from "../../contracts/collection.ts";
import { assertEqual } from "../assert-equal.ts";
import { assertHolds } from "../assert-holds.ts";
import { assertRefused } from "../assert-refused.ts";
import type { ConformanceCase } from "../conformance-case.ts";
import { hostileTexts } from "../hostile-texts.ts";
import { type CollectionSubject, queryIds, searchIds, tryCollection } from "./collection-subject.ts";

const fields = { lang: { type: "string" }, n: { type: "number" } } as const;

/** The bulk port: records with ids of their own, whole or in chunks. */
export const recordCases: readonly ConformanceCase<CollectionSubject>[] = [
  {
    name: "an empty collection has no rows, no hashes and nothing to remove",
    needs: [],
    run: tryCollection({ fields }, async ({ records }) => {
      assertEqual(await records.count(), 0, "the count");
      assertEqual(await records.hashes(["a"]), new Map(), "the hashes");
      assertEqual(await records.remove(["a"]), 0, "the number of removed rows");
      assertEqual(await records.removeWhere({ lang: "en" }), 0, "the number of rows removed by a filter");
    }),
  },
  {
    name: "records are written under their own ids and found by every read",
    needs: [],
    run: tryCollection({ fields }, async (collection) => {
      const { records } = collection;
      const report = await records.replace([whole("a", "potatoes"), chunked("b", ["the tide", "the harbour"])]);
      assertEqual([report.written, report.removed], [3, 0], "written and removed rows");
      assertEqual(await records.count(), 3, "the count");
      assertEqual(
        await records.hashes(["a", "b", "c"]),
        new Map([
          ["a", "hash of a"],
          ["b", "hash of b"],
        ]),
        "the hashes",
      );
      const item = { id: "b#1", content: "the harbour", metadata: { lang: "en", parent: "b" } };
      assertEqual(await collection.get({ ids: ["b#1"] }), [item], "what GET finds");
      assertEqual(await searchIds(collection, "harbour"), ["b#1"], "what a search finds");
      assertEqual((await queryIds(collection, { lang: "en" })).length, 3, "the number of rows that QUERY finds");
    }),
  },
  {
    name: "writing a record again replaces it whole: the chunks that it no longer has are gone",
    needs: [],
    run: tryCollection({ fields }, async (collection) => {
      const { records } = collection;
      await records.replace([chunked("a", ["one", "two", "three"]), whole("b", "four")]);
      assertEqual((await records.replace([chunked("a", ["one", "five"], "new")])).removed, 1, "the number of removed rows");
      assertEqual(
        (await scanned(collection)).map(({ id, content }) => [id, content]),
        [
          ["a#0", "one"],
          ["a#1", "five"],
          ["b", "four"],
        ],
        "the rows",
      );
      assertEqual(
        await records.hashes(["a", "b"]),
        new Map([
          ["a", "new"],
          ["b", "hash of b"],
        ]),
        "the hashes",
      );
      for (const gone of ["two", "three"]) assertEqual(await searchIds(collection, gone), [], `what a search for "${gone}" finds`);
      await records.replace([whole("a", "six")]);
      assertEqual(
        (await scanned(collection)).map(({ id }) => id),
        ["a", "b"],
        "the rows when chunks have become one row",
      );
    }),
  },
  {
    name: "records are removed with all their chunks, by id or by a filter that asks for something",
    needs: [],
    run: tryCollection({ fields }, async (collection) => {
      const { records } = collection;
      await records.replace([chunked("a", ["one", "two"]), whole("b", "three"), whole("c", "four", { lang: "zh" }), whole("a#0x", "five")]);
      assertEqual(await records.remove(["a", "none"]), 2, "the number of removed rows");
      assertEqual(
        (await scanned(collection)).map(({ id }) => id),
        ["a#0x", "b", "c"],
        "the rows that are left",
      );
      await assertRefused(() => records.removeWhere({}), { family: "memory" }, "removing without a condition");
      await assertRefused(() => records.removeWhere({ unknown: 1 }), { family: "memory", codes: ["INVALID_FILTER"] }, "removing by an unknown field");
      assertEqual(await records.removeWhere({ lang: "zh" }), 1, "the number of rows removed by a filter");
      assertEqual(
        (await scanned(collection)).map(({ id }) => id),
        ["a#0x", "b"],
        "the rows that are left then",
      );
      assertEqual(await searchIds(collection, "one two four"), [], "what a search for removed rows finds");
    }),
  },
  {
    name: "a batch with a mistake in it writes nothing",
    needs: ["atomic"],
    run: tryCollection({ fields }, async (collection) => {
      const { records } = collection;
      await records.replace([whole("a", "before")]);
      const mistakes: readonly CollectionRecord[] = [whole("b", "wrong", { n: "1" }), chunked("b", ["wrong"], "h", "a"), whole("a", "twice")];
      for (const mistake of mistakes) {
        await assertRefused(() => records.replace([whole("a", "after"), mistake]), { family: "memory" }, "a batch with a mistake");
        assertEqual(
          (await scanned(collection)).map(({ id, content }) => [id, content]),
          [["a", "before"]],
          "the rows",
        );
      }
    }),
  },
  {
    name: "scan gives every row once, ordered by id, in batches no larger than asked",
    needs: [],
    run: tryCollection({ fields }, async (collection) => {
      const ids = Array.from({ length: 11 }, (_, index) => `r${String((index * 7) % 11).padStart(2, "0")}`);
      await collection.records.replace(ids.map((id) => whole(id, id)));
      for (const batchSize of [1, 3, 11, 500]) {
        const batches: (readonly StoredPart[])[] = [];
        for await (const batch of collection.records.scan({ batchSize })) batches.push(batch);
        assertHolds(
          batches.every(({ length }) => length <= batchSize),
          `a batch has more than ${batchSize} rows`,
        );
        assertEqual(
          batches.flat().map(({ id }) => id),
          [...ids].sort(),
          `the rows in batches of ${batchSize}`,
        );
      }
      const [row] = await scanned(collection);
      assertEqual([row?.recordId, row?.hash, row?.content, row?.metadata], ["r00", "hash of r00", "r00", { lang: "en" }], "a row");
    }),
  },
  {
    name: "a record that was changed or cut by UPDATE or DELETE has no hash any more",
    needs: [],
    run: tryCollection({ fields }, async (collection) => {
      await collection.records.replace([whole("a", "one"), chunked("b", ["two", "three"]), whole("c", "four")]);
      await collection.update({ memories: [{ id: "a", metadata: { lang: "zh" } }] });
      await collection.delete({ ids: ["b#0"] });
      assertEqual(await collection.records.hashes(["a", "b", "c"]), new Map([["c", "hash of c"]]), "the hashes");
    }),
  },
  {
    name: "ids of records are taken as they are",
    needs: [],
    run: tryCollection({ fields }, async (collection) => {
      const ids = hostileTexts.filter((text) => text.length < 300);
      await collection.records.replace(ids.map((id) => whole(id, `content of ${id}`)));
      for (const id of ids)
        assertEqual(
          (await collection.get({ ids: [id] })).map(({ content }) => content),
          [`content of ${id}`],
          `GET of ${JSON.stringify(id)}`,
        );
      assertEqual([...(await collection.records.hashes(ids)).keys()].sort(), [...ids].sort(), "the records with a hash");
      for (const [index, id] of ids.entries()) {
        assertEqual(await collection.records.remove([id]), 1, `the number of rows removed with ${JSON.stringify(id)}`);
        assertEqual(await collection.records.count(), ids.length - index - 1, "the count");
      }
    }),
  },
];

function whole(id: string, content: string, metadata: Readonly<Record<string, string>> = { lang: "en" }): CollectionRecord {
  return { id, hash: `hash of ${id}`, parts: [{ id, content, metadata }] };
}

function chunked(id: string, contents: readonly string[], hash = `hash of ${id}`, prefix = `${id}#`): CollectionRecord {
  const partId = (index: number) => (prefix.endsWith("#") ? `${prefix}${index}` : prefix);
  return { id, hash, parts: contents.map((content, index) => ({ id: partId(index), content, metadata: { lang: "en" } })) };
}

async function scanned(collection: Collection): Promise<readonly StoredPart[]> {
  const rows: StoredPart[] = [];
  for await (const batch of collection.records.scan()) rows.push(...batch);
  return rows;
}
