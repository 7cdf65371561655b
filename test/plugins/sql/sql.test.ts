import { expect, it } from "vitest";
import { joinSql, sql, toStatement, trustedSql, valueList } from "../../../plugins/sql/sql.ts";

it("binds values and sets pieces in, in order", () => {
  const piece = sql`a = ${1} AND ${joinSql([sql`b = ${"x"}`, sql`c IN (${valueList(["y", null])})`], " OR ")} LIMIT ${5}`;
  expect(toStatement(piece, () => "?")).toEqual({ sql: "a = ? AND b = ? OR c IN (?, ?) LIMIT ?", parameters: [1, "x", "y", null, 5] });
  expect(toStatement(piece, (position) => `$${position}`).sql).toBe("a = $1 AND b = $2 OR c IN ($3, $4) LIMIT $5");
});

it("never makes text of a value", () => {
  const { sql: text, parameters } = toStatement(sql`SELECT ${"'; DROP TABLE x; --"} FROM ${trustedSql('"t"')}`, () => "?");
  expect(text).toBe('SELECT ? FROM "t"');
  expect(parameters).toEqual(["'; DROP TABLE x; --"]);
});

it("joins nothing to nothing", () => {
  expect(toStatement(joinSql([], ", "), () => "?")).toEqual({ sql: "", parameters: [] });
});
