import { assertEqual } from "../assert-equal.ts";
import { assertHolds } from "../assert-holds.ts";
import { assertRefused } from "../assert-refused.ts";
import type { ConformanceCase } from "../conformance-case.ts";
import { seededRandom } from "../seeded-random.ts";
import { wordEmbedding, wordVector } from "../word-embedding.ts";
import { type CollectionSubject, search, searchIds, tryCollection, writeIds } from "./collection-subject.ts";

const refusal = { family: "retrieval", codes: ["RETRIEVAL_INVALID_INPUT", "RETRIEVAL_INVALID_EMBEDDING"] } as const;
const nouns = ["tide", "harbour", "noon", "potato", "market", "bell", "tower", "港口", "中午"];

/** What a collection's two searches promise beyond those of any search. */
export const collectionSearchCases: readonly ConformanceCase<CollectionSubject>[] = [
  {
    name: "a found row has id, content, score, metadata and the collection's name as its source",
    needs: [],
    run: tryCollection({ name: "articles", embedding: wordEmbedding }, async (collection) => {
      const [id] = await writeIds(collection, [{ content: { title: "noon" }, metadata: { a: 1 } }]);
      const found = [await search(collection, "noon"), ...(collection.vector === undefined ? [] : [await search(collection, wordVector("noon"))])];
      for (const [candidate] of found) {
        assertEqual(
          [candidate?.id, candidate?.content, candidate?.metadata, candidate?.source?.target],
          [id, { title: "noon" }, { a: 1 }, "articles"],
          "the candidate",
        );
        assertHolds(Number.isFinite(candidate?.score), "the score is not finite");
      }
    }),
  },
  {
    name: "a blank text is no query, and a blank row is stored and not found",
    needs: [],
    run: tryCollection({}, async (collection) => {
      await collection.write({ memories: [{ content: "  " }, { content: "" }, { content: "noon" }] });
      for (const blank of ["", " ", "\n\t"]) await assertRefused(() => search(collection, blank), refusal, "a blank query");
      assertEqual((await searchIds(collection, "noon")).length, 1, "the number of found rows");
      assertEqual((await collection.query({})).items.length, 3, "the number of rows");
    }),
  },
  {
    name: "both searches see what was written, changed and removed at once",
    needs: ["vectors"],
    run: tryCollection({ embedding: wordEmbedding }, async (collection) => {
      const ids = await writeIds(
        collection,
        nouns.map((content) => ({ content })),
      );
      const best = async (text: string) => [(await searchIds(collection, text))[0], (await searchIds(collection, wordVector(text), { limit: 1 }))[0]];
      assertEqual(await best("harbour"), [ids[1], ids[1]], "the best rows");
      await collection.update({ memories: [{ id: ids[1]!, content: "lighthouse tower" }] });
      assertEqual(await best("lighthouse tower"), [ids[1], ids[1]], "the best rows after an UPDATE");
      assertEqual(await searchIds(collection, "harbour"), [], "what is found by the old text");
      await collection.delete({ ids: [ids[1]!] });
      assertEqual(await searchIds(collection, "lighthouse"), [], "what is found by the text of a removed row");
      assertHolds(!(await searchIds(collection, wordVector("lighthouse tower"))).includes(ids[1]!), "a removed row is still near");
    }),
  },
  {
    name: "the nearest rows are exactly those of the highest cosine, with any limit",
    needs: ["vectors", "exact-vectors"],
    run: tryCollection({ embedding: wordEmbedding }, async (collection) => {
      const random = seededRandom(23);
      const contents = Array.from({ length: 60 }, (_, index) => `${random.some(nouns).join(" ")} ${index}`);
      const ids = await writeIds(
        collection,
        contents.map((content) => ({ content })),
      );
      for (const text of ["tide harbour", "中午 market", "bell noon potato"]) {
        const query = wordVector(text);
        const cosines = new Map(ids.map((id, index) => [id, dot(query, wordVector(contents[index]!))]));
        const best = [...cosines.values()].sort((a, b) => b - a);
        for (const limit of [1, 5, 60]) {
          const found = await searchIds(collection, query, { limit });
          assertEqual(found.length, limit, "the number of rows");
          const off = found.findIndex((id, index) => Math.abs((cosines.get(String(id)) ?? Number.NaN) - best[index]!) > 1e-5);
          assertEqual(off, -1, `the first place of "${text}" where a nearer row was left out`);
        }
      }
    }),
  },
  {
    name: "stored vectors are those of the embedding",
    needs: ["vectors"],
    run: tryCollection({ embedding: wordEmbedding }, async (collection) => {
      if (collection.vectors === undefined) return;
      const ids = await writeIds(collection, [{ content: "tide" }, { content: "harbour" }, { content: " " }]);
      const vectors = await collection.vectors([...ids, "none"]);
      assertEqual([...vectors.keys()].sort(), ids.slice(0, 2).sort(), "the rows with a vector");
      for (const [index, text] of ["tide", "harbour"].entries()) {
        const kept = vectors.get(ids[index]!)!;
        assertHolds(dot(kept, wordVector(text)) / Math.hypot(...kept) > 0.999, `the vector of "${text}" has another direction`);
      }
    }),
  },
  {
    name: "a vector that cannot be compared is refused",
    needs: ["vectors"],
    run: tryCollection({ embedding: wordEmbedding }, async (collection) => {
      await collection.write({ memories: [{ content: "noon" }] });
      for (const vector of [[], [1], [...wordVector("a").slice(1), Number.NaN], [...wordVector("a"), 1]]) {
        await assertRefused(() => search(collection, vector), refusal, `a vector of ${vector.length} numbers`);
      }
    }),
  },
  {
    name: "a request beyond what a search knows is refused: limits out of range, a namespace where there is none",
    needs: [],
    run: tryCollection({}, async (collection) => {
      await collection.write({ memories: [{ content: "noon" }] });
      for (const limit of [0, -1, 1.5, 10_001]) await assertRefused(() => search(collection, "noon", { limit }), refusal, `the limit ${limit}`);
      await assertRefused(() => search(collection, "noon", { target: { name: "t", namespace: "a" } }), refusal, "a namespace");
    }),
  },
];

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? Number.NaN), 0);
}
