import type { OpenScope, RetrievalSearchInput } from "@codesoul-co/ditto/plugin";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type FulltextConfiguration, fulltextFacts } from "../../../plugins/mysql/fulltext-configuration.ts";
import { openFulltext } from "../../../plugins/mysql/mysql-fulltext.ts";
import { hostileTexts } from "../../../src/testing/hostile-texts.ts";
import { describeWithServer } from "../../servers/describe-with-server.ts";
import { mariadb, type MariadbServer, startMariadb } from "../../servers/mariadb.ts";
import { openTestDatabase } from "./open-test-database.ts";

describeWithServer(mariadb, () => {
  let server: MariadbServer;
  let connection: Awaited<ReturnType<typeof openTestDatabase>>;
  const logged: string[] = [];
  const signal = new AbortController().signal;

  beforeAll(async () => {
    server = await startMariadb();
    connection = await openTestDatabase({ url: await server.createDatabase() });
    await server.run(
      "CREATE TABLE test1.articles (id INT PRIMARY KEY, title VARCHAR(100), body TEXT, tenant VARCHAR(50), price DECIMAL(8,2), at DATETIME, live BOOL, " +
        "FULLTEXT (title, body), KEY (tenant)) DEFAULT CHARSET latin1",
      "INSERT INTO test1.articles VALUES (1, 'Refund', 'A refund comes back within thirty days', 'acme', 9.5, '2024-01-01 10:00:00', TRUE)," +
        "(2, 'Harbour', 'The tide reaches the harbour at noon', 'acme-corp', 10, '2024-02-01 10:00:00', FALSE)," +
        "(3, 'Harbour again', 'Another refund', 'ACME', 100, NULL, NULL)," +
        "(10, 'Caf\\u00e9', 'tide', 'acme ', 2, '2024-03-01 00:00:00', TRUE)",
    );
  }, 60_000);

  afterAll(async () => {
    await connection.close();
    await server.stop();
  });

  const configuration = (more: Partial<FulltextConfiguration> = {}): FulltextConfiguration => ({
    database: connection.database,
    table: "articles",
    columns: ["title", "body"],
    id: "id",
    parser: "words",
    ...more,
  });
  const scope = { name: "keyword", log: (_level: string, message: string) => logged.push(message) } as unknown as OpenScope;
  const search = async (content: unknown, more: Partial<FulltextConfiguration> = {}, request: Partial<RetrievalSearchInput> = {}) => {
    const { value } = await openFulltext(configuration(more), scope);
    return (await value.search({ query: { content }, target: { name: "t" }, ...request })).candidates;
  };
  const ids = async (...asked: Parameters<typeof search>) => (await search(...asked)).map(({ id }) => id);

  it("ranks the rows of any word, best first, ties by id", async () => {
    const found = await search("refund harbour");
    expect(found.map(({ id }) => id)).toEqual(["1", "2", "3"]);
    expect(found.every(({ score }) => Number.isFinite(score) && Number(score) > 0)).toBe(true);
    expect(found[0]).toMatchObject({ id: "1", content: "Refund" });
    expect(await ids("harbour again", {}, { limit: 1 })).toEqual(["3"]);
  });

  it("gives metadata with their types", async () => {
    const [found] = await search("thirty", { content: "body", metadata: ["price", "live", "at"], fields: { live: { type: "boolean" } } });
    expect(found).toEqual({
      id: "1",
      content: "A refund comes back within thirty days",
      score: expect.any(Number) as number,
      metadata: { price: 9.5, live: true, at: "2024-01-01 10:00:00" },
    });
  });

  it.each(
    [...hostileTexts, "icu4c@78", "C++", "!--", '"', "+", "-tide", "tide*", "(tide", "~tide <tide >tide", '"tide', "@4 tide", "tide\0"].map((text) => [text]),
  )("takes signs as signs: %j", async (text) => {
    if (text.trim() === "") await expect(search(text)).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_INPUT" });
    else expect(await ids(`${text} tide`)).toEqual(expect.arrayContaining(["2", "10"]) as string[]);
  });

  it("sees one scope only, byte for byte, and needs one", async () => {
    const scoped = async (namespace: string) => await ids("refund tide harbour", { namespace: "tenant" }, { target: { name: "t", namespace } });
    expect([await scoped("acme"), await scoped("ACME"), await scoped("acme-corp"), await scoped("acme ")]).toEqual([["1"], ["3"], ["2"], ["10"]]);
    expect([await scoped("acm_"), await scoped("%"), await scoped("' OR 1=1 -- ")]).toEqual([[], [], []]);
    await expect(search("refund", { namespace: "tenant" })).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_INPUT" });
    await expect(search("refund", {}, { target: { name: "t", namespace: "a" } })).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_INPUT" });
  });

  it("filters by type: numbers as numbers, instants as instants, texts by their bytes", async () => {
    const fields = { price: { type: "number" }, at: { type: "string", format: "date-time" }, live: { type: "boolean" }, tenant: { type: "string" } } as const;
    const filtered = async (filter: Record<string, unknown>) => (await ids("refund tide harbour", { fields }, { filter })).map(Number).sort((a, b) => a - b);
    expect(await filtered({ price: { gte: 10 } })).toEqual([2, 3]);
    expect(await filtered({ price: { lt: 10 } })).toEqual([1, 10]);
    expect(await filtered({ at: { gt: "2024-01-01T12:00:00+01:00" } })).toEqual([2, 10]);
    expect(await filtered({ at: { exists: false } })).toEqual([3]);
    expect(await filtered({ live: true })).toEqual([1, 10]);
    expect(await filtered({ tenant: { in: ["acme", "ACME"] } })).toEqual([1, 3]);
    expect(await filtered({ tenant: { ne: "acme" } })).toEqual([2, 3, 10]);
    await expect(filtered({ unknown: 1 })).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_INPUT" });
    await expect(filtered({ price: "10" })).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_INPUT" });
  });

  it("tells at opening what is missing, and what the index cannot find", async () => {
    const check = async (more: Partial<FulltextConfiguration>) => await (await openFulltext(configuration(more), scope)).check?.(signal);
    await check({});
    expect(logged.at(-1)).toContain("fewer than 3 letters");
    await expect(check({ table: "nowhere" })).rejects.toMatchObject({ code: "COLLECTION_MISSING", message: expect.stringContaining("nowhere") as string });
    await expect(check({ columns: ["title", "nothing"] })).rejects.toMatchObject({ message: expect.stringContaining('no column "nothing"') as string });
    await expect(check({ columns: ["title"] })).rejects.toMatchObject({ message: expect.stringContaining("ADD FULLTEXT (`title`)") as string });
    await expect(check({ parser: "ngram" })).rejects.toMatchObject({ code: "COLLECTION_MISMATCH" });
  });
});

it("says at validation what the server's own full text cannot find, until the author says that this is meant", () => {
  const written: FulltextConfiguration = { database: undefined, table: "articles", columns: ["body"], id: "id" };
  expect(fulltextFacts(written).warnings).toMatchObject([{ severity: "warning", message: expect.stringContaining("Chinese") as string }]);
  expect(fulltextFacts({ ...written, parser: "words" }).warnings).toEqual([]);
});
