import type { Opened, RetrievalSearchProvider } from "@codesoul-co/ditto/plugin";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeWithServer } from "../../servers/describe-with-server.ts";
import { postgres18, type PostgresServer, startPostgres } from "../../servers/postgres.ts";
import { openDatabase, openSearch } from "./open-test-postgres.ts";

describeWithServer(postgres18, () => {
  let server: PostgresServer;
  let connection: Opened<unknown>;
  beforeAll(async () => {
    server = await startPostgres(postgres18);
    const url = await server.createDatabase();
    connection = await openDatabase({ url });
    await server.run(
      url,
      "CREATE EXTENSION vector",
      "CREATE TABLE articles (id bigint PRIMARY KEY, title text, body text, tenant text, live boolean, at timestamptz, tags text[], embedding vector(2))",
      `INSERT INTO articles VALUES (9007199254740993, 'Dogs', 'The dog sleeps', 'acme', true, '2024-01-01T00:00:00Z', '{a,b}', '[1,0]'),
        (2, 'Cats', 'A cat and a dog', 'acme', false, '2024-06-01T00:00:00Z', '{c}', '[1,1]'), (3, 'Birds', 'It flies', 'acme-corp', true, NULL, NULL, '[0,0]'),
        (4, 'Fish', 'It''s wet', 'acme', true, NULL, NULL, NULL)`,
      "CREATE TABLE many (id int PRIMARY KEY, content text, tenant text, embedding vector(2))",
      "INSERT INTO many SELECT n, 'row ' || n, CASE WHEN n % 500 = 0 THEN 'small' ELSE 'large' END, ARRAY[cos(n::float8), sin(n::float8)]::float4[]::vector FROM generate_series(1, 10000) AS n",
      "CREATE INDEX ON many USING hnsw (embedding vector_cosine_ops)",
      "ANALYZE many",
    );
  }, 60_000);
  afterAll(async () => {
    await connection?.close?.();
    await server?.stop();
  });

  const base = { table: "articles", id: "id", content: "body" };
  async function ask(provider: RetrievalSearchProvider, content: unknown, more: object = {}) {
    return (await provider.search({ query: { content }, target: { name: "t" }, ...more })).candidates;
  }
  const fulltext = async (more: object = {}) =>
    await openSearch("postgres.fulltext", { database: connection.value, ...base, configuration: "english", match: "any", ...more });
  const vector = async (more: object = {}) =>
    await openSearch("postgres.vector", { database: connection.value, ...base, vector: "embedding", metric: "cosine", ...more });

  it("full text takes a question as words: stop words find nothing, and no sign is an operator", async () => {
    const provider = await fulltext({ columns: { title: "A", body: "B" }, metadata: ["title"] });
    expect((await ask(provider, "dogs or cats")).map(({ id }) => id)).toEqual(["2", "9007199254740993"]);
    expect((await ask(provider, "-dog")).map(({ id }) => id).sort()).toEqual(["2", "9007199254740993"]);
    for (const empty of ["the", "the of", "!!", "&|"]) expect(await ask(provider, empty)).toEqual([]);
    for (const hostile of ["a & | !", "it's", "dog:*", "'", "\\", "(((", "a\\'b"]) await ask(provider, hostile);
    await expect(ask(provider, " ")).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_INPUT" });
    expect((await ask(provider, "flies"))[0]).toMatchObject({ content: "It flies", metadata: { title: "Birds" }, score: expect.any(Number) });
    expect((await ask(await fulltext({ match: "all" }), "cat dog")).map(({ id }) => id)).toEqual(["2"]);
  });

  it("filters are typed, a namespace is equality, and what is not declared is refused", async () => {
    const fields = { live: { type: "boolean" }, at: { type: "string", format: "date-time" }, tags: { type: "array", items: { type: "string" } } };
    const provider = await fulltext({ fields, namespace: "tenant", columns: { body: "D" } });
    const within = { target: { name: "t", namespace: "acme" } };
    const ids = async (filter: object) => (await ask(provider, "dog", { ...within, filter })).map(({ id }) => id);
    expect(await ids({ live: true })).toEqual(["9007199254740993"]);
    expect(await ids({ at: { gte: "2024-06-01T02:00:00+02:00" } })).toEqual(["2"]);
    expect(await ids({ tags: { any: ["b", "x"] } })).toEqual(["9007199254740993"]);
    expect(await ask(provider, "flies", { target: { name: "t", namespace: "acm%" } })).toEqual([]);
    await expect(ask(provider, "dog")).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_INPUT" });
    await expect(ids({ other: 1 })).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_INPUT" });
  });

  it("scores of vectors rise with nearness whatever the metric, and a vector without a direction is never a hit", async () => {
    expect(await ask(await vector(), [1, 0])).toMatchObject([
      { id: "9007199254740993", score: 1 },
      { id: "2", score: expect.closeTo(Math.SQRT1_2, 6) },
    ]);
    expect((await ask(await vector({ metric: "ip" }), [1, 2])).map(({ id, score }) => [id, score])).toEqual([
      ["2", 3],
      ["9007199254740993", 1],
      ["3", 0],
    ]);
    expect((await ask(await vector({ metric: "l2" }), [1, 0])).map(({ id, score }) => [id, score])).toEqual([
      ["9007199254740993", 1],
      ["2", 0.5],
      ["3", 0.5],
    ]);
  });

  it("another length or metric than the table's is refused, naming both", async () => {
    await expect(ask(await vector(), [1, 0, 0])).rejects.toMatchObject({ message: expect.stringMatching(/3 dimensions.*keeps 2/) });
    await expect(ask(await vector({ table: "many", content: "content", metric: "l2" }), [1, 0])).rejects.toMatchObject({
      message: expect.stringMatching(/vector_cosine_ops.*vector_l2_ops/),
    });
    await expect(ask(await vector({ vector: "body" }), [1, 0])).rejects.toMatchObject({ code: "COLLECTION_MISMATCH" });
  });

  it("an index gives full pages to a small tenant", async () => {
    const provider = await vector({ table: "many", content: "content", namespace: "tenant" });
    const found = await ask(provider, [1, 0], { target: { name: "t", namespace: "small" }, limit: 20 });
    expect(found).toHaveLength(20);
    expect(found.every(({ id }) => Number(id) % 500 === 0)).toBe(true);
  });
});
