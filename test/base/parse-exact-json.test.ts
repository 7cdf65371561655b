import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseExactJson } from "../../src/base/parse-exact-json.ts";

describe("parseExactJson", () => {
  it("gives integers beyond 2^53 as texts with all their digits", () => {
    expect(parseExactJson('{"id": 9007199254740993, "ids": [-90071992547409930, 9007199254740991]}')).toEqual({
      id: "9007199254740993",
      ids: ["-90071992547409930", 9007199254740991],
    });
  });

  it("leaves digits in texts, fractions and exponents alone", () => {
    const text = '{"a 9007199254740993": "\\"9007199254740993", "b": 0.12345678901234567, "c": 9007199254740993e2, "d": 9007199254740993.5}';
    expect(parseExactJson(text)).toEqual(JSON.parse(text));
  });

  it("parses everything else as JSON.parse does", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.oneof(fc.string(), fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true }))), (value, list) => {
        const text = JSON.stringify([list, value], (_key, item: unknown) => (Number.isInteger(item) && !Number.isSafeInteger(item) ? 0.1 : item));
        expect(parseExactJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });
});
