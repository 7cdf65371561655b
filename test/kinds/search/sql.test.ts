import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import type { SqlPort } from "../../../src/contracts/sql-port.ts";
import { judgeText, loadText } from "../support/load-text.ts";

const statement = `SELECT id, tenant, content, price, score FROM notes
        WHERE tenant = :namespace AND content LIKE '%' || :query || '%' AND :filters
        ORDER BY score DESC, id
        LIMIT :limit`;

function pipelineText(lines: { readonly statement?: string; readonly where?: string; readonly row?: string; readonly more?: string } = {}): string {
  return `version: 1
name: notes
resources:
  db: { sqlite: { file: notes.db } }
targets:
  notes:
    strategies:
      written:
        sql:
          database: db
          statement: |
            ${(lines.statement ?? statement).replaceAll("\n        ", "\n            ")}
          filter:
            price: { type: number }
            status: { type: string }
            day: { type: string, format: date }
            tags: { type: array }
          where:
            ${
              lines.where ??
              `price.gte: price >= :value
            price.lt: price < :value
            status.eq: "status = :value -- as written"
            status.in: status IN (:value)
            status.exists: (status IS NOT NULL) = :value
            day.gte: day >= :value
            tags.any: EXISTS (SELECT 1 FROM json_each(tags) WHERE value IN (:value))`
            }
          row: ${lines.row ?? '{ id: "${ string(row.id) }", content: "${ row.content }", score: "${ row.score }", metadata: { price: "${ row.price }" } }'}
${lines.more ?? ""}`;
}

