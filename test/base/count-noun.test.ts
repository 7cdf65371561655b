import { expect, it } from "vitest";
import { countNoun } from "../../src/base/count-noun.ts";

it("puts the noun in the plural unless there is one", () => {
  expect([0, 1, 2].map((count) => countNoun(count, "file"))).toEqual(["0 files", "1 file", "2 files"]);
});
