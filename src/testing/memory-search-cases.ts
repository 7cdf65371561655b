import type { MemorySearchProvider, MemoryStore } from "../contracts/memory.ts";
import { assertEqual } from "./assert-equal.ts";
import { assertHolds } from "./assert-holds.ts";
import { assertRefused } from "./assert-refused.ts";
import type { ConformanceCase } from "./conformance-case.ts";
import { hostileQueries } from "./hostile-texts.ts";
import { plainItem } from "./memory-store-subject.ts";
import { type Closable, withOpened } from "./with-opened.ts";

/** What the cases for memory searches try. */
export interface MemorySearchSubject {
  /** Opens an empty store, and a search over what it has. */
  open(): Promise<OpenedMemorySearch>;
  /** A strategy that the search does not have; for the capability `strategies`. */
  readonly unknownStrategy?: string | undefined;
}

/** An open store and its search. */
export interface OpenedMemorySearch extends Closable {
  readonly store: MemoryStore;
  readonly search: MemorySearchProvider;
}

const texts = ["the tide turns at noon", "a harbour at noon is loud", "potatoes grow under ground", "noon noon noon", "海港在中午很吵"];

/**
 * What every `MemorySearchProvider` that takes texts must do.
 *
 * Capabilities: `same-data` (it reads the store itself, so that changes are seen at once), `strategies` (it refuses unknown ones).
 */
export const memorySearchCases: readonly ConformanceCase<MemorySearchSubject>[] = [
  {
    name: "SEARCH gives whole memories as the store has them, each once, with finite scores, at most limit",
    needs: [],
    run: trySearch(async ({ store, search }) => {
      const written = (await store.write({ memories: texts.map((content) => ({ content })) })).map(plainItem);
      for (const limit of [1, 2, 10]) {
        const hits = await search.search({ query: "noon", limit });
        assertHolds(hits.length > 0 && hits.length <= limit, `SEARCH with the limit ${limit} gave ${hits.length} hits`);
        const ids = hits.map(({ memory }) => memory.id);
        assertEqual(
          hits.map(({ memory }) => plainItem(memory)),
          ids.map((id) => written.find((item) => item.id === id)),
          "the memories of the hits",
        );
        assertEqual(new Set(ids).size, ids.length, "the number of different hits");
        assertHolds(
          hits.every(({ score }) => score === undefined || Number.isFinite(score)),
          "a score is not finite",
        );
      }
    }),
  },
  {
    name: "SEARCH takes a query as text, whatever it looks like, and leaves the data as they are",
    needs: [],
    run: trySearch(async ({ store, search }) => {
      const written = await store.write({ memories: texts.map((content) => ({ content })) });
      for (const query of hostileQueries) await search.search({ query, limit: 3 });
      assertEqual((await store.get({ ids: written.map(({ id }) => id) })).length, texts.length, "the number of memories afterwards");
    }),
  },
  {
    name: "SEARCH sees what was written, changed and removed",
    needs: ["same-data"],
    run: trySearch(async ({ store, search }) => {
      const written = await store.write({ memories: texts.map((content) => ({ content })) });
      const find = async (query: string) => (await search.search({ query, limit: 1 })).map(({ memory }) => memory.content);
      assertEqual(await find("potatoes ground"), [texts[2]], "the best hit");
      await store.update({ memories: [{ id: written[2]!.id, content: "carrots grow beside them" }] });
      assertEqual(await find("carrots grow"), ["carrots grow beside them"], "the best hit after an UPDATE");
      await store.delete({ ids: [written[2]!.id] });
      const hits = await search.search({ query: "carrots grow", limit: 10 });
      assertHolds(
        hits.every(({ memory }) => memory.id !== written[2]!.id),
        "SEARCH still finds what was removed",
      );
    }),
  },
  {
    name: "SEARCH refuses a strategy that it does not have",
    needs: ["strategies"],
    run: (subject) =>
      trySearch(async ({ search }) => {
        await assertRefused(() => search.search({ query: "noon", strategy: subject.unknownStrategy }), { family: "memory" }, "an unknown strategy");
      })(subject),
  },
  {
    name: "SEARCH over nothing finds nothing",
    needs: [],
    run: trySearch(async ({ search }) => {
      assertEqual(await search.search({ query: "noon", limit: 5 }), [], "the hits");
    }),
  },
];

function trySearch(work: (opened: OpenedMemorySearch) => Promise<void>): (subject: MemorySearchSubject) => Promise<void> {
  return (subject) => withOpened(() => subject.open(), work);
}