function database(): Database.Database {
  const db = new Database(":memory:");
  onTestFinished(() => void db.close());
  db.exec("CREATE TABLE notes (id, tenant, content, price, status, day, tags, score)");
  const insert = db.prepare("INSERT INTO notes VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  insert.run("a", "acme", "refund policy", 10, "open", "2024-01-01", '["x"]', 0.9);
  insert.run("b", "acme", "refund form", 20, "closed", "2024-02-01", '["y","z"]', 0.8);
  insert.run("c", "acme", "refund desk", 30, null, "2024-03-01", "[]", 0.7);
  insert.run("d", "acme-corp", "refund of another", 20, "open", "2024-02-01", "[]", 1);
  return db;
}

async function search(
  filter?: Readonly<Record<string, unknown>>,
  more: { readonly namespace?: string; readonly query?: unknown; readonly limit?: number } = {},
) {
  const pipeline = await loadText(pipelineText(), { resources: { db: database() } });
  const result = await pipeline.search({
    query: { content: more.query ?? "refund" },
    namespace: "acme",
    ...(filter === undefined ? {} : { filter }),
    limit: 10,
    ...withoutQuery(more),
  });
  return result.status === "success" ? result.output?.candidates.map(({ id }) => id) : [result.error?.code, result.error?.message];
}

function withoutQuery({ query: _, ...rest }: { readonly namespace?: string; readonly query?: unknown; readonly limit?: number }) {
  return rest;
}

describe("a statement that is written out", () => {
  it("runs with the request bound to its parameters", async () => {
    expect(await search()).toEqual(["a", "b", "c"]);
    expect(await search(undefined, { namespace: "acme-corp" })).toEqual(["d"]);
    expect(await search(undefined, { limit: 2 })).toEqual(["a", "b"]);
  });

  it("takes the question for a text, whatever is in it", async () => {
    expect(await search(undefined, { query: "'; DROP TABLE notes; --" })).toEqual([]);
    expect(await search(undefined, { query: "?:query" })).toEqual([]);
  });

  it.each<[Record<string, unknown>, string[]]>([
    [{ price: { gte: 20 } }, ["b", "c"]],
    [{ price: { gte: 20, lt: 30 } }, ["b"]],
    [{ status: "open" }, ["a"]],
    [{ status: { in: ["open", "closed"] }, price: { gte: 15 } }, ["b"]],
    [{ status: { exists: false } }, ["c"]],
    [{ day: { gte: "2024-02-01" } }, ["b", "c"]],
    [{ tags: { any: ["x", "z"] } }, ["a", "b"]],
    [{}, ["a", "b", "c"]],
  ])("meets the filter %j", async (filter, ids) => {
    expect(await search(filter)).toEqual(ids);
  });

  it.each<[Record<string, unknown>, string]>([
    [{ prise: 1 }, 'Unknown filter field "prise"; did you mean "price"?'],
    [{ price: { around: 1 } }, 'Filter field "price" has no operator "around"; legal ones: eq, ne, in, gt, gte, lt, lte, exists'],
    [{ price: "20" }, 'Filter "price.eq" must be a number'],
    [
      { price: 20 },
      'This search has no condition for the filter "price.eq"; there are price.gte, price.lt, status.eq, status.in, status.exists, day.gte, tags.any',
    ],
    [{ status: { in: [] } }, 'Filter "status.in" must be a list that is not empty'],
    [{ day: { gte: "2024-02-30" } }, 'Filter "day.gte" must be a date such as 2024-01-31'],
    [{ status: { exists: "no" } }, 'Filter "status.exists" must be true or false'],
  ])("refuses the filter %j", async (filter, message) => {
    expect(await search(filter)).toEqual(["RETRIEVAL_INVALID_INPUT", message]);
  });

  it("needs a namespace where it names one, and refuses one where it does not", async () => {
    const scoped = await loadText(pipelineText(), { resources: { db: database() } });
    expect((await scoped.search({ query: { content: "refund" } })).error).toMatchObject({
      code: "RETRIEVAL_INVALID_INPUT",
      message: "This search needs a namespace",
    });
    const open = await loadText(pipelineText({ statement: "SELECT * FROM notes WHERE :filters ORDER BY id LIMIT :limit" }), { resources: { db: database() } });
    expect((await open.search({ query: { content: "refund" }, namespace: "acme" })).error).toMatchObject({ code: "RETRIEVAL_INVALID_INPUT" });
    expect((await open.search({ query: { content: "refund" } })).output?.candidates).toHaveLength(4);
  });

  it("keeps integers beyond 2^53 exact", async () => {
    const db = database();
    db.prepare("UPDATE notes SET id = 9007199254740993 WHERE id = 'a'").run();
    const pipeline = await loadText(pipelineText(), { resources: { db } });
    const { output } = await pipeline.search({ query: { content: "policy" }, namespace: "acme" });
    expect(output?.candidates[0]?.id).toBe("9007199254740993");
  });

  it("must only read", async () => {
    const db = database();
    const pipeline = await loadText(
      pipelineText({ statement: "DELETE FROM notes WHERE :filters AND :namespace = :query RETURNING id, 'ORDER BY' ORDER BY id LIMIT :limit" }),
      { resources: { db } },
    );
    expect((await pipeline.search({ query: { content: "acme" }, namespace: "acme" })).status).toBe("failed");
    expect(db.prepare("SELECT count(*) AS n FROM notes").get()).toEqual({ n: 4 });
  });

  it("fails where a row is no candidate, so that a substitute can step in", async () => {
    const pipeline = await loadText(pipelineText({ row: '{ id: "${ string(row.id) }", content: "${ row.content }", score: "${ row.status }" }' }), {
      resources: { db: database() },
    });
    const { error } = await pipeline.search({ query: { content: "policy" }, namespace: "acme" });
    expect(error?.code).toBe("RETRIEVAL_INVALID_BACKEND_OUTPUT");
    expect(error?.message).toContain("notes/written, row");
  });

  it("refuses a statement that gives more rows than asked", async () => {
    const pipeline = await loadText(pipelineText({ statement: "SELECT * FROM notes WHERE :filters ORDER BY id LIMIT :limit + 1" }), {
      resources: { db: database() },
    });
    expect((await pipeline.search({ query: { content: "x" }, limit: 1 })).error?.code).toBe("RETRIEVAL_INVALID_BACKEND_OUTPUT");
  });

  it("fails where the file does not exist, for an answer without results would hide a slip in its path", async () => {
    const pipeline = await loadText(pipelineText());
    const { output, error } = await pipeline.search({ query: { content: "x" }, namespace: "acme" });
    expect(output).toBeUndefined();
    expect(error?.message).toMatch(/^The SQLite file ".*" does not exist; its path starts at the pipeline's folder$/u);
  });

  it("runs on whatever an application gives as a port, in its dialect", async () => {
    const asked: unknown[] = [];
    const port: SqlPort = {
      dialect: "postgres",
      query: async (text, values) => {
        asked.push(text, values);
        return [];
      },
    };
    const pipeline = await loadText(
      pipelineText({ statement: "SELECT id FROM notes WHERE v <-> :query::vector < 1 AND tenant = :namespace AND :filters ORDER BY id LIMIT :limit" }),
      {
        resources: { db: port },
      },
    );
    const { status } = await pipeline.search({ query: { content: [1, 2] }, namespace: "acme", filter: { status: { in: ["a", "b"] } }, limit: 3 });
    expect(status).toBe("success");
    expect(asked).toEqual([
      "SELECT id FROM notes WHERE v <-> $1::vector < 1 AND tenant = $2 AND ((status IN ($3, $4)\n)) ORDER BY id LIMIT $5\n",
      ["[1,2]", "acme", "a", "b", 3],
    ]);
  });
});

describe("a statement is judged before it runs", () => {
  it.each<[string, string[]]>([
    ["SELECT * FROM notes WHERE :filters LIMIT :limit", ["11:11 DITTO217 the statement has no ORDER BY at its top level, so its order is chance"]],
    [
      "SELECT * FROM (SELECT * FROM notes ORDER BY id LIMIT :limit) WHERE :filters",
      [
        "11:11 DITTO217 the statement has no ORDER BY at its top level, so its order is chance",
        "11:11 DITTO217 the statement has no :limit at its top level, so it can give more rows than asked for",
      ],
    ],
    [
      "SELECT *, row_number() OVER (ORDER BY id) FROM notes WHERE :filters LIMIT :limit",
      ["11:11 DITTO217 the statement has no ORDER BY at its top level, so its order is chance"],
    ],
    ["SELECT * FROM notes WHERE a = :qwery AND :filters ORDER BY id LIMIT :limit", ["12:43 DITTO217 no parameter is called :qwery -> :query"]],
    ["SELECT * FROM notes\n        WHERE a = ? AND :filters ORDER BY id LIMIT :limit", ["13:23 DITTO217 parameters have names here"]],
    [
      "SELECT * FROM notes WHERE a = 'x AND :filters ORDER BY id LIMIT :limit",
      [
        "11:11 DITTO217 the statement has no :filters, so no filter could reach it",
        "11:11 DITTO217 the statement has no ORDER BY at its top level, so its order is chance",
        "11:11 DITTO217 the statement has no :limit at its top level, so it can give more rows than asked for",
        "12:43 DITTO217 this string does not end",
      ],
    ],
    [
      "SELECT * FROM notes ORDER BY id LIMIT :limit; DROP TABLE notes",
      ["11:11 DITTO217 the statement has no :filters, so no filter could reach it", "12:59 DITTO217 only one statement can be run"],
    ],
  ])("%j", async (text, told) => {
    expect(await judgeText(pipelineText({ statement: text }))).toEqual(told);
  });

  it.each<[string, string]>([
    ["prise.gte: price >= :value", '22:13 DITTO217 "prise" is no field of `filter`'],
    ["price.around: price >= :value", '22:13 DITTO217 the field "price" has no operator "around"'],
    ["price: price >= :value", '22:13 DITTO217 "price" must be a field and an operator, such as price.gte'],
    ["price.gte: price >= 5", "22:13 DITTO217 the condition has no :value, so what is asked for has no effect"],
    ["price.gte: price >= :valu", "22:33 DITTO217 no parameter is called :valu -> :value"],
    ['price.gte: "price >= :value) OR (1 = 1"', '22:40 DITTO217 this ")" closes nothing'],
  ])("the condition %j", async (where, told) => {
    expect((await judgeText(pipelineText({ where })))[0]).toBe(told);
  });

  it("needs a connection that runs SQL", async () => {
    const told = await judgeText(pipelineText().replace("db: { sqlite: { file: notes.db } }", 'db: { http: { url: "http://127.0.0.1:1" } }'), {
      DITTO_SHARED_SANDBOX_ALLOW_NETWORK: "*",
    });
    expect(told).toEqual(["10:11 DITTO217 this connection runs no SQL"]);
  });
});
