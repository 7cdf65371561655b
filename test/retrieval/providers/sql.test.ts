import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RetrievalSearchProvider } from "../../../src/contracts/retrieval.ts";
import { RetrievalError } from "../../../src/contracts/retrieval-error.ts";
import { createSqlSearchProvider, type SqlSearchOptions, type SqlStatement } from "../../../src/retrieval/providers/sql.ts";
import { idsOf, request } from "../support/stub-search.ts";

interface Row {
  readonly id: string;
  readonly content: string;
  readonly score: number;
}

const database = new Database(":memory:");

beforeAll(() => {
  database.exec("CREATE VIRTUAL TABLE memories USING fts5(id UNINDEXED, tenant UNINDEXED, content)");
  const insert = database.prepare("INSERT INTO memories (id, tenant, content) VALUES (?, ?, ?)");
  insert.run("1", "acme", "an agent with memory");
  insert.run("2", "acme", "agent agent memory memory agent memory");
  insert.run("3", "acme", "nothing of the kind");
  insert.run("4", "other", "agent memory");
});

afterAll(() => {
  database.close();
});

/** BM25 of SQLite's FTS5, smaller is better there: turned round for the outside. */
function sqliteSearch(statements: SqlStatement[] = []): RetrievalSearchProvider {
  return createSqlSearchProvider<Row>({
    prepare(input) {
      if (typeof input.query.content !== "string" || !input.target.namespace || input.filter || input.options) {
        throw new RetrievalError("RETRIEVAL_INVALID_INPUT", "Expected text and namespace without additional filters or options");
      }
      const words = input.query.content.split(/\s+/).map((word) => `"${word.replaceAll('"', '""')}"`);
      return {
        text: "SELECT id, content, -bm25(memories) AS score FROM memories WHERE memories MATCH ? AND tenant = ? ORDER BY score DESC, id LIMIT ?",
        values: [words.join(" OR "), input.target.namespace, input.limit],
      };
    },
    query: async (statement) => {
      statements.push(statement);
      return database.prepare(statement.text).all(...statement.values) as Row[];
    },
    mapRow: (row) => ({ id: row.id, content: row.content, score: row.score }),
  });
}

const scoped = { ...request, target: { name: "kb", namespace: "acme" } };

describe("createSqlSearchProvider over SQLite's FTS5", () => {
  it("keeps the database's order and scores", async () => {
    const output = await sqliteSearch().search({ ...scoped, strategy: "bm25" });
    expect(idsOf(output)).toEqual(["2", "1"]);
    expect(output.candidates[0]?.score).toBeGreaterThan(output.candidates[1]?.score as number);
    expect(output).toMatchObject({ strategy: "bm25", target: scoped.target });
  });

  it("binds every value of the caller's", async () => {
    const statements: SqlStatement[] = [];
    await sqliteSearch(statements).search({ ...scoped, query: { content: "'; DROP TABLE memories; --" } });
    expect(statements[0]?.text).not.toContain("DROP");
    expect(statements[0]?.values[0]).toContain("DROP");
  });

  it("gives prepare the resolved limit", async () => {
    const statements: SqlStatement[] = [];
    const { limit: _, ...unlimited } = scoped;
    await sqliteSearch(statements).search(unlimited);
    await sqliteSearch(statements).search(unlimited, { defaults: { searchLimit: 1 } });
    expect(statements.map(({ values }) => values[2])).toEqual([10, 1]);
  });

  it("lets prepare refuse what it does not support", async () => {
    await expect(sqliteSearch().search({ ...scoped, filter: { a: 1 } })).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_INPUT" });
  });
});

describe("createSqlSearchProvider", () => {
  const row: Row = { id: "1", content: "x", score: 1 };
  const search = (options: Partial<SqlSearchOptions<Row>>, input = request) =>
    createSqlSearchProvider<Row>({
      prepare: ({ limit }) => ({ text: "SELECT 1", values: [limit] }),
      query: async () => [row],
      mapRow: ({ id, content, score }) => ({ id, content, score }),
      ...options,
    }).search(input);

  it.each<[string, typeof request]>([
    ["filter", { ...request, filter: { tenant: "a" } }],
    ["namespace", { ...request, target: { name: "kb", namespace: "acme" } }],
  ])("refuses a %s that prepare does not even read, before anything runs", async (part, input) => {
    let queried = false;
    const query = async () => {
      queried = true;
      return [row];
    };
    await expect(search({ query }, input)).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_INPUT", message: expect.stringContaining(part) });
    expect(queried).toBe(false);
  });

  it("passes the context to query", async () => {
    const context = { signal: new AbortController().signal };
    let given: unknown;
    const provider = createSqlSearchProvider<Row>({
      prepare: () => ({ text: "SELECT 1", values: [] }),
      query: async (_, received) => {
        given = received;
        return [];
      },
      mapRow: () => ({ content: 1 }),
    });
    await provider.search(request, context);
    expect(given).toBe(context);
  });

  it.each<[string, Partial<SqlSearchOptions<Row>>]>([
    ["more rows than the limit", { query: async () => new Array(6).fill(row) as Row[] }],
    ["rows that are no list", { query: async () => ({ rows: [] }) as never }],
    ["a candidate without content", { mapRow: () => ({ id: "1" }) as never }],
    ["a score that is NaN", { mapRow: () => ({ content: "x", score: Number.NaN }) }],
    ["a number as id", { mapRow: () => ({ id: 1, content: "x" }) as never }],
    ["a statement without values", { prepare: () => ({ text: "SELECT 1" }) as never }],
    ["an empty statement", { prepare: () => ({ text: " ", values: [] }) }],
  ])("refuses %s", async (_, options) => {
    await expect(search(options)).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_BACKEND_OUTPUT" });
  });
});
