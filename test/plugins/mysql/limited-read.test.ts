import { expect, it } from "vitest";
import { limitedRead } from "../../../plugins/mysql/limited-read.ts";

const mariadb = { isMariadb: true };
const mysql = { isMariadb: false };

it("MariaDB gets a limit for this one statement", () => {
  expect(limitedRead("SELECT 1", mariadb, 1500)).toBe("SET STATEMENT max_statement_time=1.5 FOR SELECT 1");
  expect(limitedRead("/* a */ WITH w AS (SELECT 1) SELECT * FROM w", mariadb, 1000)).toBe(
    "SET STATEMENT max_statement_time=1 FOR /* a */ WITH w AS (SELECT 1) SELECT * FROM w",
  );
});

it("MySQL gets a hint behind the first SELECT, unless the author wrote hints", () => {
  expect(limitedRead("SELECT 1", mysql, 1500)).toBe("SELECT /*+ MAX_EXECUTION_TIME(1500) */ 1");
  expect(limitedRead("-- a\n(select 1)", mysql, 5)).toBe("-- a\n(select /*+ MAX_EXECUTION_TIME(5) */ 1)");
  for (const text of ["SELECT /*+ NO_ICP(t) */ 1", "WITH w AS (SELECT 1) SELECT * FROM w", "VALUES ROW(1)"]) expect(limitedRead(text, mysql, 5)).toBe(text);
});

it.each([
  "INSERT INTO t VALUES (1)",
  "/*! DELETE FROM t */",
  "/*M! DELETE FROM t */ SELECT 1",
  "SELECTED",
  "",
  "SET STATEMENT x=1 FOR SELECT 1",
  "--DELETE\nSELECT 1",
])("is no statement that reads: %s", (text) => {
  for (const server of [mariadb, mysql]) expect(limitedRead(text, server, 5)).toBeUndefined();
});
