import { expect, it } from "vitest";
import { configurationWarnings, readAddress } from "../../../plugins/mysql/mysql-configuration.ts";

it("reads an address out of a url, percent signs decoded", () => {
  expect(readAddress({ url: "mysql://us%40er:p%25%2Fss@db.example:3307/my%20kb?tls=true" }, "db")).toEqual({
    host: "db.example",
    port: 3307,
    user: "us@er",
    password: "p%/ss",
    database: "my kb",
    ssl: { rejectUnauthorized: true, verifyIdentity: true },
  });
  expect(readAddress({ url: "mariadb://[::1]/kb" }, "db")).toMatchObject({ host: "::1", port: 3306, user: undefined, ssl: undefined });
});

it("reads an address out of its parts", () => {
  expect(readAddress({ database: "kb", user: "me", ca: "PEM" }, "db")).toMatchObject({
    host: "127.0.0.1",
    port: 3306,
    user: "me",
    database: "kb",
    ssl: { ca: "PEM", rejectUnauthorized: true, verifyIdentity: true },
  });
  expect(readAddress({ database: "kb", socket: "/run/s.sock" }, "db")).toMatchObject({ socketPath: "/run/s.sock", database: "kb" });
});

it.each(["postgres://h/kb", "mysql://h", "mysql:///kb", "nonsense", "mysql://h/kb?multipleStatements=true", "mysql://u:100%@h/kb"])(
  "refuses the url %s without repeating it",
  (url) => {
    const [warning] = configurationWarnings({ url });
    expect(warning).toMatchObject({ pointer: "/url", severity: "error" });
    expect(() => readAddress({ url }, "db")).toThrow(/^The url of "db" cannot be used: /);
    expect(warning?.message).not.toContain(url);
  },
);

it("refuses what is said twice, and what is missing", () => {
  expect(configurationWarnings({ url: "mysql://h/kb", port: 3306 })).toMatchObject([{ pointer: "/port" }]);
  expect(configurationWarnings({ socket: "/s", host: "h", database: "kb" })).toMatchObject([{ pointer: "/host" }]);
  expect(configurationWarnings({ host: "h" })).toMatchObject([{ pointer: "" }]);
  expect(configurationWarnings({ database: "kb" })).toEqual([]);
});
