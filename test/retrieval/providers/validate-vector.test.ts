import { describe, expect, it } from "vitest";
import { validateVector } from "../../../src/retrieval/providers/validate-vector.ts";

describe("validateVector", () => {
  it("returns nothing for a vector", () => {
    expect(validateVector([1, -0.5, 0])).toBeUndefined();
    expect(validateVector([1, 2], 2)).toBeUndefined();
  });

  it.each<[unknown, number | undefined]>([
    [undefined, undefined],
    [null, undefined],
    ["1,2", undefined],
    [{ 0: 1, length: 1 }, undefined],
    [[], undefined],
    [[Number.NaN], undefined],
    [[Number.NEGATIVE_INFINITY], undefined],
    [["1"], undefined],
    [[null], undefined],
    [[1, 2, 3], 2],
    [[1], 2],
  ])("throws RETRIEVAL_INVALID_EMBEDDING for %j with dimensions %j", (value, dimensions) => {
    expect(() => validateVector(value, dimensions)).toThrow(expect.objectContaining({ code: "RETRIEVAL_INVALID_EMBEDDING" }));
  });
});
