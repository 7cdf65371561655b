import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RetrievalCandidate } from "../../../src/contracts/retrieval.ts";
import { type FusionBranch, type FusionOptions, fuseCandidates } from "../../../src/retrieval/providers/fuse-candidates.ts";
import { candidates, idsOf } from "../support/stub-search.ts";

const options: FusionOptions = { fusion: "rrf", rrfK: 60, limit: 100, target: { name: "kb" } };

function branch(found: readonly RetrievalCandidate[], weight = 1): FusionBranch {
  return { label: "branch", strategy: "branch", weight, candidates: found };
}

/** Lists of distinct ids with scores. */
const list = fc
  .uniqueArray(fc.integer({ min: 0, max: 30 }), { maxLength: 20 })
  .chain((ids) =>
    fc
      .array(fc.double({ min: -10, max: 10, noNaN: true }), { minLength: ids.length, maxLength: ids.length })
      .map((scores) => ids.map((id, index) => ({ id: `${id}`, content: id, score: scores[index] }))),
  );
const lists = fc.array(list, { minLength: 1, maxLength: 4 });
const way = fc.constantFrom("rrf" as const, "minmax" as const);

describe("reciprocal rank fusion", () => {
  it("scores by the sum of weight / (rrfK + rank), ranks from 1", () => {
    const { candidates: fused } = fuseCandidates([branch(candidates("a", "b"), 0.7), branch(candidates("b", "c"))], options);
    const scores = new Map(fused.map(({ id, score }) => [id, score]));
    expect(scores.get("a")).toBeCloseTo(0.7 / 61, 15);
    expect(scores.get("b")).toBeCloseTo(0.7 / 62 + 1 / 61, 15);
    expect(scores.get("c")).toBeCloseTo(1 / 62, 15);
    expect(idsOf({ candidates: fused })).toEqual(["b", "c", "a"]);
  });

  it("adds no raw scores", () => {
    const loud = [{ id: "a", content: 1, score: 1_000_000 }];
    const { candidates: fused } = fuseCandidates([branch(loud)], options);
    expect(fused[0]?.score).toBe(1 / 61);
  });

  it("[4, 1] and [1, 4] differ", () => {
    const [left, right] = [candidates("a", "b"), candidates("b", "a")];
    expect(idsOf(fuseCandidates([branch(left, 4), branch(right, 1)], options))).toEqual(["a", "b"]);
    expect(idsOf(fuseCandidates([branch(left, 1), branch(right, 4)], options))).toEqual(["b", "a"]);
  });

  it("takes the rank constant", () => {
    const { candidates: fused } = fuseCandidates([branch(candidates("a"))], { ...options, rrfK: 1 });
    expect(fused[0]?.score).toBe(1 / 2);
  });
});

describe("min-max fusion", () => {
  const scored = (scores: Record<string, number>): RetrievalCandidate[] => Object.entries(scores).map(([id, score]) => ({ id, content: id, score }));
  const minmax: FusionOptions = { ...options, fusion: "minmax" };

  it("is the weighted sum of scores scaled to 0..1 in each branch, 0 where a branch lacks the candidate", () => {
    const { candidates: fused } = fuseCandidates([branch(scored({ a: 10, b: 6, c: 2 }), 0.5), branch(scored({ c: 0.9, d: 0.1 }))], minmax);
    expect(Object.fromEntries(fused.map(({ id, score }) => [id, score]))).toEqual({ c: 1, a: 0.5, b: 0.25, d: 0 });
  });

  it("is 1 where all scores of a branch are equal", () => {
    expect(fuseCandidates([branch(scored({ a: 3, b: 3 }))], minmax).candidates.map(({ score }) => score)).toEqual([1, 1]);
  });

  it("refuses candidates without scores, naming the place", () => {
    expect(() =>
      fuseCandidates(
        [
          branch([
            { id: "a", content: 1, score: 1 },
            { id: "b", content: 1 },
          ]),
        ],
        minmax,
      ),
    ).toThrow(/candidates\[1\].*no score/);
  });

  it("stays finite for the largest numbers", () => {
    const { candidates: fused } = fuseCandidates([branch(scored({ a: 1.7e308, b: 0, c: -1.7e308 }))], minmax);
    expect(fused.map(({ score }) => score)).toEqual([1, 0.5, 0]);
  });
});

