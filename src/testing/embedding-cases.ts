import type { EmbeddingFacts } from "../contracts/collection.ts";
import type { EmbeddingProvider } from "../contracts/retrieval.ts";
import { assertEqual } from "./assert-equal.ts";
import { assertHolds } from "./assert-holds.ts";
import type { ConformanceCase } from "./conformance-case.ts";
import { ConformanceError } from "./conformance-error.ts";
import { hostileQueries } from "./hostile-texts.ts";
import { type Closable, withOpened } from "./with-opened.ts";

/** What the cases for embeddings try. */
export interface EmbeddingSubject {
  open(): Promise<OpenedEmbedding>;
}

/** An open embedding of texts. */
export interface OpenedEmbedding extends Closable {
  readonly embedding: EmbeddingProvider & { readonly facts?: EmbeddingFacts | undefined };
}

const texts = ["the tide turns at noon", "potatoes grow under ground", "海港在中午很吵", "a", "noon"];

/**
 * What every `EmbeddingProvider` of texts must do.
 *
 * Capabilities: `meaning` (texts that mean the same are nearer than others), `languages` (also across languages).
 */
export const embeddingCases: readonly ConformanceCase<EmbeddingSubject>[] = [
  {
    name: "there is one vector for each text, of finite numbers and of one length, whatever the purpose",
    needs: [],
    run: tryEmbedding(async (embed, { facts }) => {
      const vectors = [...(await embed(texts, "document")), ...(await embed(texts, "query"))];
      assertEqual(vectors.length, 2 * texts.length, "the number of vectors");
      for (const vector of vectors) {
        assertHolds(Array.isArray(vector) && vector.length > 0 && vector.every(Number.isFinite), "a vector is empty or has a value that is no finite number");
        assertEqual(vector.length, facts?.dimensions ?? vectors[0]!.length, "the length of a vector");
      }
    }),
  },
  {
    name: "vectors stand in the order of the texts: each is that of its text alone",
    needs: [],
    run: tryEmbedding(async (embed) => {
      const together = await embed(texts, "document");
      const reversed = [...(await embed([...texts].reverse(), "document"))].reverse();
      for (const [index, text] of texts.entries()) {
        const [alone] = await embed([text], "document");
        assertHolds(near(alone!, together[index]!) > 0.9999, `the vector of text ${index} is another one in company`);
        assertHolds(near(alone!, reversed[index]!) > 0.9999, `the vector of text ${index} is another one in another order`);
      }
    }),
  },
  {
    name: "different texts have different vectors",
    needs: [],
    run: tryEmbedding(async (embed) => {
      const vectors = await embed(texts.slice(0, 3), "document");
      for (const [index, vector] of vectors.entries()) {
        for (const other of vectors.slice(index + 1)) assertHolds(near(vector, other) < 0.9999, "two texts have the same vector");
      }
    }),
  },
  {
    name: "no texts have no vectors",
    needs: [],
    run: tryEmbedding(async (embed) => assertEqual(await embed([], "document"), [], "the vectors")),
  },
  {
    name: "texts are embedded whatever they look like, and however long they are",
    needs: [],
    run: tryEmbedding(async (embed) => {
      const long = "the tide turns at noon. ".repeat(500);
      const contents = [...hostileQueries, long];
      const vectors = await embed(contents, "document");
      assertEqual(vectors.length, contents.length, "the number of vectors");
      assertHolds(
        vectors.every((vector) => vector.every(Number.isFinite)),
        "a vector has a value that is no finite number",
      );
    }),
  },
  {
    name: "calls at the same time get their own vectors",
    needs: [],
    run: tryEmbedding(async (embed) => {
      const alone = await embed(texts, "document");
      const atOnce = await Promise.all(texts.map((text) => embed([text], "document")));
      for (const [index, [vector]] of atOnce.entries()) assertHolds(near(vector!, alone[index]!) > 0.9999, `call ${index} got another vector`);
    }),
  },
  {
    name: "what means the same is nearer than what means something else",
    needs: ["meaning"],
    run: tryEmbedding((embed) =>
      assertNearest(embed, { query: "how do I get my money back", right: "refunds are paid within a week", wrong: "the office is closed on Sundays" }),
    ),
  },
  {
    name: "what means the same in another language is nearer than what means something else",
    needs: ["languages"],
    run: tryEmbedding((embed) => assertNearest(embed, { query: "如何退款", right: "how to get a refund", wrong: "the office is closed on Sundays" })),
  },
];

type Embed = (texts: readonly string[], purpose: "query" | "document") => Promise<readonly (readonly number[])[]>;

function tryEmbedding(work: (embed: Embed, embedding: OpenedEmbedding["embedding"]) => Promise<void>): (subject: EmbeddingSubject) => Promise<void> {
  return (subject) =>
    withOpened(
      () => subject.open(),
      ({ embedding }) => work((contents, purpose) => embedding.embed(Object.freeze({ contents: Object.freeze([...contents]), purpose })), embedding),
    );
}

async function assertNearest(embed: Embed, { query, right, wrong }: { readonly query: string; readonly right: string; readonly wrong: string }): Promise<void> {
  const [[asked], [a, b]] = [await embed([query], "query"), await embed([right, wrong], "document")];
  const [nearer, farther] = [near(asked!, a!), near(asked!, b!)];
  if (nearer <= farther)
    throw new ConformanceError(`"${query}" is nearer to "${wrong}" than to "${right}"`, { actual: nearer, expected: `more than ${farther}` });
}

/** The cosine of two vectors. */
function near(a: readonly number[], b: readonly number[]): number {
  const product = a.reduce((sum, value, index) => sum + value * (b[index] ?? Number.NaN), 0);
  return product / (Math.hypot(...a) * Math.hypot(...b));
}
