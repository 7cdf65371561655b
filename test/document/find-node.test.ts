import { describe, expect, test } from "vitest";
import { entryOf, nodeAt, pointerTo } from "../../src/document/find-node.ts";
import { parseDocument } from "../../src/document/parse-document.ts";

const root = parseDocument({ path: "x", text: 'a:\n  "b/c~d": [1, { e: 2 }]\n' }).root;

describe("nodes", () => {
  test("are found by JSON pointer, with the key that leads to them", () => {
    if (root === undefined) throw new Error("no root");
    expect(nodeAt(root, "/a/b~1c~0d/1/e")).toMatchObject({ node: { value: 2 }, entry: { key: { text: "e" } } });
    expect(nodeAt(root, "")?.node).toBe(root);
  });

  test.each(["/x", "/a/b~1c~0d/2", "/a/b~1c~0d/01", "/a/b~1c~0d/x", "/a/b~1c~0d/0/y"])("nothing is at %s", (pointer) => {
    if (root === undefined) throw new Error("no root");
    expect(nodeAt(root, pointer)).toBeUndefined();
  });

  test("pointers are escaped as they are read", () => {
    expect(pointerTo(pointerTo("/a", "b/c~d"), 1)).toBe("/a/b~1c~0d/1");
  });

  test("only mappings have entries", () => {
    expect(entryOf(root, "a")?.key.text).toBe("a");
    expect(entryOf(entryOf(root, "a")?.value, "x")).toBeUndefined();
    expect(entryOf(undefined, "a")).toBeUndefined();
  });
});
