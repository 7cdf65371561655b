import type { RetrievalCandidate, RetrievalSearchInput, RetrievalSearchOutput, RetrievalSearchProvider } from "../contracts/retrieval.ts";
import { assertEqual } from "./assert-equal.ts";
import { assertHolds } from "./assert-holds.ts";
import { assertRefused } from "./assert-refused.ts";
import type { ConformanceCase } from "./conformance-case.ts";
import { ConformanceError } from "./conformance-error.ts";
import { hostileQueries } from "./hostile-texts.ts";
import { type Closable, withOpened } from "./with-opened.ts";

/** What the cases for searches try. */
export interface RetrievalSearchSubject {
  /** Opens a search over these records, and nothing else. */
  open(records: readonly SearchRecord[]): Promise<OpenedSearch>;
  /** The same, each record in its own namespace; for the capability `namespaces`. */
  openScoped?(records: readonly (SearchRecord & { readonly namespace: string })[]): Promise<OpenedSearch>;
}

/** A record to be found. */
export interface SearchRecord {
  readonly id: string;
  readonly content: string;
}

/** An open search. */
export interface OpenedSearch extends Closable {
  readonly provider: RetrievalSearchProvider;
  /** Makes `query.content` of a text; the text itself where this is left out. */
  readonly toQuery?: ((text: string) => unknown) | undefined;
}

const records: readonly SearchRecord[] = [
  { id: "tide", content: "the tide turns at noon" },
  { id: "harbour", content: "a harbour at noon is loud" },
  { id: "garden", content: "potatoes grow under ground" },
  { id: "bell", content: "the bell rings at noon and at night" },
  { id: "port", content: "海港在中午很吵" },
  { id: "market", content: "the market opens in the morning" },
];

/**
 * What every `RetrievalSearchProvider` must do.
 *
 * Capabilities: `words` (a record with the query's words is found), `descending` (more is better, and comes first), `prefix` (a
 * shorter answer is the beginning of a longer one), `ids` (every candidate has an id), `unscoped` (it knows neither filters nor
 * namespaces, and has to refuse them), `namespaces`.
 */
