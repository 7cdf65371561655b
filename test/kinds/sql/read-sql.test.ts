import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SqlDialectName } from "../../../src/contracts/sql-port.ts";
import { readSql } from "../../../src/kinds/sql/read-sql.ts";

function parameters(text: string, dialect?: SqlDialectName): string[] {
  return readSql(text, dialect).tokens.flatMap((token) => (token.kind === "parameter" ? [token.name] : []));
}

describe("parameters", () => {
  it("are found with their places", () => {
    const { tokens } = readSql("a = :query", undefined);
    expect(tokens.at(-1)).toEqual({ kind: "parameter", name: "query", start: 4, end: 10, depth: 0 });
  });

  it.each<[string, string[], SqlDialectName | undefined]>([
    ["SELECT ':query' || :query", ["query"], undefined],
    ["SELECT 'it''s :no' || :query", ["query"], undefined],
    ['SELECT ":no" FROM t WHERE a = :query', ["query"], undefined],
    ["SELECT `:no` FROM t WHERE a = :query", ["query"], "mysql"],
    ["SELECT [:no] FROM t WHERE a = :query", ["query"], "sqlite"],
    ["SELECT a -- :no\n FROM t WHERE a = :query", ["query"], undefined],
    ["SELECT /* :no */ :query", ["query"], undefined],
    ["SELECT /* a /* :no */ :no */ :query", ["query"], "postgres"],
    ["SELECT a # :no\n FROM t WHERE b = :query", ["query"], "mysql"],
    ["SELECT a--1, :query", ["query"], "mysql"],
    ["SELECT a::text, :query::int", ["query"], "postgres"],
    ["SELECT $$ :no $$, $tag$ :no $$ :no $tag$, :query", ["query"], "postgres"],
    ["SELECT E'a\\' :no', :query", ["query"], "postgres"],
    ["SELECT 'a\\' || :query", ["query"], "postgres"],
    ["SELECT 'a\\' :no', :query", ["query"], "mysql"],
    ["SELECT tags[2:size] , :query", ["query"], "postgres"],
    ["SET @a := 1, b = :query", ["query"], "mysql"],
    ["price>=:value", ["value"], undefined],
    ["IN (:value)", ["value"], undefined],
    ["f(:a,:b)", ["a", "b"], undefined],
  ])("of %j are %j in %s", (text, expected, dialect) => {
    expect(parameters(text, dialect)).toEqual(expected);
  });

  it("are found whatever stands in quotes before them", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const quoted = `'${text.replaceAll("'", "''")}'`;
        expect(parameters(`SELECT ${quoted}, :query`, "sqlite")).toEqual(["query"]);
        expect(parameters(`SELECT ${quoted}, :query`, "postgres")).toEqual(["query"]);
      }),
    );
  });

  it("are never found twice, lost or out of order for any text", () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom<SqlDialectName>("sqlite", "postgres", "mysql"), (text, dialect) => {
        let end = 0;
        for (const token of readSql(text, dialect).tokens) {
          expect(token.start).toBeGreaterThanOrEqual(end);
          expect(token.end).toBeGreaterThan(token.start);
          end = token.end;
        }
        expect(end).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});

describe("what is no SQL", () => {
  it.each([
    ["SELECT 'a", "this string does not end", 7],
    ["SELECT /* a", "this comment does not end", 7],
    ["SELECT (a", 'this "(" is never closed', 7],
    ["SELECT a)", 'this ")" closes nothing', 8],
  ])("%j is told: %s", (text, problem, start) => {
    expect(readSql(text, "sqlite").faults).toEqual([{ problem, start, end: expect.any(Number) }]);
  });
});
