import { describe, expect, it } from "vitest";
import { displayWidth } from "../../../src/base/display-width.ts";
import { hitsText, idText } from "../../../src/cli/render/explanation.ts";
import { traceTree } from "../../../src/cli/render/trace-tree.ts";
import type { HitExplanation } from "../../../src/explain/explain-hits.ts";
import { TraceRecorder } from "../../../src/explain/trace-recorder.ts";

const paint = (_: string, text: string): string => text;

const hit: HitExplanation = {
  id: "忘记密码-如何在登录页面重置",
  rank: 1,
  score: 0.0325,
  steps: {
    step: "知识库/混合",
    rank: 1,
    score: 0.0325,
    from: [
      { step: "向量", rank: 3, score: 0.83, weight: 0.7, contribution: 0.0111, formula: "0.7 / (60 + 3)", from: [] },
      { step: "a-branch-with-a-very-long-name-indeed", rank: 1, score: 7.2, weight: 1, contribution: 0.0164, formula: "1 / (60 + 1)", from: [] },
      { step: "words", failed: "RETRIEVAL_TIMEOUT", from: [] },
    ],
  },
};

describe.each([40, 60, 100])("in %i columns", (columns) => {
  const fits = (text: string): void => {
    for (const line of text.split("\n")) expect(displayWidth(line), line).toBeLessThanOrEqual(columns);
  };

  it("an explanation of results fits, in Chinese too", () => {
    fits(hitsText([hit], { paint, columns }));
  });

  it("an explanation of what is missing fits", () => {
    const reasons = [
      {
        code: "beyond-pool",
        step: "知识库/混合 > 向量",
        text: "it is found at rank 143, and the 100 best are candidates: a greater candidateLimit lets it in",
        facts: {},
      },
    ] as const;
    fits(idText({ id: "忘记密码", reasons, steps: hit.steps }, { paint, columns }));
  });

  it("a trace fits", () => {
    const recorder = new TraceRecorder({ brief: true });
    const search = recorder.root.open("search", "知识库/混合", { candidates: 10, model: "a model with a long name" });
    search.open("branch", "向量", { candidates: 100, fusion: { method: "rrf", rrfK: 60 } }).close();
    search.close();
    fits(traceTree(recorder.steps, { paint, columns }));
  });
});

it("columns of an explanation stand below each other, though Chinese is twice as wide", () => {
  const lines = hitsText([hit], { paint, columns: 100 }).split("\n").slice(3, 5);
  const [first = "", second = ""] = lines;
  expect(displayWidth(first.slice(0, first.indexOf("#3")))).toBe(displayWidth(second.slice(0, second.indexOf("#1"))));
});
