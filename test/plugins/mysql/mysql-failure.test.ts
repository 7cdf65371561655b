import { expect, it } from "vitest";
import { CollectionFault } from "../../../plugins/sql/collection-fault.ts";
import { isInterrupted, isLost, toAuthorsFault, toFault } from "../../../plugins/mysql/mysql-failure.ts";

const driverError = (members: object): Error => Object.assign(new Error("secret words: root@10.1.2.3 'value'"), members);

it.each([
  ["ECONNREFUSED", driverError({ code: "ECONNREFUSED", errno: -111, fatal: true }), "database", "refused"],
  ["wrong password", driverError({ code: "ER_ACCESS_DENIED_ERROR", errno: 1045 }), "database", "does not accept"],
  ["lock wait", driverError({ code: "ER_LOCK_WAIT_TIMEOUT", errno: 1205 }), "busy", "lock"],
  ["no connection left", driverError({ code: "ER_CON_COUNT_ERROR", errno: 1040 }), "busy", "no more connections"],
  ["too long in MariaDB, without a code", driverError({ errno: 1969 }), "busy", "longer"],
  ["too long in MySQL", driverError({ code: "ER_QUERY_TIMEOUT", errno: 3024 }), "busy", "longer"],
  ["duplicate", driverError({ code: "ER_DUP_ENTRY", errno: 1062 }), "conflict", "in use"],
  ["unknown to this list", driverError({ code: "ER_SOMETHING", errno: 4242 }), "database", "4242"],
  ["closed connection without a code", driverError({ fatal: true }), "database", "closed"],
])("%s is told by kind and without the driver's words", (_name, error, kind, word) => {
  const fault = toFault(error, "db");
  expect(fault).toMatchObject({ kind, cause: error, message: expect.stringContaining(word) as string });
  expect((fault as Error).message).not.toMatch(/secret|10\.1\.2\.3|value/);
});

it("what is not the server's passes as it is", () => {
  for (const error of [new TypeError("ours"), new CollectionFault("input", "x"), "text", undefined]) expect(toFault(error, "db")).toBe(error);
});

it("an author reads the server's words where they hold no value", () => {
  expect(toAuthorsFault(driverError({ errno: 1054 }), "db")).toMatchObject({ message: expect.stringContaining("secret words") as string });
  expect(toAuthorsFault(driverError({ errno: 1292 }), "db")).toMatchObject({ message: expect.not.stringContaining("secret words") as string });
});

it("tells lost connections from ended statements", () => {
  for (const members of [{ code: "PROTOCOL_CONNECTION_LOST", fatal: true }, { code: "ECONNRESET" }, { errno: 1927 }, { errno: 4031 }, { fatal: true }]) {
    expect([isLost(driverError(members)), isInterrupted(driverError(members))]).toEqual([true, false]);
  }
  for (const members of [{ errno: 1317 }, { errno: 1969 }, { errno: 3024 }])
    expect([isLost(driverError(members)), isInterrupted(driverError(members))]).toEqual([false, true]);
  expect(isLost(driverError({ code: "ECONNREFUSED", fatal: true }))).toBe(false);
});
