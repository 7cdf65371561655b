import { expect, it, vi } from "vitest";
import { openMysql } from "../../../plugins/mysql/open-mysql.ts";

vi.mock("mysql2", () => {
  throw Object.assign(new Error("Cannot find package 'mysql2'"), { code: "ERR_MODULE_NOT_FOUND" });
});

it("says which package is missing, and the command that brings it", async () => {
  const opening = openMysql({ url: "mysql://127.0.0.1/kb" }, { name: "db" });
  await expect(opening).rejects.toMatchObject({
    code: "MYSQL_UNAVAILABLE",
    message: 'The plugin "mysql" needs the package "mysql2", which is not installed: npm install mysql2',
  });
});
