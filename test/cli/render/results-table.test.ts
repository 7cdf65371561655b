import { describe, expect, it } from "vitest";
import { displayWidth } from "../../../src/base/display-width.ts";
import { resultsTable, shortScore } from "../../../src/cli/render/results-table.ts";
import type { RetrievalSearchOutput } from "../../../src/contracts/retrieval.ts";

const output: RetrievalSearchOutput = {
  target: { name: "kb" },
  strategy: "hybrid",
  candidates: [
    {
      id: "reset-password",
      content: "Reset it\nmore",
      score: 0.0163934,
      source: { target: "kb" },
      metadata: { title: "Reset your password when you cannot sign in" },
    },
    {
      id: "忘记密码",
      content: "\n  忘记密码怎么办？在登录页面点击“忘记密码”，我们会发送一个一小时内有效的链接，用它设置新密码，然后所有其他设备都会退出。\n第二行",
      score: 0.0161,
      source: { target: "kb" },
    },
    { id: "x", content: { title: "From content", body: 1 } },
  ],
  metadata: {
    fusion: {
      method: "rrf",
      rrfK: 60,
      branches: [{ label: "vector" }, { label: "keyword" }],
      contributions: {
        '["kb","reset-password"]': [
          { branch: 0, rank: 1, weight: 1, score: 0.9 },
          { branch: 1, rank: 3, weight: 1, score: 4.2 },
        ],
        '["kb","忘记密码"]': [{ branch: 1, rank: 1, weight: 1 }],
      },
    },
    degraded: [{ step: "vector", code: "RETRIEVAL_TIMEOUT", elapsedMs: 2000 }],
  },
};

const draw = (columns: number, value: RetrievalSearchOutput = output): readonly string[] =>
  resultsTable(value, { columns, paint: (_, text) => text, limit: 10, elapsedMs: 38.4 })
    .trimEnd()
    .split("\n");

describe("resultsTable", () => {
  it("shows where, how many, how long, what was degraded, and who found what", () => {
    expect(draw(110)).toEqual([
      "kb / hybrid · 3 of 10 · 38 ms",
      "degraded: vector (RETRIEVAL_TIMEOUT, 2000 ms)",
      "",
      " 1  0.01639  vector #1 · keyword #3  reset-password  Reset your password when you cannot sign in",
      " 2  0.01610  keyword #1              忘记密码        忘记密码怎么办？在登录页面点击“忘记密码”，我们会发送一个…",
      " 3                                   x               From content",
    ]);
  });

  it.each([40, 60, 80, 110, 200])("fits %d columns, in Chinese too", (columns) => {
    for (const line of draw(columns)) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
  });

  it("puts the text on a line of its own where there is no room", () => {
    expect(draw(50)).toContain("    vector #1 · keyword #3");
    expect(draw(50)).toContain("    Reset your password when you cannot sign in");
  });

  it("shows control characters as what they are", () => {
    const nasty = { ...output, metadata: {}, candidates: [{ id: "a\u001b[31mb", content: "x\u001b]0;title\u0007y" }] };
    expect(draw(100, nasty).join("")).not.toMatch(/[\u001b\u0007]/);
  });

  it("is a header alone where nothing was found", () => {
    expect(draw(80, { target: { name: "kb" }, candidates: [] })).toEqual(["kb · 0 of 10 · 38 ms"]);
  });
});

it.each([
  [0.0163934, "0.01639"],
  [12.345678, "12.35"],
  [1234567, "1235000"],
  [0.00001234, "0.00001234"],
  [-3, "-3.000"],
  [0, "0.000"],
])("writes the score %d as %s", (score, text) => {
  expect(shortScore(score)).toBe(text);
});