describe("identity", () => {
  it("is the tuple of source.target or target.name, and id or source.ref", () => {
    const left = [
      { id: "1", content: "id", source: { target: "docs" } },
      { content: "ref", source: { ref: "2" } },
    ];
    const right = [
      { id: "9", content: "other" },
      { id: "2", content: "kb's" },
      { content: "docs'", source: { target: "docs", ref: "1" } },
    ];
    const { contributions } = fuseCandidates([branch(left), branch(right)], options);
    expect(Object.keys(contributions).sort()).toEqual(['["docs","1"]', '["kb","2"]', '["kb","9"]']);
    expect(contributions['["docs","1"]']).toHaveLength(2);
    expect(contributions['["kb","2"]']).toHaveLength(2);
  });

  it('keeps ["a:b","c"] and ["a","b:c"] apart', () => {
    const left = [{ id: "c", content: 1, source: { target: "a:b" } }];
    const right = [{ id: "b:c", content: 2, source: { target: "a" } }];
    expect(fuseCandidates([branch(left), branch(right)], options).candidates).toHaveLength(2);
  });

  it("never merges equal ids of different sources", () => {
    const left = [{ id: "1", content: 1, source: { target: "a" } }];
    const right = [{ id: "1", content: 2, source: { target: "b" } }];
    expect(fuseCandidates([branch(left), branch(right)], options).candidates).toHaveLength(2);
  });

  it("may be a shared key of the application's", () => {
    const left = [{ id: "1", content: 1, source: { target: "a" }, metadata: { url: "u" } }];
    const right = [{ id: "x", content: 2, source: { target: "b" }, metadata: { url: "u" } }];
    const { candidates: fused, contributions } = fuseCandidates([branch(left), branch(right)], {
      ...options,
      key: (candidate) => String(candidate.metadata?.url),
    });
    expect(fused).toHaveLength(1);
    expect(Object.keys(contributions)).toEqual(["u"]);
  });

  it("may even be __proto__", () => {
    const { contributions } = fuseCandidates([branch(candidates("a"))], { ...options, key: () => "__proto__" });
    expect(Object.keys(contributions)).toEqual(["__proto__"]);
  });

  it("needs a key where a candidate has neither id nor ref", () => {
    expect(() => fuseCandidates([branch([{ content: 1 }])], options)).toThrow(expect.objectContaining({ code: "RETRIEVAL_INVALID_BACKEND_OUTPUT" }));
    expect(fuseCandidates([branch([{ content: 1 }])], { ...options, key: () => "k" }).candidates).toHaveLength(1);
  });

  it.each([undefined, "", 3])("refuses the key %j", (key) => {
    expect(() => fuseCandidates([branch(candidates("a"))], { ...options, key: () => key as string })).toThrow(/key of candidates\[0\]/);
  });
});

describe("a fused candidate", () => {
  it("is the first one seen, with the fused score", () => {
    const first = { id: "a", content: "first", score: 3, source: { ref: "r1" }, metadata: { m: 1 } };
    const second = { id: "a", content: "second", score: 4, source: { ref: "r2" }, metadata: { m: 2 } };
    const { candidates: fused } = fuseCandidates([branch([first]), branch([second])], options);
    expect(fused).toEqual([{ ...first, score: 2 / 61 }]);
  });

  it("has each branch's score, rank, weight, source and metadata in its contributions", () => {
    const first = { id: "a", content: "first", score: 3, source: { ref: "r1" }, metadata: { m: 1 } };
    const second = { id: "a", content: "second", score: 4, source: { ref: "r2" }, metadata: { m: 2 } };
    const { contributions } = fuseCandidates(
      [
        { ...branch([first], 0.5), strategy: "vector" },
        { ...branch([...candidates("b"), second]), strategy: "keyword" },
      ],
      options,
    );
    expect(contributions['["kb","a"]']).toEqual([
      { branch: 0, strategy: "vector", rank: 1, weight: 0.5, score: 3, source: { ref: "r1" }, metadata: { m: 1 } },
      { branch: 1, strategy: "keyword", rank: 2, weight: 1, score: 4, source: { ref: "r2" }, metadata: { m: 2 } },
    ]);
  });

  it("shares its content with the branch: nothing is copied or frozen", () => {
    const content = { big: "record" };
    const { candidates: fused } = fuseCandidates([branch([{ id: "a", content }])], options);
    expect(fused[0]?.content).toBe(content);
    expect(Object.isFrozen(content)).toBe(false);
  });
});

