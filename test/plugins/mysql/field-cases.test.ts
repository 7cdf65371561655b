import type { Collection, Embedding } from "@codesoul-co/ditto/plugin";
import { createPool } from "mysql2/promise";
import { afterAll, beforeAll, expect, it } from "vitest";
import { adoptMysql } from "../../../plugins/mysql/open-mysql.ts";
import { wordEmbedding, wordVector } from "../../../src/testing/word-embedding.ts";
import { describeWithServer } from "../../servers/describe-with-server.ts";
import { mariadb, type MariadbServer, startMariadb } from "../../servers/mariadb.ts";
import { openTestCollection } from "./open-test-collection.ts";
import { openTestDatabase } from "./open-test-database.ts";

describeWithServer(mariadb, () => {
  let server: MariadbServer;
  let connection: Awaited<ReturnType<typeof openTestDatabase>>;
  let url: string;
  let tables = 0;

  beforeAll(async () => {
    server = await startMariadb();
    url = await server.createDatabase();
    connection = await openTestDatabase({ url });
  }, 60_000);

  afterAll(async () => {
    await connection.close();
    await server.stop();
  });

  const open = async (configuration: Readonly<Record<string, unknown>> = {}, database: unknown = connection.database): Promise<Collection> => {
    tables += 1;
    return (await openTestCollection({ table: `t_${tables}`, ...configuration }, { database })).collection;
  };
  const found = async (collection: Collection, content: string, limit = 10) =>
    (await collection.text.search({ query: { content }, target: { name: "t" }, limit })).candidates.map(({ id }) => id);
  const record = (id: string, content: unknown, metadata?: Record<string, never>) => ({
    id,
    hash: "h",
    parts: [{ id, content, ...(metadata === undefined ? {} : { metadata }) }],
  });

  it("Chinese, Japanese and Korean are found, words of one and two letters too, and either part of a mixed text", async () => {
    const collection = await open();
    await collection.records.replace([
      record("a", "港口的潮水在中午到达"),
      record("b", "重跑gen-itgc后通过"),
      record("c", "東京タワー"),
      record("d", "서울 하늘"),
    ]);
    expect([await found(collection, "潮水"), await found(collection, "潮"), await found(collection, "gen-itgc"), await found(collection, "重跑")]).toEqual([
      ["a"],
      ["a"],
      ["b"],
      ["b"],
    ]);
    expect([await found(collection, "タワー"), await found(collection, "하늘")]).toEqual([["c"], ["d"]]);
  });

  it("nothing but stop words, or only signs, finds nothing or what has them, and never everything", async () => {
    const collection = await open();
    await collection.records.replace([record("a", "the tide"), record("b", "a dog"), record("c", "noon")]);
    expect(await found(collection, "-dog")).toEqual(["b"]);
    expect([await found(collection, "!!"), await found(collection, "%"), await found(collection, "*"), await found(collection, "_")]).toEqual([[], [], [], []]);
  });

  it("a vector without a direction is refused, and nothing is written", async () => {
    for (const bad of [
      [0, 0],
      [Number.NaN, 1],
      [Number.POSITIVE_INFINITY, 1],
    ]) {
      const embedding: Embedding = {
        facts: { model: "bad", dimensions: 2 },
        embed: async ({ contents }) => contents.map((text) => (text === "bad" ? bad : [1, 0])),
      };
      const collection = await open({ embedding });
      await expect(collection.write({ memories: [{ content: "good" }, { content: "bad" }] })).rejects.toMatchObject({ code: "INVALID_EMBEDDING" });
      expect((await collection.query({})).items).toEqual([]);
    }
  });

  it("another model, or another length of vectors, is an error that names both", async () => {
    const embedding = (model: string, length: number): Embedding => ({
      facts: { model },
      embed: async ({ contents }) => contents.map(() => Array.from({ length }, () => 1)),
    });
    await (await open({ table: "models", embedding: embedding("one", 2) })).write({ memories: [{ content: "a" }] });
    const longer = (await openTestCollection({ table: "models", embedding: embedding("one", 3) }, { database: connection.database, setUp: false })).collection;
    await expect(longer.write({ memories: [{ content: "b" }] })).rejects.toMatchObject({
      code: "INVALID_EMBEDDING",
      message: expect.stringMatching(/3 dimensions.* 2/) as string,
    });
    const other = (await openTestCollection({ table: "models", embedding: embedding("two", 2) }, { database: connection.database, setUp: false })).collection;
    await expect(other.write({ memories: [{ content: "b" }] })).rejects.toMatchObject({
      code: "COLLECTION_MISMATCH",
      message: expect.stringMatching(/"one".*"two"/) as string,
    });
  });

  it("ties have one order, the same for every limit and after a new start", async () => {
    const table = { table: "ties" };
    const collection = await open(table);
    await collection.records.replace(["c", "B", "a", "中", "b", "A"].map((id) => record(id, "tide")));
    const order = ["A", "B", "a", "b", "c", "中"];
    for (const limit of [1, 3, 6]) expect(await found(collection, "tide", limit)).toEqual(order.slice(0, limit));
    const later = await openTestDatabase({ url });
    expect(await found((await openTestCollection(table, { database: later.database, setUp: false })).collection, "tide")).toEqual(order);
    await later.close();
  });

  it("removing everything of nobody in particular is refused", async () => {
    const collection = await open({ namespace: "tenant", fields: { lang: { type: "string" } } });
    await collection.write({
      memories: [
        { content: "a", metadata: { tenant: "acme" } },
        { content: "b", metadata: { tenant: "acme-corp" } },
      ],
    });
    await expect(collection.records.removeWhere({}, { namespace: "acme" })).rejects.toMatchObject({ code: "INVALID_FILTER" });
    await expect(collection.delete({ ids: ["x"] })).rejects.toMatchObject({ code: "INVALID_FILTER" });
    await expect(collection.query({ filter: {} })).rejects.toMatchObject({ code: "INVALID_FILTER" });
    for (const tenant of ["acme%", "acm_", "ACME", "acme "]) expect((await collection.query({ filter: { tenant } })).items).toEqual([]);
    expect((await collection.query({ filter: { tenant: "acme" } })).items).toHaveLength(1);
  });

  it("an update whose embedding fails changes nothing at all", async () => {
    let fails = false;
    const embedding: Embedding = {
      ...wordEmbedding,
      embed: async (input, context) => {
        if (fails) throw new Error("the encoder is gone");
        return await wordEmbedding.embed(input, context);
      },
    };
    const collection = await open({ embedding });
    const [item] = await collection.write({ memories: [{ content: "tide" }] });
    fails = true;
    await expect(collection.update({ memories: [{ id: String(item?.id), content: "harbour" }] })).rejects.toThrow();
    expect([await found(collection, "tide"), await found(collection, "harbour")]).toEqual([[item?.id], []]);
    fails = false;
    const nearest = await collection.vector?.search({ query: { content: wordVector("tide") }, target: { name: "t" } });
    expect(nearest?.candidates[0]?.score).toBeCloseTo(1, 5);
  });

  it("writers that read, think and write at the same time lose nothing, with readers beside them", async () => {
    const collection = await open({ embedding: wordEmbedding, fields: { n: { type: "integer" } } });
    const others = await Promise.all([1, 2, 3].map(async () => await openTestDatabase({ url })));
    const writers = await Promise.all(
      others.map(
        async ({ database }) =>
          (await openTestCollection({ table: `t_${tables}`, embedding: wordEmbedding, fields: { n: { type: "integer" } } }, { database, setUp: false }))
            .collection,
      ),
    );
    const [item] = await collection.write({ memories: [{ content: "tide", metadata: { n: 0 } }] });
    const id = String(item?.id);
    const writing = writers.map(async (writer, index) => {
      for (let round = 0; round < 5; round += 1) {
        await writer.write({ memories: [{ content: `row ${index} ${round}` }] });
        await writer.update({ memories: [{ id, content: `tide ${index} ${round}` }] });
      }
    });
    const reading = (async () => {
      for (let round = 0; round < 15; round += 1) {
        const texts = await found(collection, "tide");
        expect(texts).toEqual([id]);
        const nearest = await collection.vector?.search({ query: { content: wordVector("tide") }, target: { name: "t" }, limit: 1 });
        expect(nearest?.candidates).toHaveLength(1);
      }
    })();
    await Promise.all([...writing, reading]);
    expect(await collection.records.count()).toBe(16);
    expect(await found(collection, "row", 100)).toHaveLength(15);
    const [postings] = await server.run(
      `SELECT sum(documents) = (SELECT count(*) FROM test1.\`t_${tables}$postings\`) AS same FROM test1.\`t_${tables}$terms\``,
    );
    expect(postings).toEqual([{ same: 1 }]);
    for (const { close } of others) await close();
  }, 60_000);

  it("of two that write one key, one is refused", async () => {
    const collection = await open();
    const results = await Promise.allSettled([1, 2, 3].map(async (n) => await collection.write({ memories: [{ key: "only", content: n }] })));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const result of results) if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "CONFLICT" });
  });

  it("ids and keys are kept byte for byte up to what an index holds, and beyond are refused by name", async () => {
    const collection = await open({ namespace: "tenant" });
    const longest = "字".repeat(600);
    await collection.records.replace([record(longest, "tide"), record(`${longest.slice(1)}宇`, "tide")], { namespace: "n".repeat(150) });
    expect(await collection.records.count()).toBe(2);
    const refused = collection.records.replace([record("short", "a"), record(`${longest}x`, "b")], { namespace: "a" });
    await expect(refused).rejects.toMatchObject({ code: "INVALID_INPUT", message: expect.stringMatching(/^The id of row "字+" has 601 characters/) as string });
    await expect(collection.records.replace([record("a", "b")], { namespace: "n".repeat(151) })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining('scope of row "a"') as string,
    });
    expect(await collection.records.count()).toBe(2);
    await expect(collection.write({ memories: [{ key: "k".repeat(601), content: 1, metadata: { tenant: "a" } }] })).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
  });

  it("ids that look like numbers are texts: 0 is not every id that is none", async () => {
    const collection = await open();
    await collection.records.replace([record("abc", "tide"), record("0", "noon"), record("00", "noon"), record("1e0", "noon")]);
    expect((await collection.get({ ids: ["0"] })).map(({ id }) => id)).toEqual(["0"]);
    await expect(collection.get({ ids: [0 as unknown as string] })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    expect((await collection.delete({ ids: ["0", "1"] })).deleted).toEqual(["0"]);
    expect(await collection.records.count()).toBe(3);
  });

  it("what filters and orders is typed: 9 is less than 10, and no key of a filter is SQL", async () => {
    const collection = await open({ fields: { n: { type: "number" }, s: { type: "string" } } });
    await collection.write({
      memories: [
        { content: 1, metadata: { n: 9, s: "9" } },
        { content: 2, metadata: { n: 10, s: "10" } },
      ],
    });
    const contents = async (filter: Record<string, unknown>) => (await collection.query({ filter })).items.map(({ content }) => content);
    expect([await contents({ n: { gte: 10 } }), await contents({ s: { gte: "9" } })]).toEqual([[2], [1]]);
    for (const key of ["n` = 1 OR 1=1 -- ", "r.n", "unknown"]) await expect(contents({ [key]: 1 })).rejects.toMatchObject({ code: "INVALID_FILTER" });
  });

  it("works through an application's pool with its own settings, and leaves none behind", async () => {
    const pool = createPool({ uri: url, charset: "utf8mb4", connectionLimit: 1 });
    await pool.query("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
    const settings = async () => (await pool.query("SHOW SESSION VARIABLES"))[0] as { Variable_name: string; Value: string }[];
    const before = await settings();
    const collection = await open({ embedding: wordEmbedding }, adoptMysql(pool, { name: "db" }));
    await collection.write({ memories: [{ content: "tide" }, { content: "noon" }] });
    expect(await found(collection, "tide")).toHaveLength(1);
    expect((await collection.vector?.search({ query: { content: wordVector("noon") }, target: { name: "t" } }))?.candidates).toHaveLength(2);
    const moving =
      /^(timestamp|last_insert_id|insert_id|pseudo_thread_id|rand_seed\d|error_count|warning_count|last_gtid|gtid_.*|in_transaction|.*_stat.*|identity)$/;
    const kept = (found: readonly { Variable_name: string; Value: string }[]) => found.filter(({ Variable_name }) => !moving.test(Variable_name));
    expect(kept(await settings())).toEqual(kept(before));
    await pool.end();
  });

  it("a statement's own LIMIT is bound in either protocol", async () => {
    for (const limit of [1, 2])
      expect(await connection.database.query("SELECT 1 AS n UNION ALL SELECT 2 UNION ALL SELECT 3 ORDER BY n LIMIT ?", [limit])).toHaveLength(limit);
  });

  it("a collection whose server went away fails with a code, and serves again when it is back", async () => {
    const collection = await open();
    await collection.write({ memories: [{ content: "tide" }] });
    await server.kill();
    await expect(found(collection, "tide")).rejects.toMatchObject({ code: "RETRIEVAL_BACKEND_ERROR" });
    await expect(collection.write({ memories: [{ content: "noon" }] })).rejects.toMatchObject({ code: "MYSQL_UNAVAILABLE" });
    await server.start();
    expect(await found(collection, "tide")).toHaveLength(1);
    await collection.write({ memories: [{ content: "noon" }] });
    expect(await collection.records.count()).toBe(2);
  }, 60_000);
});
