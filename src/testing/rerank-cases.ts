import type { RerankProvider, RetrievalCandidate } from "../contracts/retrieval.ts";
import { assertEqual } from "./assert-equal.ts";
import { assertHolds } from "./assert-holds.ts";
import type { ConformanceCase } from "./conformance-case.ts";
import { hostileQueries } from "./hostile-texts.ts";
import { type Closable, withOpened } from "./with-opened.ts";

/** What the cases for rerankers try. */
export interface RerankSubject {
  open(): Promise<OpenedReranker>;
}

/** An open reranker of texts. */
export interface OpenedReranker extends Closable {
  readonly reranker: RerankProvider;
}

const texts = ["potatoes grow under ground", "the tide turns at noon", "a harbour at noon is loud", "the tide turns at noon", "海港在中午很吵"];

/**
 * What every `RerankProvider` of texts must do.
 *
 * Capabilities: `relevance` (what has the query's words comes first), `descending` (scores are given and fall), `stable` (equal
 * candidates keep their order), `prefix` (a shorter list is the beginning of a longer one).
 */
export const rerankCases: readonly ConformanceCase<RerankSubject>[] = [
  {
    name: "a list has as many entries as wanted, or as there are, each of another candidate",
    needs: [],
    run: tryReranker(async (rank) => {
      for (const count of [1, 2, texts.length]) {
        for (const limit of [1, 2, 3, 100]) {
          const order = await rank("noon", texts.slice(0, count), limit);
          assertEqual(order.length, Math.min(limit, count), `the length of the list for ${count} candidates and the limit ${limit}`);
          assertHolds(
            order.every(({ index }) => Number.isInteger(index) && index >= 0 && index < count),
            "an index is outside of the candidates",
          );
          assertEqual(new Set(order.map(({ index }) => index)).size, order.length, "the number of different indexes");
          assertHolds(
            order.every(({ score }) => score === undefined || Number.isFinite(score)),
            "a score is not finite",
          );
        }
      }
    }),
  },
  {
    name: "what answers the query comes first",
    needs: ["relevance"],
    run: tryReranker(async (rank) => {
      assertEqual((await rank("potatoes under ground", texts, 1))[0]?.index, 0, "the first index");
      assertEqual((await rank("a loud harbour", texts, 1))[0]?.index, 2, "the first index");
    }),
  },
  {
    name: "scores fall from the first to the last",
    needs: ["descending"],
    run: tryReranker(async (rank) => {
      const scores = (await rank("the harbour at noon", texts, texts.length)).map(({ score }) => score ?? Number.NaN);
      assertHolds(
        scores.every((score, index) => Number.isFinite(score) && (index === 0 || score <= scores[index - 1]!)),
        `the scores do not fall: ${scores.join(", ")}`,
      );
    }),
  },
  {
    name: "equal candidates keep their order",
    needs: ["stable"],
    run: tryReranker(async (rank) => {
      const order = (await rank("the tide", ["b", "the tide", "the tide", "the tide"], 4)).map(({ index }) => index);
      assertEqual(
        order.filter((index) => index > 0),
        [1, 2, 3],
        "the order of equal candidates",
      );
    }),
  },
  {
    name: "a list is the beginning of a longer one, and the same every time",
    needs: ["prefix"],
    run: tryReranker(async (rank) => {
      const whole = (await rank("the harbour at noon", texts, texts.length)).map(({ index }) => index);
      for (let limit = 1; limit <= texts.length; limit += 1) {
        assertEqual(
          (await rank("the harbour at noon", texts, limit)).map(({ index }) => index),
          whole.slice(0, limit),
          `the list for the limit ${limit}`,
        );
      }
    }),
  },
  {
    name: "queries and candidates may look like anything",
    needs: [],
    run: tryReranker(async (rank) => {
      const contents = hostileQueries;
      assertEqual((await rank("'; DROP TABLE candidates; --", contents, contents.length)).length, contents.length, "the length of the list");
    }),
  },
];

type Rank = (query: string, contents: readonly string[], limit: number) => ReturnType<RerankProvider["rank"]>;

/** Everything that the reranker gets is frozen: a reranker changes nothing. */
function tryReranker(work: (rank: Rank) => Promise<void>): (subject: RerankSubject) => Promise<void> {
  return (subject) =>
    withOpened(
      () => subject.open(),
      ({ reranker }) =>
        work((query, contents, limit) => {
          const candidates = contents.map((content, index): RetrievalCandidate => Object.freeze({ id: `c${index}`, content, score: 1 / (index + 1) }));
          return reranker.rank(Object.freeze({ query: Object.freeze({ content: query }), candidates: Object.freeze(candidates), limit }));
        }),
    );
}
