import { assertEqual } from "../assert-equal.ts";
import { assertRefused } from "../assert-refused.ts";
import type { ConformanceCase } from "../conformance-case.ts";
import { type CollectionSubject, queryIds, search, tryCollection } from "./collection-subject.ts";

const fields = {
  s: { type: "string" },
  n: { type: "number" },
  i: { type: "integer" },
  b: { type: "boolean" },
  at: { type: "string", format: "date-time" },
  tags: { type: "array" },
} as const;

const wrong: readonly Readonly<Record<string, unknown>>[] = [
  { s: 1 },
  { n: "1" },
  { n: Number.NaN },
  { i: 1.5 },
  { i: 2 ** 53 },
  { b: 1 },
  { b: "true" },
  { at: "2024-02-30T00:00:00Z" },
  { at: 1_700_000_000 },
  { tags: "a" },
  { tags: [1] },
];

/** Declared fields: their types, defaults, and what comes back. */
export const fieldCases: readonly ConformanceCase<CollectionSubject>[] = [
  {
    name: "metadata come back with their types, declared or not",
    needs: [],
    run: tryCollection({ fields }, async (collection) => {
      const metadata = { s: "01", n: 1, i: 10, b: false, at: "2024-01-01T01:00:00+01:00", tags: ["1", ""], more: { a: [1, "1", null, true] }, "a.b": "中" };
      const [item] = await collection.write({ memories: [{ content: "word", metadata }] });
      assertEqual(item?.metadata, metadata, "what WRITE returns");
      assertEqual((await collection.query({})).items[0]?.metadata, metadata, "what QUERY finds");
      assertEqual((await search(collection, "word"))[0]?.metadata, metadata, "what a search finds");
    }),
  },
  {
    name: "a value of another type than declared is refused, and nothing of the batch is written",
    needs: ["atomic"],
    run: tryCollection({ fields }, async (collection) => {
      for (const metadata of wrong) {
        const memories = [{ content: "right" }, { content: "wrong", metadata }];
        await assertRefused(() => collection.write({ memories }), { family: "memory", codes: ["INVALID_INPUT"] }, `WRITE of ${JSON.stringify(metadata)}`);
      }
      assertEqual(await queryIds(collection, {}), [], "what is kept");
      const [item] = await collection.write({ memories: [{ content: "right", metadata: { n: 1 } }] });
      for (const metadata of wrong) {
        const change = () => collection.update({ memories: [{ id: item!.id, metadata }] });
        await assertRefused(change, { family: "memory", codes: ["INVALID_INPUT"] }, `UPDATE with ${JSON.stringify(metadata)}`);
      }
      assertEqual((await collection.query({})).items, [item], "what is kept after the updates");
    }),
  },
  {
    name: "a default fills in what is missing, and counts in filters; what is required must be there",
    needs: [],
    run: tryCollection({ fields: { lang: { type: "string", default: "en" }, team: { type: "string", required: true } } }, async (collection) => {
      const [item] = await collection.write({ memories: [{ content: "word", metadata: { team: "a" } }] });
      assertEqual(item?.metadata, { team: "a", lang: "en" }, "what WRITE returns");
      assertEqual(await queryIds(collection, { lang: "en" }), [item?.id], "what QUERY finds by the default");
      await assertRefused(
        () => collection.write({ memories: [{ content: "word" }] }),
        { family: "memory", codes: ["INVALID_INPUT"] },
        "WRITE without a required field",
      );
      await assertRefused(
        () => collection.update({ memories: [{ id: item!.id, metadata: { lang: "zh" } }] }),
        { family: "memory", codes: ["INVALID_INPUT"] },
        "UPDATE that leaves a required field out",
      );
    }),
  },
];
