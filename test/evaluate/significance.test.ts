import { describe, expect, it } from "vitest";
import { splitQueries } from "../../src/evaluate/split-queries.ts";
import { compareMeans } from "../../src/evaluate/significance.ts";

describe("comparisons", () => {
  it("find no difference between equal systems, and a sure one between different ones", () => {
    const values = Array.from({ length: 40 }, (_, index) => (index % 5) / 5);
    expect(compareMeans(values, values)).toEqual({ difference: 0, p: 1, wins: 0, losses: 0, ties: 40 });
    const better = compareMeans(
      values,
      values.map((value) => value + 0.1),
    );
    expect(better).toMatchObject({ wins: 40, losses: 0, ties: 0 });
    expect(better.difference).toBeCloseTo(0.1);
    expect(better.p).toBeLessThan(0.001);
  });

  it("come near the exact probability of few differences, the same each time", () => {
    // Of the 16 ways to give signs to four equal differences, two are as large as all of them together.
    const test = (): number => compareMeans([0, 0, 0, 0], [1, 1, 1, 1]).p;
    expect(test()).toBeCloseTo(2 / 16, 1);
    expect(test()).toBe(test());
  });

  it("split queries into halves by their ids alone", () => {
    const queries = Array.from({ length: 31 }, (_, index) => ({ id: `q${index}`, text: "x" }));
    const { chosen, heldOut } = splitQueries(queries);
    expect([chosen.length, heldOut.length]).toEqual([16, 15]);
    expect(new Set([...chosen, ...heldOut].map(({ id }) => id)).size).toBe(31);
    expect(new Set(splitQueries(queries.toReversed()).chosen.map(({ id }) => id))).toEqual(new Set(chosen.map(({ id }) => id)));
  });
});
