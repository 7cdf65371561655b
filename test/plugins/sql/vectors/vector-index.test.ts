import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BestScores } from "../../../../plugins/sql/vectors/best-scores.ts";
import { CodeTable } from "../../../../plugins/sql/vectors/code-table.ts";
import { cosine, fromBytes, toBytes, toUnit } from "../../../../plugins/sql/vectors/cosine.ts";
import { VectorIndex } from "../../../../plugins/sql/vectors/vector-index.ts";

const component = fc.oneof(
  fc.constantFrom(0, 1, -1, 0.5),
  fc.float({ noNaN: true, noDefaultInfinity: true, min: Math.fround(-1e10), max: Math.fround(1e10) }),
  fc.constantFrom(1e-40, -1e-44, 3e38),
);
const vectorOf = (dimensions: number): fc.Arbitrary<Float32Array> =>
  fc
    .array(component, { minLength: dimensions, maxLength: dimensions })
    .map((all) => Float32Array.from(all))
    .filter((vector) => vector.some((each) => each !== 0));
const vectors = fc
  .integer({ min: 1, max: 40 })
  .chain((dimensions) => fc.tuple(vectorOf(dimensions), fc.array(vectorOf(dimensions), { minLength: 1, maxLength: 20 })));

describe("codes", () => {
  it("never lie further from the cosine than they say", () => {
    fc.assert(
      fc.property(vectors, ([asked, kept]) => {
        const table = new CodeTable(asked.length);
        for (const [position, vector] of kept.entries()) table.set(position, toBytes(vector));
        const query = toUnit(asked);
        const { blocks, queryError } = table.scan(query);
        for (const [position, vector] of kept.entries()) {
          const error = blocks[0]?.errors[position] ?? Number.NaN;
          const off = Math.abs((blocks[0]?.results[position] ?? Number.NaN) - cosine(query, vector));
          expect(off).toBeLessThanOrEqual(error + (1 + error) * queryError + 1e-5);
          expect(error).toBeLessThan(0.1);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("do not overflow at many dimensions", () => {
    for (const dimensions of [384, 1024, 4096, 16_000]) {
      const table = new CodeTable(dimensions);
      const vector = new Float32Array(dimensions).fill(1);
      table.set(0, toBytes(vector));
      expect(table.scan(toUnit(vector)).blocks[0]?.results[0]).toBeCloseTo(1, 3);
    }
  });
});

describe("an index", () => {
  it("gives all of the nearest, ties included, through any changes", () => {
    const change = fc.record({ row: fc.integer({ min: 1, max: 12 }), vector: fc.option(vectorOf(5), { freq: 3 }) });
    fc.assert(
      fc.property(
        fc.array(change, { minLength: 1, maxLength: 60 }),
        vectorOf(5),
        fc.integer({ min: 1, max: 6 }),
        fc.option(fc.subarray([1, 2, 3, 4, 5, 6, 7, 8, 9])),
        (changes, asked, limit, allowed) => {
          const index = new VectorIndex(5);
          const model = new Map<number, Float32Array>();
          for (const { row, vector } of changes) {
            index.apply({ row, vector: vector === null ? null : toBytes(vector) });
            if (vector === null) model.delete(row);
            else model.set(row, vector);
          }
          const query = toUnit(asked);
          const scores = [...model]
            .filter(([row]) => allowed === null || allowed.includes(row))
            .map(([row, vector]) => ({ row, score: cosine(query, vector) }));
          scores.sort((a, b) => b.score - a.score);
          const last = scores[Math.min(limit, scores.length) - 1]?.score ?? Number.POSITIVE_INFINITY;
          const found = index.candidates(query, limit, allowed ?? undefined);
          expect(found).toEqual(expect.arrayContaining(scores.filter(({ score }) => score >= last).map(({ row }) => row)));
          expect(found.every((row) => model.has(row) && (allowed === null || allowed.includes(row)))).toBe(true);
          expect(new Set(found).size).toBe(found.length);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("grows over many blocks and leaves most rows out", () => {
    const index = new VectorIndex(24);
    let seed = 1;
    const next = (): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed / 2_147_483_648 - 0.5;
    };
    const all = Array.from({ length: 20_000 }, () => Float32Array.from({ length: 24 }, next));
    for (const [row, vector] of all.entries()) index.apply({ row, vector: toBytes(vector) });
    const query = toUnit(Float32Array.from({ length: 24 }, next));
    const exact = all
      .map((vector, row) => ({ row, score: cosine(query, vector) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, 50);
    const found = index.candidates(query, 50);
    expect(found).toEqual(expect.arrayContaining(exact.map(({ row }) => row)));
    expect(found.length).toBeLessThan(200);
  });
});

it("finds the k-th best of any scores", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true })), fc.integer({ min: 1, max: 20 }), (scores, k) => {
      const best = new BestScores(k);
      for (const score of scores) best.add(score);
      const sorted = [...scores].sort((a, b) => b - a);
      expect(best.threshold === (sorted[k - 1] ?? Number.NEGATIVE_INFINITY)).toBe(true);
    }),
  );
});

it("reads kept vectors at any offset of a buffer", () => {
  const bytes = new Uint8Array([9, ...toBytes(Float32Array.of(1.5, -2))]).subarray(1);
  expect(fromBytes(bytes)).toEqual(Float32Array.of(1.5, -2));
});
