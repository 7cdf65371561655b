import { describe, expect, it } from "vitest";
import { tokenOverlap } from "../../../src/worker/context/token-overlap.ts";

describe("tokenOverlap", () => {
  it.each([
    ["Vector search", "a VECTOR, searched", 1],
    ["search search search", "search", 1],
    ["重跑失败", "重跑gen-itgc后失败", 4],
    ["gen", "重跑gen-itgc后失败", 1],
    ["ge", "重跑gen-itgc后失败", 0],
    ["ｆｕｌｌ", "full width", 1],
    ["C++", "c++ and c#", 1],
    ["naïve 日本", "naïve 日本語", 3],
    ["", "anything", 0],
    ["?! *", "?! *", 0],
    ["constructor __proto__", "{}", 0],
  ])("counts the distinct words of %j in %j: %i", (query, content, count) => {
    expect(tokenOverlap(query)(content)).toBe(count);
  });

  it("reads the texts of structured content", () => {
    expect(tokenOverlap("deep value")({ list: [{ text: "a deep value" }] })).toBe(2);
  });
});
