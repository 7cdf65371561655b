import { expect, it } from "vitest";
import { globPattern, isGlob } from "../../src/cli/glob-pattern.ts";

it.each([
  ["/a/*.yaml", "/a/b.yaml", true],
  ["/a/*.yaml", "/a/b/c.yaml", false],
  ["/a/**/*.yaml", "/a/b.yaml", true],
  ["/a/**/*.yaml", "/a/b/c/d.yaml", true],
  ["/a/**/*.yaml", "/ab/c.yaml", false],
  ["/a/{x,y}.yaml", "/a/y.yaml", true],
  ["/a/{x,y}.yaml", "/a/z.yaml", false],
  ["/a/?.yaml", "/a/x.yaml", true],
  ["/a+b/*.yaml", "/a+b/x.yaml", true],
  ["/a/*.y.ml", "/a/x.yaml", false],
])("%s against %s", (pattern, path, matches) => {
  expect(globPattern(pattern).matches(path)).toBe(matches);
});

it("looks below the folder that is fixed", () => {
  expect(globPattern("/a/b/**/*.yaml").folder).toBe("/a/b");
  expect(globPattern("/*.yaml").folder).toBe("/");
  expect(isGlob("a/b.yaml")).toBe(false);
});
