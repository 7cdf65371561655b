import { expect, it } from "vitest";
import { integer, mysqlDialect, quoteName, quoteText } from "../../../plugins/mysql/mysql-dialect.ts";
import { trustedSql } from "../../../plugins/sql/sql.ts";

it("quotes names and texts so that neither ends before its end", () => {
  expect(quoteName("a`b")).toBe("`a``b`");
  expect(quoteText("it's \\'")).toBe("'it''s \\\\'''");
});

it("writes whole numbers, and nothing else", () => {
  expect(integer(12).texts).toEqual(["12"]);
  for (const value of [1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, "1; DROP TABLE t" as unknown as number])
    expect(() => integer(value)).toThrow(TypeError);
});

it("asks for one of few numbers in few shapes, and for one of many without parameters", () => {
  const { isOneOf } = mysqlDialect;
  expect(isOneOf(trustedSql("r.row"), [5]).values).toEqual([5]);
  expect(isOneOf(trustedSql("r.row"), [1, 2, 3]).values).toEqual([1, 2, 3, 3]);
  const many = isOneOf(
    trustedSql("r.row"),
    Array.from({ length: 5000 }, (_, index) => index),
  );
  expect(many.values).toEqual([]);
  expect(many.texts.join("")).toMatch(/^r\.row IN \(0, 1, .*, 4999\)$/);
});
