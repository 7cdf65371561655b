import { describe, expect, test } from "vitest";
import { applyEdits } from "../../src/document/apply-edits.ts";

describe("edits", () => {
  test("are applied in the order of the text, whatever their own", () => {
    expect(
      applyEdits("abcdef", [
        { span: { start: 4, end: 6 }, text: "Z" },
        { span: { start: 0, end: 1 }, text: "XY" },
      ]),
    ).toBe("XYbcdZ");
  });

  test("insert where their span is empty, delete where their text is", () => {
    expect(applyEdits("ac", [{ span: { start: 1, end: 1 }, text: "b" }])).toBe("abc");
    expect(applyEdits("abc", [{ span: { start: 1, end: 2 }, text: "" }])).toBe("ac");
  });

  test("that repeat another one are done once", () => {
    const edit = { span: { start: 0, end: 1 }, text: '"1"' };
    expect(applyEdits("1: a", [edit, edit])).toBe('"1": a');
  });

  test("that overlap the one before are left out", () => {
    expect(
      applyEdits("abcd", [
        { span: { start: 0, end: 3 }, text: "X" },
        { span: { start: 2, end: 4 }, text: "Y" },
      ]),
    ).toBe("Xd");
  });
});
