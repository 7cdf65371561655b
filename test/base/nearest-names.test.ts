import { describe, expect, test } from "vitest";
import { nearestName, nearestNames } from "../../src/base/nearest-names.ts";

describe("nearest names", () => {
  test.each([
    ["candidatLimit", ["candidateLimit", "search"], "candidateLimit"],
    ["candidate_limit", ["candidateLimit"], "candidateLimit"],
    ["CANDIDATELIMIT", ["candidateLimit"], "candidateLimit"],
    ["serach", ["search", "reach"], "search"],
    ["vectr", ["vector", "text"], "vector"],
    ["kbs", ["kb", "docs"], "kb"],
    ["DB", ["db", "pg"], "db"],
  ])("%s among %j is %s", (name, candidates, expected) => {
    expect(nearestName(name, candidates)).toBe(expected);
  });

  test("a short name is not near to another one that merely has the same length", () => {
    expect(nearestName("en", ["zh", "de"])).toBeUndefined();
    expect(nearestName("pg", ["db"])).toBeUndefined();
    expect(nearestName("cat", ["dog"])).toBeUndefined();
  });

  test("a long name may differ in a third of its letters", () => {
    expect(nearestName("embedingDimension", ["embeddingDimensions"])).toBe("embeddingDimensions");
    expect(nearestName("completelyDifferent", ["embeddingDimensions"])).toBeUndefined();
  });

  test("of two names that are equally near, none is the one", () => {
    expect(nearestName("nodeA", ["nodeB", "nodeC"])).toBeUndefined();
    expect(nearestNames("nodeA", ["nodeB", "nodeC"])).toEqual(["nodeB", "nodeC"]);
  });

  test("the nearest comes first, and no more than asked for", () => {
    expect(nearestNames("limitt", ["limited", "limits", "limit"], { limit: 2 })).toEqual(["limits", "limit"]);
  });

  test("a name is not near to itself", () => {
    expect(nearestNames("limit", ["limit"])).toEqual([]);
  });
});
