import { MilvusClient } from "@zilliz/milvus2-sdk-node";
import type { Collection, Embedding } from "@codesoul-co/ditto/plugin";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readEntry, writeEntry } from "../../../plugins/milvus/catalogue.ts";
import { eachRow } from "../../../plugins/milvus/read-rows.ts";
import { hostileTexts } from "../../../src/testing/hostile-texts.ts";
import { seededRandom } from "../../../src/testing/seeded-random.ts";
import { wordEmbedding, wordVector } from "../../../src/testing/word-embedding.ts";
import { describeWithServer } from "../../servers/describe-with-server.ts";
import { milvusLite, type MilvusServer, startMilvus } from "../../servers/milvus.ts";
import { openCollection, openDatabase } from "../sqlite/open-test-collection.ts";
import { openTestCollection, type TestCollection } from "./open-test-collection.ts";
import { openTestDatabase } from "./open-test-database.ts";

const signal = new AbortController().signal;
const longest = 60_000;

describeWithServer(milvusLite, () => {
  let server: MilvusServer | undefined;
  let connection: Awaited<ReturnType<typeof openTestDatabase>> | undefined;

  beforeAll(async () => {
    server = await startMilvus();
    connection = await openTestDatabase({ address: server.address, timeoutMs: 10_000, connectTimeoutMs: 5_000 });
  }, 130_000);

  afterAll(async () => {
    await connection?.close();
    await server?.stop();
  }, longest);

  const database = (): NonNullable<typeof connection>["database"] => {
    if (connection === undefined) throw new Error("not connected");
    return connection.database;
  };
  const open = async (configuration: Readonly<Record<string, unknown>>, setUp = true): Promise<TestCollection> =>
    await openTestCollection(configuration, { database: database(), setUp });

  it("a collection that is missing is told with the way out, and nothing makes it but setup", { timeout: longest }, async () => {
    const { collection, opened } = await open({ table: "missing", embedding: wordEmbedding }, false);
    const refused = { code: "COLLECTION_MISSING", message: expect.stringContaining("ditto setup") as string };
    await expect(search(collection, "word")).rejects.toMatchObject(refused);
    await expect(searchVector(collection, "word")).rejects.toMatchObject(refused);
    await expect(collection.query({})).rejects.toMatchObject(refused);
    await expect(collection.write({ memories: [{ content: "word" }] })).rejects.toMatchObject(refused);
    await expect(opened.check?.(signal)).rejects.toMatchObject(refused);
    expect(await database().hasCollection("missing")).toBe(false);
    expect((await opened.setup?.plan(signal))?.join("\n")).toMatch(/Create collection "missing"[\s\S]*FloatVector\(32\)[\s\S]*Load "missing"/);
    await opened.setup?.apply(signal);
    expect(await opened.setup?.plan(signal)).toEqual([]);
    await collection.write({ memories: [{ content: "word" }] });
    await opened.setup?.apply(signal);
    expect(await search(collection, "word")).toHaveLength(1);
  });

  it("a collection of somebody else is left alone", { timeout: longest }, async () => {
    const client = new MilvusClient({ address: server?.address ?? "", logLevel: "error" });
    await client.connectPromise;
    const fields = [
      { name: "id", data_type: "Int64", is_primary_key: true, autoID: false },
      { name: "v", data_type: "FloatVector", dim: 2 },
    ];
    await client.createCollection({ collection_name: "theirs", fields: fields as never });
    await client.closeConnection();
    await expect(open({ table: "theirs" })).rejects.toMatchObject({ code: "COLLECTION_MISMATCH" });
    expect(await database().hasCollection("theirs")).toBe(true);
  });

  it("no id, key, namespace or value of a filter is ever syntax: what it does not name stays as it is", { timeout: longest }, async () => {
    const { collection } = await open({ table: "hostile", namespace: "tenant", fields: { s: { type: "string" } } });
    const attacks = [...hostileTexts.filter((text) => text.length < 100), 'x"] or pk not in ["', '" or pk != "', "x\r\n", "\u0000", 'a\\" or pk != "'];
    await collection.records.replace(
      attacks.map((id) => ({ id, hash: "h", parts: [{ id, key: id, content: "word", metadata: { s: id } }] })),
      { namespace: "acme" },
    );
    await collection.records.replace([{ id: "theirs", hash: "h", parts: [{ id: "theirs", content: "word" }] }], { namespace: "acme-corp" });
    const all = attacks.length;
    for (const attack of attacks) {
      const unknown = `none ${attack}`;
      expect(await collection.get({ ids: [unknown], keys: [unknown], filter: { tenant: "acme" } })).toEqual([]);
      expect((await collection.query({ filter: { tenant: "acme", s: attack } })).items.map(({ id }) => id)).toEqual([attack]);
      expect(await collection.get({ keys: [attack], filter: { tenant: "acme" } })).toHaveLength(1);
      expect((await collection.query({ filter: { tenant: `acme" or scope != "${attack}` } })).items).toEqual([]);
      expect((await collection.delete({ ids: [unknown], filter: { tenant: "acme" } })).deleted).toEqual([]);
      expect(await collection.records.remove([unknown], { namespace: "acme" })).toBe(0);
      expect(await collection.records.removeWhere({ s: unknown }, { namespace: "acme" })).toBe(0);
    }
    expect(await collection.records.count({ namespace: "acme" })).toBe(all);
    const [first = "", ...rest] = attacks;
    expect((await collection.delete({ ids: [first, "theirs"], filter: { tenant: "acme" } })).deleted).toEqual([first]);
    expect(await collection.records.remove(rest, { namespace: "acme" })).toBe(all - 1);
    expect(await collection.records.count()).toBe(1);
  });

  it("what is longer than the server's bytes is refused with the row named, and nothing of the batch is written", { timeout: longest }, async () => {
    const { collection } = await open({ table: "bytes", fields: { s: { type: "string" }, tags: { type: "array" } } });
    const fits = "字".repeat(21_844);
    const refusals = [
      [{ content: `${fits}字` }, /content of memories\[1\] has \d+ bytes; Milvus keeps at most 65535/],
      [{ content: 1, metadata: { s: fits } }, /metadata of memories\[1\]|metadata field "s" of memories\[1\]/],
      [{ content: 1, key: `${fits}字字` }, /key of memories\[1\]/],
      [{ content: 1, metadata: { tags: Array.from({ length: 5_000 }, () => "t") } }, /more than 4095 items/],
    ] as const;
    for (const [wrong, message] of refusals) {
      const written = collection.write({ memories: [{ content: "right" }, wrong as never] });
      await expect(written).rejects.toMatchObject({ code: "INVALID_INPUT", message: expect.stringMatching(message) as string });
    }
    expect((await collection.query({})).items).toEqual([]);
    await collection.write({ memories: [{ content: fits }] });
    expect((await collection.query({})).items[0]?.content).toBe(fits);
  });

  it("vectors that cannot be compared are refused before anything is written, and so is an embedding that fails", { timeout: longest }, async () => {
    let next: () => readonly number[] = () => wordVector("a");
    const embedding: Embedding = { facts: { model: "m", dimensions: 32 }, embed: async ({ contents }) => contents.map(() => next()) };
    const { collection } = await open({ table: "vectors", embedding });
    const [item] = await collection.write({ memories: [{ content: "first" }] });
    const faulty: readonly (readonly [() => readonly number[], string])[] = [
      [() => [...wordVector("a").slice(1), Number.NaN], "INVALID_EMBEDDING"],
      [() => new Array<number>(32).fill(0), "INVALID_EMBEDDING"],
      [() => [1, 2, 3], "INVALID_EMBEDDING"],
    ];
    for (const [vector, code] of faulty) {
      next = vector;
      await expect(collection.write({ memories: [{ content: "second" }] })).rejects.toMatchObject({ code });
      await expect(collection.update({ memories: [{ id: item?.id ?? "", content: "changed" }] })).rejects.toMatchObject({ code });
    }
    next = () => [1, 2, 3];
    await expect(collection.write({ memories: [{ content: "x" }] })).rejects.toThrow(/3 dimensions, but collection "kb" keeps 32/);
    next = () => {
      throw new Error("the model is down");
    };
    await expect(collection.update({ memories: [{ id: item?.id ?? "", content: "changed" }] })).rejects.toThrow();
    expect((await collection.query({})).items).toEqual([item]);
    expect(await search(collection, "first")).toEqual([item?.id]);
    expect(await search(collection, "changed second")).toEqual([]);
    await expect(collection.vector?.search({ query: { content: [1, 2, 3] }, target: { name: "t" } })).rejects.toMatchObject({
      code: "RETRIEVAL_INVALID_EMBEDDING",
    });
  });

  it("writers of one process keep keys unique and lose no update, through several openings too", { timeout: longest }, async () => {
    const collections: Collection[] = [];
    for (let index = 0; index < 3; index += 1) collections.push((await open({ table: "writers", fields: { n: { type: "integer" } } })).collection);
    const writes = await Promise.allSettled(
      Array.from({ length: 6 }, async (_, index) => await collections[index % 3]?.write({ memories: [{ key: "one", content: `row ${index}` }] })),
    );
    expect(writes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const write of writes) if (write.status === "rejected") expect(write.reason).toMatchObject({ code: "CONFLICT" });
    const [item] = (await collections[0]?.query({}))?.items ?? [];
    const id = item?.id ?? "";
    await Promise.all([collections[1]?.update({ memories: [{ id, content: "changed" }] }), collections[2]?.update({ memories: [{ id, metadata: { n: 7 } }] })]);
    expect(await collections[0]?.get({ ids: [id] })).toEqual([{ id, key: "one", content: "changed", metadata: { n: 7 } }]);
  });

  it("rows are read whole however many there are, whatever one answer holds", { timeout: longest }, async () => {
    const { collection } = await open({ table: "many" });
    const records = Array.from({ length: 700 }, (_, index) => ({ id: `r${index}`, hash: "h", parts: [{ id: `r${index}`, content: index }] }));
    await collection.records.replace(records);
    const seen: unknown[] = [];
    for await (const rows of eachRow({ database: database() }, { collection: "many", where: "", columns: ["id"], pageSize: 20 }, {})) {
      expect(rows.length).toBeLessThan(20);
      seen.push(...rows.map(({ id }) => id));
    }
    expect([...seen].sort()).toEqual(records.map(({ id }) => id).sort());
    expect(await collection.records.count()).toBe(700);
  });

  it("a field that is declared later filters and orders what is there, before setup gives it a column and after", { timeout: longest }, async () => {
    const before = await open({ table: "grows" });
    await before.collection.write({
      memories: [
        { content: "old", metadata: { lang: "en", n: 10, tags: ["a", "b"] } },
        { content: "older", metadata: { n: 9, tags: ["b"] } },
      ],
    });
    const fields = { lang: { type: "string" }, n: { type: "integer" }, tags: { type: "array" } };
    const after = await open({ table: "grows", fields }, false);
    await after.collection.write({ memories: [{ content: "new old", metadata: { lang: "en", n: 100 } }] });
    const look = async (): Promise<void> => {
      const contents = async (input: object): Promise<unknown> => (await after.collection.query(input)).items.map(({ content }) => content);
      expect(await contents({ filter: { lang: "en" }, orderBy: [{ field: "n" }] })).toEqual(["old", "new old"]);
      expect(await contents({ filter: { lang: { exists: false } } })).toEqual(["older"]);
      expect(await contents({ filter: { n: { gte: 10 } }, orderBy: [{ field: "n", direction: "desc" }] })).toEqual(["new old", "old"]);
      expect(await contents({ filter: { tags: { all: ["a", "b"] } } })).toEqual(["old"]);
      expect(await search(after.collection, "old", { filter: { n: { lt: 11 } } })).toHaveLength(1);
    };
    await look();
    expect(await after.opened.setup?.plan(signal)).toEqual([expect.stringMatching(/Copy the rows[\s\S]*"lang" gets a column/)]);
    await after.opened.setup?.apply(signal);
    expect(await after.opened.setup?.plan(signal)).toEqual([]);
    await look();
    expect(await database().hasCollection("grows")).toBe(false);
  });

  it("another language is refused until setup has indexed the texts again, without embedding anything", { timeout: longest }, async () => {
    let embedded = 0;
    const embedding: Embedding = {
      ...wordEmbedding,
      embed: async (input, context) => {
        embedded += input.contents.length;
        return await wordEmbedding.embed(input, context);
      },
    };
    const before = await open({ table: "analysed", embedding });
    const [item] = await before.collection.write({ memories: [{ key: "k", content: "running shoes", metadata: { a: 1 } }, { content: " " }] });
    expect(await search(before.collection, "runs")).toEqual([item?.id]);
    const after = await open({ table: "analysed", embedding, language: "none" }, false);
    await expect(search(after.collection, "running")).rejects.toMatchObject({ code: "COLLECTION_MISMATCH" });
    await after.opened.setup?.apply(signal);
    expect(embedded).toBe(1);
    expect([await search(after.collection, "running"), await search(after.collection, "runs")]).toEqual([[item?.id], []]);
    expect(await after.collection.get({ keys: ["k"] })).toEqual([item]);
    expect(await searchVector(after.collection, "running shoes")).toEqual([item?.id]);
    // Who had it open before finds the new one, or is told.
    await expect(before.collection.query({})).rejects.toMatchObject({ code: "COLLECTION_MISMATCH" });
  });

  it("drift of the weights is measured and told by the check, and setup ends it", { timeout: longest }, async () => {
    const told: string[] = [];
    const { collection, opened } = await openTestCollection({ table: "drifts" }, { database: database(), log: (_, message) => told.push(message) });
    await collection.write({ memories: ["the tide turns at noon", "a harbour"].map((content) => ({ content })) });
    await opened.check?.(signal);
    expect(told).toEqual([]);
    const entry = await readEntry(database(), "drifts", {});
    if (entry === undefined) throw new Error("no entry");
    expect(entry.average).toBe(3.5);
    await writeEntry(database(), "drifts", { ...entry, average: 7 }, {});
    await opened.check?.(signal);
    expect(told).toEqual([expect.stringMatching(/average length of its texts has moved by 50 %/)]);
    expect(await opened.setup?.plan(signal)).toHaveLength(1);
    await opened.setup?.apply(signal);
    expect((await readEntry(database(), "drifts", {}))?.average).toBe(3.5);
    expect(await search(collection, "harbour tide")).toHaveLength(2);
  });

  it("texts rank as they do on SQLite, after changes and removals too", { timeout: longest }, async () => {
    const random = seededRandom(31);
    const words = Array.from({ length: 40 }, (_, index) => `word${index}x`);
    const text = (): string => Array.from({ length: 3 + random.integer(30) }, () => words[Math.floor(random.integer(40) ** 2 / 40)] ?? "").join(" ");
    const records = Array.from({ length: 120 }, (_, index) => ({ id: `r${index}`, hash: "", parts: [{ id: `r${index}`, content: text() }] }));
    const file = await openDatabase(":memory:");
    const sqlite = await openCollection({}, { name: "kb", database: file.value });
    const milvus = await open({ table: "ranks" });
    try {
      for (const collection of [sqlite.collection, milvus.collection]) {
        await collection.records.replace(records.slice(0, 80));
        await collection.records.replace(records.slice(80));
        await collection.records.remove(records.slice(0, 20).map(({ id }) => id));
        await collection.records.replace(records.slice(20, 30).map((record) => ({ ...record, parts: [{ id: record.id, content: "word1x word3x word39x" }] })));
      }
      // What is left of the drift is no more than small collections may have; setup ends it where it is more.
      await milvus.opened.setup?.apply(signal);
      for (let round = 0; round < 25; round += 1) {
        const query = Array.from({ length: 3 }, () => random.pick(words)).join(" ");
        const [expected, found] = await Promise.all([sqlite.collection, milvus.collection].map(async (each) => await candidates(each, query, 10)));
        const scores = new Map(expected?.map(({ id, score }) => [id, score ?? 0]));
        for (const [place, { id, score = 0 }] of (found ?? []).entries()) {
          const there = expected?.[place]?.score ?? 0;
          expect(Math.abs(score - there), `${query}: place ${place}`).toBeLessThan(0.02 * Math.max(1, there));
          if (scores.has(id)) expect(Math.abs((scores.get(id) ?? 0) - score)).toBeLessThan(0.02 * Math.max(1, score));
        }
        expect(found?.length).toBe(expected?.length);
      }
    } finally {
      await sqlite.close();
      await file.close?.();
    }
  });

  it("a graph gives full pages through a filter, and the nearest of those that pass", { timeout: longest }, async () => {
    const { collection, opened } = await open({
      table: "graph",
      embedding: wordEmbedding,
      index: "hnsw",
      hnsw: { m: 8, efConstruction: 64 },
      fields: { group: { type: "integer" } },
    });
    const random = seededRandom(5);
    const words = ["tide", "harbour", "noon", "potato", "market", "bell", "tower"];
    const memories = Array.from({ length: 600 }, (_, index) => ({ content: `${random.some(words).join(" ")} ${index}`, metadata: { group: index % 40 } }));
    const items = await collection.write({ memories });
    const query = wordVector("tide noon bell");
    const found = (await collection.vector?.search({ query: { content: query }, target: { name: "t" }, filter: { group: 7 }, limit: 10 }))?.candidates ?? [];
    const cosines = items
      .filter((_, index) => index % 40 === 7)
      .map(({ content }) => wordVector(String(content)).reduce((sum, value, index) => sum + value * (query[index] ?? 0), 0))
      .sort((a, b) => b - a);
    expect(found).toHaveLength(10);
    for (const [place, { score = 0 }] of found.entries()) expect(Math.abs(score - (cosines[place] ?? 0))).toBeLessThan(1e-4);
    expect(await opened.setup?.plan(signal)).toEqual([]);
    const exact = await open({ table: "graph", embedding: wordEmbedding, fields: { group: { type: "integer" } } }, false);
    expect(await exact.opened.setup?.plan(signal)).toEqual([expect.stringContaining("hnsw, and flat is declared")]);
  });

  describe("a server that ends and comes back", () => {
    it("gives coded errors meanwhile, and is used again, its collections loaded anew", { timeout: 120_000 }, async () => {
      const { collection, opened } = await open({ table: "restarts", embedding: wordEmbedding });
      const [item] = await collection.write({ memories: [{ content: "the tide turns" }] });
      await server?.kill();
      await expect(search(collection, "tide")).rejects.toMatchObject({ code: "RETRIEVAL_BACKEND_ERROR" });
      await expect(searchVector(collection, "tide")).rejects.toMatchObject({ code: "RETRIEVAL_BACKEND_ERROR" });
      await expect(collection.query({})).rejects.toMatchObject({ code: "MILVUS_UNAVAILABLE" });
      await expect(collection.write({ memories: [{ content: "x" }] })).rejects.toMatchObject({ code: "MILVUS_UNAVAILABLE" });
      await server?.start();
      await expect.poll(async () => await search(collection, "tide").catch(() => []), { timeout: 30_000 }).toEqual([item?.id]);
      expect(await searchVector(collection, "the tide turns")).toEqual([item?.id]);
      await collection.write({ memories: [{ content: "a harbour" }] });
      expect(await search(collection, "harbour")).toHaveLength(1);
      await opened.check?.(signal);
    });
  });
});

async function candidates(collection: Collection, text: string, limit: number, request: object = {}) {
  return (await collection.text.search({ query: { content: text }, target: { name: "t" }, limit, ...request })).candidates;
}

async function search(collection: Collection, text: string, request: object = {}): Promise<readonly (string | undefined)[]> {
  return (await candidates(collection, text, 10, request)).map(({ id }) => id);
}

async function searchVector(collection: Collection, text: string): Promise<readonly (string | undefined)[]> {
  const output = await collection.vector?.search({ query: { content: wordVector(text) }, target: { name: "t" }, limit: 1 });
  return output?.candidates.map(({ id }) => id) ?? [];
}
