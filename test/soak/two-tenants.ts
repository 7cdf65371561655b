import type { Collection } from "../../src/contracts/collection.ts";
import { assertEqual } from "../../src/testing/assert-equal.ts";
import { assertRefused } from "../../src/testing/assert-refused.ts";
import { hostileTexts } from "../../src/testing/hostile-texts.ts";
import { type SeededRandom, seededRandom } from "../../src/testing/seeded-random.ts";
import { wordEmbedding, wordVector } from "../../src/testing/word-embedding.ts";
import type { CollectionDeclaration } from "../../src/testing/collection/collection-subject.ts";

/** What {@link twoTenants} works on. */
export const tenantDeclaration: CollectionDeclaration = {
  name: "tenants",
  namespace: "tenant",
  fields: { lang: { type: "string" }, n: { type: "integer" } },
  embedding: wordEmbedding,
};

/** Names that one falls for where a scope is compared as a pattern, by prefix, or without case. */
const tenantNames = [
  ["acme", "acme-corp"],
  ["a", "A"],
  ["x' OR '1'='1", "x"],
  ["%", "%%"],
] as const;

const words = ["noon", "river", "stone", "茶", "云", "multi-agent", "don't", "50%"];

interface Row {
  readonly content: string;
  readonly lang: string;
  readonly n: number;
}

interface Tenant {
  readonly name: string;
  /** What it must have, by id. */
  readonly rows: Map<string, Row>;
}

/**
 * Lets two tenants write, change, remove and search at random, and compares every answer with what each of them must have.
 *
 * @param collection Empty, declared as {@link tenantDeclaration}.
 * @throws ConformanceError At the first row that belongs to the other one, or that is wrong, missing or too many.
 */
export async function twoTenants(collection: Collection, { steps, seed }: { readonly steps: number; readonly seed: number }): Promise<void> {
  const random = seededRandom(seed);
  const tenants = random.pick(tenantNames).map((name): Tenant => ({ name, rows: new Map() }));
  for (let step = 0; step < steps; step += 1) {
    const [own, other] = random.integer(2) === 0 ? tenants : [...tenants].reverse();
    await random.pick(actions)(collection, { own: own as Tenant, other: other as Tenant, random });
  }
  for (const { name, rows } of tenants) assertEqual(await collection.records.count({ namespace: name }), rows.size, `the rows of ${name}`);
}

interface Turn {
  readonly own: Tenant;
  readonly other: Tenant;
  readonly random: SeededRandom;
}

type Action = (collection: Collection, turn: Turn) => Promise<void>;

const write: Action = async (collection, { own, random }) => {
  const rows = Array.from({ length: 1 + random.integer(3) }, () => makeRow(random));
  const written = await collection.write({ memories: rows.map(({ content, lang, n }) => ({ content, metadata: { tenant: own.name, lang, n } })) });
  for (const [index, { id }] of written.entries()) own.rows.set(id, rows[index] as Row);
};

const replace: Action = async (collection, { own, random }) => {
  // Both tenants use the same few record ids, so that only the scope tells them apart.
  const id = `r${random.integer(40)}`;
  const row = makeRow(random);
  await collection.records.replace([{ id, hash: `${row.n}`, parts: [{ id, content: row.content, metadata: { lang: row.lang, n: row.n } }] }], {
    namespace: own.name,
  });
  own.rows.set(id, row);
};

const update: Action = async (collection, { own, other, random }) => {
  const [mine, theirs] = [anyId(own, random), anyId(other, random)];
  if (mine === undefined) return;
  const row = makeRow(random);
  const metadata = { tenant: own.name, lang: row.lang, n: row.n };
  await collection.update({ memories: [{ id: mine, content: row.content, metadata }], filter: { tenant: own.name } });
  own.rows.set(mine, row);
  if (theirs === undefined || own.rows.has(theirs)) return;
  const theft = (): Promise<unknown> => collection.update({ memories: [{ id: theirs, content: "stolen" }], filter: { tenant: own.name } });
  await assertRefused(theft, { family: "memory", codes: ["NOT_FOUND"] }, "changing a row of the other tenant");
};

