import type { CollectionRecord } from "../../contracts/collection.ts";
import { assertEqual } from "../assert-equal.ts";
import { assertRefused } from "../assert-refused.ts";
import type { ConformanceCase } from "../conformance-case.ts";
import { wordEmbedding, wordVector } from "../word-embedding.ts";
import { type CollectionSubject, search, searchIds, tryCollection } from "./collection-subject.ts";

const declaration = { namespace: "tenant", fields: { lang: { type: "string" } } } as const;
const a = { namespace: "a" };
const b = { namespace: "b" };

/** What a declared scope keeps apart in searches and in the bulk port. */
export const collectionScopeCases: readonly ConformanceCase<CollectionSubject>[] = [
  {
    name: "full text finds rows of the request's namespace only, and needs one",
    needs: ["scope"],
    run: tryCollection(declaration, async (collection) => {
      await collection.records.replace([record("1", "noon")], a);
      await collection.records.replace([record("2", "noon")], b);
      for (const [namespace, expected] of scopes)
        assertEqual(await searchIds(collection, "noon", { target: { name: "t", namespace } }), expected, `what is found in ${namespace}`);
      await assertRefused(() => search(collection, "noon"), { family: "retrieval", codes: ["RETRIEVAL_INVALID_INPUT"] }, "a search without a namespace");
    }),
  },
  {
    name: "vector search finds rows of the request's namespace only, and needs one",
    needs: ["scope", "vectors"],
    run: tryCollection({ ...declaration, embedding: wordEmbedding }, async (collection) => {
      await collection.records.replace([record("1", "noon")], a);
      await collection.records.replace([record("2", "noon")], b);
      for (const [namespace, expected] of scopes) {
        assertEqual(await searchIds(collection, wordVector("noon"), { target: { name: "t", namespace } }), expected, `what is found in ${namespace}`);
      }
      await assertRefused(
        () => search(collection, wordVector("noon")),
        { family: "retrieval", codes: ["RETRIEVAL_INVALID_INPUT"] },
        "a search without a namespace",
      );
    }),
  },
  {
    name: "the bulk port writes, reads and removes in its namespace only; count and scan cross namespaces where none is named",
    needs: ["scope"],
    run: tryCollection(declaration, async ({ records }) => {
      await records.replace([record("1", "in a")], a);
      await records.replace([record("1", "in b"), record("2", "in b")], b);
      assertEqual([await records.count(a), await records.count(b), await records.count()], [1, 2, 3], "the counts");
      assertEqual(await records.hashes(["1", "2"], a), new Map([["1", "hash of 1"]]), "the hashes in a");
      assertEqual([await records.remove(["2"], a), await records.removeWhere({ lang: "en" }, a)], [0, 1], "the numbers of removed rows");
      const rows: unknown[] = [];
      for await (const batch of records.scan()) rows.push(...batch.map(({ id, content, namespace }) => [id, content, namespace]));
      assertEqual(
        rows,
        [
          ["1", "in b", "b"],
          ["2", "in b", "b"],
        ],
        "the rows that are left",
      );
    }),
  },
  {
    name: "the bulk port refuses to write or remove without a namespace, and rows that name another one",
    needs: ["scope"],
    run: tryCollection(declaration, async ({ records }) => {
      const refusal = { family: "memory" } as const;
      await assertRefused(() => records.replace([record("1", "x")]), refusal, "writing without a namespace");
      await assertRefused(() => records.replace([record("1", "x", { tenant: "b" })], a), refusal, "a row that names another namespace");
      await assertRefused(() => records.hashes(["1"]), refusal, "reading hashes without a namespace");
      await assertRefused(() => records.remove(["1"]), refusal, "removing without a namespace");
      await assertRefused(() => records.removeWhere({ lang: "en" }), refusal, "removing by a filter without a namespace");
      assertEqual(await records.count(), 0, "the count");
    }),
  },
  {
    name: "a collection without a scope refuses a namespace",
    needs: [],
    run: tryCollection({}, async ({ records }) => {
      await assertRefused(() => records.replace([record("1", "x")], a), { family: "memory" }, "writing with a namespace");
      await assertRefused(() => records.count(a), { family: "memory" }, "counting with a namespace");
    }),
  },
];

/** Namespaces, and what is found in them. */
const scopes: readonly (readonly [string, readonly string[]])[] = [
  ["a", ["1"]],
  ["b", ["2"]],
  ["A", []],
  ["a%", []],
];

function record(id: string, content: string, metadata: Readonly<Record<string, string>> = {}): CollectionRecord {
  return { id, hash: `hash of ${id}`, parts: [{ id, content, metadata: { lang: "en", ...metadata } }] };
}