describe("laws of fusion", () => {
  it("a branch that returns a candidate twice counts its first rank", () => {
    fc.assert(
      fc.property(lists, fc.nat(), fc.nat(), (found, from, where) => {
        const list = found[0] ?? [];
        fc.pre(list.length > 0);
        const index = from % list.length;
        const later = index + 1 + (where % (list.length - index));
        const doubled = [...list.slice(0, later), { ...(list[index] as RetrievalCandidate) }, ...list.slice(later)];
        const fused = fuseCandidates([branch(doubled), ...found.slice(1).map((other) => branch(other))], { ...options, limit: 1000 });
        const contributions = fused.contributions[JSON.stringify(["kb", list[index]?.id])] ?? [];
        expect(contributions.filter((part) => part.branch === 0)).toEqual([expect.objectContaining({ rank: index + 1 })]);
      }),
    );
  });

  it("the order is total: by score, then by first seen, and the same every time", () => {
    fc.assert(
      fc.property(lists, way, (found, fusion) => {
        const branches = found.map((list) => branch(list));
        const fused = fuseCandidates(branches, { ...options, fusion }).candidates;
        const seen = [...new Set(found.flat().map(({ id }) => id))];
        for (let index = 1; index < fused.length; index += 1) {
          const [before, after] = [fused[index - 1] as RetrievalCandidate, fused[index] as RetrievalCandidate];
          expect(before.score).toBeGreaterThanOrEqual(after.score as number);
          if (before.score === after.score) expect(seen.indexOf(before.id as string)).toBeLessThan(seen.indexOf(after.id as string));
        }
        expect(fuseCandidates(branches, { ...options, fusion }).candidates).toEqual(fused);
      }),
    );
  });

  it("equal weights equal no weights", () => {
    fc.assert(
      fc.property(lists, way, fc.double({ min: 0.001, max: 1000, noNaN: true }), (found, fusion, weight) => {
        const plain = fuseCandidates(
          found.map((list) => branch(list)),
          { ...options, fusion },
        );
        const weighted = fuseCandidates(
          found.map((list) => branch(list, weight)),
          { ...options, fusion },
        );
        expect(idsOf(weighted)).toEqual(idsOf(plain));
      }),
    );
  });

  it("equal weights break no tie that no weights leave: 0.7/63 + 0.7/105 is less than 0.7/70 + 0.7/90 in floating point", () => {
    const at = (places: Record<string, number>, name: string): RetrievalCandidate[] => {
      const found = candidates(...Array.from({ length: 50 }, (_, index) => `${name}${index}`));
      for (const [id, rank] of Object.entries(places)) found[rank - 1] = { id, content: id };
      return found;
    };
    const order = (weight: number) =>
      idsOf(fuseCandidates([branch(at({ a: 3, b: 10 }, "left"), weight), branch(at({ a: 45, b: 30 }, "right"), weight)], options)).slice(0, 2);
    expect(order(1)).toEqual(["a", "b"]);
    expect(order(0.7)).toEqual(["a", "b"]);
  });

  it("swapping branches swaps nothing but ties", () => {
    fc.assert(
      fc.property(lists, way, fc.array(fc.constantFrom(0.3, 1, 2.5), { minLength: 4, maxLength: 4 }), fc.nat(), (found, fusion, weights, turn) => {
        const branches = found.map((list, index) => branch(list, weights[index]));
        const start = turn % branches.length;
        const turned = [...branches.slice(start), ...branches.slice(0, start)].reverse();
        const scores = (from: readonly FusionBranch[]) => new Map(fuseCandidates(from, { ...options, fusion }).candidates.map(({ id, score }) => [id, score]));
        expect(scores(turned)).toEqual(scores(branches));
      }),
    );
  });

  it("a larger weight never lowers what its branch ranks first", () => {
    fc.assert(
      fc.property(list, list, fc.double({ min: 1, max: 100, noNaN: true }), (left, right, weight) => {
        fc.pre(left.length > 0);
        const place = (of: number) => idsOf(fuseCandidates([branch(left, of), branch(right)], options)).indexOf(left[0]?.id);
        expect(place(weight)).toBeLessThanOrEqual(place(1));
      }),
    );
  });

  it("the first n of a longer answer are the answer of length n", () => {
    fc.assert(
      fc.property(lists, way, fc.integer({ min: 1, max: 10 }), (found, fusion, limit) => {
        const branches = found.map((list) => branch(list));
        const all = fuseCandidates(branches, { ...options, fusion }).candidates;
        expect(fuseCandidates(branches, { ...options, fusion, limit }).candidates).toEqual(all.slice(0, limit));
      }),
    );
  });

  it("one branch alone keeps its order", () => {
    fc.assert(
      fc.property(list, (found) => {
        expect(idsOf(fuseCandidates([branch(found)], options))).toEqual(found.map(({ id }) => id));
      }),
    );
  });
});