const remove: Action = async (collection, { own, other, random }) => {
  const [mine, theirs] = [anyId(own, random), anyId(other, random)];
  const ids = [mine, theirs].filter((id) => id !== undefined);
  if (ids.length === 0) return;
  const { deleted } = await collection.delete({ ids: [...new Set(ids)], filter: { tenant: own.name } });
  assertEqual([...deleted].sort(), [...new Set(ids)].filter((id) => own.rows.has(id)).sort(), "the removed rows");
  for (const id of deleted) own.rows.delete(id);
};

const removeWhere: Action = async (collection, { own, random }) => {
  const n = random.integer(12);
  const gone = [...own.rows].filter(([, row]) => row.n === n).map(([id]) => id);
  assertEqual(await collection.records.removeWhere({ n }, { namespace: own.name }), gone.length, "the number of rows removed by a filter");
  for (const id of gone) own.rows.delete(id);
};

const get: Action = async (collection, { own, other, random }) => {
  const ids = [...new Set([...random.some([...own.rows.keys()]), ...random.some([...other.rows.keys()])])].slice(0, 20);
  if (ids.length === 0) return;
  const items = await collection.get({ ids, filter: { tenant: own.name } });
  assertEqual(
    items.map(({ id, content }) => [id, content]).sort(),
    ids.flatMap((id) => (own.rows.has(id) ? [[id, own.rows.get(id)?.content]] : [])).sort(),
    "what GET finds",
  );
};

const query: Action = async (collection, { own, random }) => {
  const lang = random.pick(["en", "zh"]);
  const { items } = await collection.query({ filter: { tenant: own.name, lang }, limit: 1000 });
  const expected = [...own.rows].filter(([, row]) => row.lang === lang).map(([id]) => id);
  assertEqual(items.map(({ id }) => id).sort(), expected.sort(), "what QUERY finds");
};

const searchText: Action = async (collection, { own, random }) => {
  const word = random.pick(words.slice(0, 3));
  const { candidates } = await collection.text.search({ query: { content: word }, target: { name: "t", namespace: own.name }, limit: 1000 });
  const expected = [...own.rows].filter(([, { content }]) => content.split(" ").includes(word)).map(([id]) => id);
  assertEqual(candidates.map(({ id }) => id).sort(), expected.sort(), `what the word "${word}" finds`);
};

const searchVector: Action = async (collection, { own, random }) => {
  const found = await collection.vector?.search({
    query: { content: wordVector(random.pick(words)) },
    target: { name: "t", namespace: own.name },
    limit: 1000,
  });
  const ids = found?.candidates.map(({ id }) => String(id)) ?? [];
  assertEqual([...ids].sort(), [...own.rows.keys()].sort(), "what a vector finds");
};

const hostile: Action = async (collection, { own, random }) => {
  const text = random.pick(hostileTexts);
  const { items } = await collection.query({ filter: { tenant: own.name, lang: text }, limit: 1000 });
  assertEqual(items, [], "what a hostile value matches");
  const stranger = `${own.name}${text}`;
  if (stranger.trim() !== "" && !tenantNames.flat().some((name) => name === stranger))
    assertEqual(await collection.records.count({ namespace: stranger }), 0, "the rows of a hostile name");
};

const actions: readonly Action[] = [write, write, replace, replace, update, remove, removeWhere, get, query, searchText, searchText, searchVector, hostile];

function makeRow(random: SeededRandom): Row {
  const content = Array.from({ length: 1 + random.integer(4) }, () => random.pick(words)).join(" ");
  return { content, lang: random.pick(["en", "zh"]), n: random.integer(12) };
}

function anyId({ rows }: Tenant, random: SeededRandom): string | undefined {
  return rows.size === 0 ? undefined : random.pick([...rows.keys()]);
}
