import { expect, it } from "vitest";
import { toJsonText } from "../../../plugins/sql/json-text.ts";

it("keeps what JSON has", () => {
  const value = { a: [1, "é\u0000\ud800", null, true, { b: -0.5 }], left: undefined };
  expect(JSON.parse(toJsonText(value, "content"))).toEqual({ a: [1, "é\u0000\ud800", null, true, { b: -0.5 }] });
});

it("refuses what JSON would change in silence, naming the place", () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  for (const value of [Number.NaN, { a: Number.POSITIVE_INFINITY }, new Date(), new Map(), () => 1, 1n, Symbol("x"), [undefined], cycle]) {
    expect(() => toJsonText(value, "content of memories[0]")).toThrow("The content of memories[0] is no JSON");
  }
  expect(() => toJsonText(undefined, "content")).toThrow("The content is missing");
  expect(() => toJsonText({ a: [1, Number.NaN] }, "content")).toThrow("at /a/1");
});

it("refuses what is nested beyond all reason", () => {
  let value: unknown = 1;
  for (let depth = 0; depth < 200_000; depth += 1) value = [value];
  expect(() => toJsonText(value, "content")).toThrow("nested too deeply");
});
