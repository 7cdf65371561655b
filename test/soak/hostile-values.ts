import type { Collection } from "../../src/contracts/collection.ts";
import type { RetrievalSearchOutput } from "../../src/contracts/retrieval.ts";
import { isCodedError } from "../../src/contracts/coded-error.ts";
import { assertEqual } from "../../src/testing/assert-equal.ts";
import { ConformanceError } from "../../src/testing/conformance-error.ts";
import { hostileTexts } from "../../src/testing/hostile-texts.ts";
import { type SeededRandom, seededRandom } from "../../src/testing/seeded-random.ts";
import type { CollectionDeclaration } from "../../src/testing/collection/collection-subject.ts";

/** What {@link hostileValues} works on. */
export const hostileDeclaration: CollectionDeclaration = {
  name: "hostile",
  namespace: "tenant",
  fields: { lang: { type: "string" }, tags: { type: "array", items: { type: "string" } }, n: { type: "integer" } },
};

const kept = { tenant: "home", lang: "en", tags: ["kept"], n: 1 };

/**
 * Hands hostile texts to everything that takes one: queries, ids, keys, namespaces, filter values, contents.
 *
 * @param collection Empty, declared as {@link hostileDeclaration}.
 * @throws ConformanceError Where one of them matches or changes what it should not, or fails without a code.
 */
export async function hostileValues(collection: Collection, { count, seed }: { readonly count: number; readonly seed: number }): Promise<void> {
  const random = seededRandom(seed);
  await collection.write({ memories: [{ key: "kept", content: "the row that stays", metadata: kept }] });
  for (let index = 0; index < count; index += 1) {
    const text = hostileText(random);
    await random.pick(attacks)(collection, text);
    if (index % 50 === 49 || index === count - 1) await expectUntouched(collection, text);
  }
}

/** Pieces of syntax of every engine, put together at random. */
function hostileText(random: SeededRandom): string {
  const pieces = [
    ...hostileTexts.slice(0, -1),
    "')) OR 1=1 --",
    '" or "" == "',
    "\\' or 1=1 #",
    "]) or (id != ''",
    "\u0000",
    "$$",
    "?",
    ":x",
    "*/",
    "\u2028",
    "`",
  ];
  return Array.from({ length: 1 + random.integer(4) }, () => random.pick(pieces)).join(random.pick(["", " ", "'", '"']));
}

type Attack = (collection: Collection, text: string) => Promise<void>;

/** Codes that say that a text was refused; anything else is a failure, not an answer. */
const refusals: readonly string[] = ["INVALID_INPUT", "INVALID_FILTER", "RETRIEVAL_INVALID_INPUT"];

/** A refusal is as good as an empty answer. */
async function codedOr<T>(otherwise: T, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isCodedError(error) && refusals.includes(error.code)) return otherwise;
    throw new ConformanceError(`A hostile text makes it fail: ${isCodedError(error) ? error.code : "without a code"}`, { cause: error });
  }
}

const home = { filter: { tenant: "home" } };

const attacks: readonly Attack[] = [
  async (collection, text) => assertEqual(await codedOr([], async () => collection.get({ ids: [text], ...home })), [], "GET by an id"),
  async (collection, text) => assertEqual(await codedOr([], async () => collection.get({ keys: [text], ...home })), [], "GET by a key"),
  async (collection, text) => {
    const { deleted } = await codedOr({ deleted: [] }, async () => collection.delete({ ids: [text], ...home }));
    assertEqual(deleted, [], "DELETE by an id");
  },
  async (collection, text) => {
    const { items } = await codedOr({ items: [] }, async () => collection.query({ filter: { tenant: text } }));
    assertEqual(items, [], "QUERY in a scope");
  },
  async (collection, text) => {
    const { items } = await codedOr({ items: [] }, async () => collection.query({ filter: { tenant: "home", lang: { in: [text, `${text}x`] } } }));
    assertEqual(items, [], "QUERY by values");
  },
  async (collection, text) => {
    const { items } = await codedOr({ items: [] }, async () => collection.query({ filter: { tenant: "home", tags: { any: [text] } } }));
    assertEqual(items, [], "QUERY by an item of a list");
  },
  async (collection, text) => {
    const { items } = await codedOr({ items: [] }, async () => collection.query({ filter: { tenant: "home", [text]: "en" } }));
    assertEqual(items, [], "QUERY by a field");
  },
  async (collection, text) => {
    const search = async () => collection.text.search({ query: { content: text }, target: { name: "t", namespace: text }, limit: 10 });
    assertEqual((await codedOr<Pick<RetrievalSearchOutput, "candidates">>({ candidates: [] }, search)).candidates, [], "a search in a scope");
  },
  async (collection, text) => {
    // A word of the row may be in it by chance; then finding it is right.
    if (/the|row|that|stay/iu.test(text)) return;
    const search = async () => collection.text.search({ query: { content: text }, target: { name: "t", namespace: "home" }, limit: 10 });
    assertEqual((await codedOr<Pick<RetrievalSearchOutput, "candidates">>({ candidates: [] }, search)).candidates, [], "a search for a text");
  },
  async (collection, text) => assertEqual(await codedOr(0, async () => collection.records.remove([text], { namespace: "home" })), 0, "removing a record"),
  async (collection, text) =>
    assertEqual(await codedOr(0, async () => collection.records.removeWhere({ lang: text }, { namespace: "home" })), 0, "removing by a value"),
  async (collection, text) => {
    // Written and read back whole, and gone again.
    const draft = { key: text, content: text, metadata: { tenant: "guest", lang: text, tags: [text], n: 2 } };
    const [written] = await codedOr([], async () => collection.write({ memories: [draft] }));
    if (written === undefined) return;
    const [read] = await collection.get({ keys: [text], filter: { tenant: "guest" } });
    assertEqual([read?.content, read?.metadata], [text, draft.metadata], "what was written");
    assertEqual((await collection.delete({ ids: [written.id], filter: { tenant: "guest" } })).deleted, [written.id], "what was removed");
  },
];

async function expectUntouched(collection: Collection, text: string): Promise<void> {
  const items = (await collection.query({ filter: { tenant: "home" } })).items;
  const rows = items.map(({ key, content, metadata }) => ({ key, content, metadata }));
  assertEqual(
    [rows, await collection.records.count()],
    [[{ key: "kept", content: "the row that stays", metadata: kept }], 1],
    `what is kept after ${JSON.stringify(text)}`,
  );
}
