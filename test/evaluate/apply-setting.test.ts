import { describe, expect, it } from "vitest";
import { applySetting } from "../../src/evaluate/apply-setting.ts";
import { readAxis, settingsOf } from "../../src/evaluate/sweep-axis.ts";

const file = `# my file
vars:
  k: 5 # tuned
targets:
  kb:
    default: both
    strategies:
      words: { text: { collection: kb } }
      both:
        hybrid:
          rrfK: 60 # ranks
          branches: # two
            vector: { weight: 0.7 }
            words:
      top: { rerank: { search: both, reranker: { mmr: { embedding: e } }, candidateLimit: "\${ vars.k }" } }
`;
const both = { target: "kb", strategy: "both" };
const apply = (setting: Parameters<typeof applySetting>[1], strategy = both): string => {
  const applied = applySetting(file, setting, strategy);
  return "text" in applied ? applied.text : applied.problem;
};

describe("settings in a file's text", () => {
  it("changes a value and nothing else", () => {
    expect(apply({ "weight.vector": 1.5, rrfK: 10 })).toBe(file.replace("0.7", "1.5").replace("rrfK: 60", "rrfK: 10"));
    expect(apply({ "vars.k": 7 })).toBe(file.replace("k: 5", "k: 7"));
    expect(apply({ "/targets/kb/strategies/both/hybrid/rrfK": 3 })).toBe(file.replace("60", "3"));
  });

  it("writes a key that is not there into a block, a flow mapping and an empty branch", () => {
    expect(apply({ candidateLimit: 30 })).toBe(file.replace("          rrfK: 60", "          candidateLimit: 30\n          rrfK: 60"));
    expect(apply({ "limit.vector": 20 })).toBe(file.replace("{ weight: 0.7 }", "{ limit: 20, weight: 0.7 }"));
    expect(apply({ "weight.words": 2 })).toBe(file.replace("words:\n      top", "words: { weight: 2 }\n      top"));
    expect(apply({ lambda: 0.5 }, { target: "kb", strategy: "top" })).toBe(file.replace("{ embedding: e }", "{ lambda: 0.5, embedding: e }"));
  });

  it("takes rrfK out where scores are fused", () => {
    const scored = file.replace("          rrfK: 60 # ranks\n          branches", "          fusion: minmax\n          branches");
    expect(apply({ fusion: "minmax" })).toBe(scored.replace("fusion: minmax\n          branches", "fusion: minmax\n          branches"));
    expect(apply({ rrfK: 20, fusion: "minmax" })).toBe(apply({ fusion: "minmax" }));
  });

  it("says why a setting has no place", () => {
    expect(apply({ rrfk: 3 })).toBe('rrfk: the strategy "both" has no such setting; did you mean "rrfK"?');
    expect(apply({ "weight.word": 3 })).toBe('weight.word: the strategy "both" has no such setting; did you mean "weight.words"?');
    expect(apply({ candidateLimit: 3 }, { target: "kb", strategy: "top" })).toBe(
      "candidateLimit: it is set by ${ vars.k }: sweep what that reads, such as vars.NAME",
    );
    expect(apply({ rrfK: 3 }, { target: "kb", strategy: "gone" })).toContain('"gone" is not declared in this file');
  });

  it("reads ranges and lists, and refuses what is neither", () => {
    expect(readAxis("weight.vector=0..0.3:0.1")).toEqual({ name: "weight.vector", values: [0, 0.1, 0.2, 0.3] });
    expect(readAxis("fusion=rrf,minmax,rrf")).toEqual({ name: "fusion", values: ["rrf", "minmax"] });
    for (const text of ["rrfK", "=1", "rrfK=1..3:0", "rrfK=3..1:1", "rrfK=1,,2"]) expect(readAxis(text), text).toHaveProperty("problem");
    const axes = [
      { name: "a", values: [1, 2] },
      { name: "b", values: ["x", "y"] },
    ];
    expect(settingsOf(axes)).toEqual([
      { a: 1, b: "x" },
      { a: 1, b: "y" },
      { a: 2, b: "x" },
      { a: 2, b: "y" },
    ]);
  });
});