export const retrievalSearchCases: readonly ConformanceCase<RetrievalSearchSubject>[] = [
  {
    name: "an answer is for the target that was asked, down to type and namespace, and for the strategy",
    needs: [],
    run: trySearch(async (ask) => {
      const target = { name: "any-name", type: "any-type" };
      const output = await ask("noon", { target, strategy: "any-strategy" });
      assertEqual([output.target.name, output.target.type, output.target.namespace], [target.name, target.type, undefined], "the target of the answer");
      assertHolds(output.strategy === undefined || output.strategy === "any-strategy", `the answer is for the strategy ${output.strategy}`);
    }),
  },
  {
    name: "an answer has at most limit candidates, all with content and finite scores",
    needs: [],
    run: trySearch(async (ask) => {
      for (const limit of [1, 2, 3, 100]) {
        const { candidates } = await ask("noon", { limit });
        assertHolds(candidates.length <= limit, `${candidates.length} candidates came for the limit ${limit}`);
        assertHolds(
          candidates.every(({ content }) => content !== undefined),
          "a candidate has no content",
        );
        assertHolds(
          candidates.every(({ score }) => score === undefined || Number.isFinite(score)),
          "a score is not finite",
        );
      }
    }),
  },
  {
    name: "every candidate has an id of its own, of a record that there is",
    needs: ["ids"],
    run: trySearch(async (ask) => {
      const ids = idsOf(await ask("noon", { limit: 100 }));
      assertEqual(new Set(ids).size, ids.length, "the number of different ids");
      for (const id of ids)
        assertHolds(
          records.some((record) => record.id === id),
          `no record has the id ${id}`,
        );
    }),
  },
  {
    name: "what has all words of the query comes before what has one, and what has none comes last or not at all",
    needs: ["words", "ids"],
    run: trySearch(async (ask) => {
      const ids = idsOf(await ask("harbour noon loud", { limit: 100 }));
      assertEqual(ids[0], "harbour", "the best candidate");
      for (const id of ["tide", "bell"]) assertHolds(ids.includes(id), `${id} has a word of the query and was not found`);
      const without = Math.min(...["garden", "market"].map((id) => (ids.includes(id) ? ids.indexOf(id) : Number.POSITIVE_INFINITY)));
      assertHolds(Math.max(ids.indexOf("tide"), ids.indexOf("bell")) < without, "what has no word of the query came before what has one");
    }),
  },
  {
    name: "Chinese is found by its words",
    needs: ["words", "ids"],
    run: trySearch(async (ask) => {
      for (const query of ["海港", "中午", "海港中午"]) assertEqual(idsOf(await ask(query, { limit: 1 })), ["port"], `the best candidate for ${query}`);
    }),
  },
  {
    name: "scores fall from the first to the last",
    needs: ["descending"],
    run: trySearch(async (ask) => {
      const scores = (await ask("noon at the harbour", { limit: 100 })).candidates.map(({ score }) => score ?? Number.NaN);
      assertHolds(
        scores.every((score, index) => index === 0 || score <= scores[index - 1]!),
        `the scores do not fall: ${scores.join(", ")}`,
      );
    }),
  },
  {
    name: "an answer is the beginning of a longer one, and the same every time",
    needs: ["prefix"],
    run: trySearch(async (ask) => {
      const { candidates } = await ask("noon at the harbour", { limit: 100 });
      for (const limit of [1, 2, 3, 4, 100]) {
        assertEqual((await ask("noon at the harbour", { limit })).candidates, candidates.slice(0, limit), `the answer for the limit ${limit}`);
      }
    }),
  },
  {
    name: "a query is a text, whatever it looks like: nothing of it is syntax",
    needs: ["words", "ids"],
    run: trySearch(async (ask) => {
      for (const text of hostileQueries) {
        await ask(text);
        assertEqual(
          idsOf(await ask(`${text} potatoes grow ground`, { limit: 1 })),
          ["garden"],
          `the best candidate for ${JSON.stringify(text)} and three words`,
        );
      }
    }),
  },
  {
    name: "a search leaves its request as it was",
    needs: [],
    run: trySearch(async (ask) => {
      await ask("noon", Object.freeze({ target: Object.freeze({ name: "t" }), limit: 2 }));
    }),
  },
  {
    name: "a search over nothing finds nothing",
    needs: [],
    run: (subject) =>
      withOpened(
        () => subject.open([]),
        async (opened) => assertEqual((await asking(opened)("noon")).candidates, [], "the candidates"),
      ),
  },
  {
    name: "filters and namespaces that mean nothing to it are refused, never ignored",
    needs: ["unscoped"],
    run: trySearch(async (ask) => {
      const refusal = { family: "retrieval", codes: ["RETRIEVAL_INVALID_INPUT"] } as const;
      await assertRefused(() => ask("noon", { filter: { nothing: "a" } }), refusal, "a filter");
      await assertRefused(() => ask("noon", { target: { name: "t", namespace: "a" } }), refusal, "a namespace");
    }),
  },
  {
    name: "nothing of another namespace is ever found, and a namespace must be named",
    needs: ["namespaces", "ids"],
    run: (subject) => {
      const { openScoped } = subject;
      if (openScoped === undefined) throw new ConformanceError("The capability namespaces needs a subject with openScoped");
      const scoped = records.map((record, index) => ({ ...record, namespace: index % 2 === 0 ? "a" : "a'b" }));
      return withOpened(
        () => openScoped.call(subject, scoped),
        async (opened) => {
          const ask = asking(opened);
          for (const namespace of ["a", "a'b", "A", "a%", "none"]) {
            const own = scoped.filter((record) => record.namespace === namespace).map(({ id }) => id);
            const found = idsOf(await ask("noon tide harbour bell", { target: { name: "t", namespace }, limit: 100 }));
            for (const id of found) assertHolds(own.includes(String(id)), `${id} was found in the namespace ${namespace}`);
            assertHolds(own.length === 0 || found.length > 0, `nothing was found in the namespace ${namespace}`);
          }
          await assertRefused(() => ask("noon"), { family: "retrieval", codes: ["RETRIEVAL_INVALID_INPUT"] }, "a search without a namespace");
        },
      );
    },
  },
];

type Ask = (text: string, request?: Partial<RetrievalSearchInput>) => Promise<RetrievalSearchOutput>;

function trySearch(work: (ask: Ask) => Promise<void>): (subject: RetrievalSearchSubject) => Promise<void> {
  return (subject) =>
    withOpened(
      () => subject.open(records),
      (opened) => work(asking(opened)),
    );
}

function asking({ provider, toQuery = (text) => text }: OpenedSearch): Ask {
  return (text, request = {}) =>
    provider.search(Object.freeze({ query: Object.freeze({ content: toQuery(text) }), target: { name: "t" }, limit: 10, ...request }));
}

function idsOf({ candidates }: { readonly candidates: readonly RetrievalCandidate[] }): readonly (string | undefined)[] {
  return candidates.map(({ id }) => id);
}
