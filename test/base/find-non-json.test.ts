import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findNonJson } from "../../src/base/find-non-json.ts";

describe("findNonJson", () => {
  it("passes what JSON gives back as it was, and nothing else", () => {
    const values = fc.anything({ withDate: true, withMap: true, withTypedArray: true, withBigInt: true });
    fc.assert(
      fc.property(values, (value) => {
        if (findNonJson(value) !== undefined) return;
        // Absent and undefined members are the same, and so are both zeros.
        expect(normal(JSON.parse(JSON.stringify(value)))).toEqual(normal(value));
      }),
    );
    fc.assert(fc.property(fc.jsonValue(), (value) => findNonJson(value) === undefined));
  });

  it.each([
    [{ a: [1, new Date(0)] }, "/a/1"],
    [{ "x/y~": Number.POSITIVE_INFINITY }, "/x~1y~0"],
    [[undefined], "/0"],
    [new Float32Array(2), ""],
    [{ toJSON: () => 1 }, ""],
    [undefined, ""],
  ])("finds the place in %j", (value, place) => {
    expect(findNonJson(value)).toBe(place);
  });

  it("finds cycles, and takes what is only there twice", () => {
    const shared = { a: 1 };
    const cycle: Record<string, unknown> = { shared, again: shared };
    expect(findNonJson(cycle)).toBeUndefined();
    cycle["self"] = [cycle];
    expect(findNonJson(cycle)).toBe("/self/0");
  });
});

function normal(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normal);
  if (typeof value === "object" && value !== null) return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, normal(member)]));
  return value === 0 ? 0 : value;
}
