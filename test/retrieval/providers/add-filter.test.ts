import { describe, expect, it } from "vitest";
import { addFilter } from "../../../src/retrieval/providers/add-filter.ts";

describe("addFilter", () => {
  it.each<[object | undefined, object | undefined, object | undefined]>([
    [undefined, undefined, undefined],
    [{ a: 1 }, undefined, { a: 1 }],
    [undefined, { a: 1 }, { a: 1 }],
    [{ a: 1 }, { b: 2 }, { a: 1, b: 2 }],
    [{ a: 1 }, { a: 1 }, { a: 1 }],
    [{ a: { gte: 1 } }, { a: { lt: 5 } }, { a: { gte: 1, lt: 5 } }],
    [{ a: { gte: 1, lt: 9 } }, { a: { gte: 1 } }, { a: { gte: 1, lt: 9 } }],
    [{ a: "x" }, { a: { in: ["x", "y"] } }, { a: { eq: "x", in: ["x", "y"] } }],
    [{ a: { in: ["x"] } }, { a: "x" }, { a: { in: ["x"], eq: "x" } }],
    [{ tags: ["t"] }, { tags: ["t"] }, { tags: ["t"] }],
  ])("joins %j and %j to %j", (own, added, both) => {
    expect(addFilter(own as never, added as never)).toEqual(both);
  });

  it.each<[object, object]>([
    [{ a: 1 }, { a: 2 }],
    [{ a: { gte: 1 } }, { a: { gte: 2 } }],
    [{ a: { ne: 1 } }, { a: { ne: 2 } }],
    [{ a: null }, { a: 1 }],
    [{ a: ["x"] }, { a: "x" }],
    [{ a: { near: 1 } }, { a: { gte: 1 } }],
    [{ a: {} }, { a: 1 }],
  ])("refuses %j and %j rather than dropping or loosening one", (own, added) => {
    expect(() => addFilter(own as never, added as never)).toThrow(
      expect.objectContaining({ code: "RETRIEVAL_INVALID_INPUT", message: expect.stringContaining('"a"') }),
    );
  });

  it("changes neither side", () => {
    const [own, added] = [{ a: { gte: 1 } }, { a: { lt: 5 }, b: 1 }];
    addFilter(own, added);
    expect([own, added]).toEqual([{ a: { gte: 1 } }, { a: { lt: 5 }, b: 1 }]);
  });

  it("loses no field, whatever its name", () => {
    const own = JSON.parse('{"__proto__": "a"}') as Record<string, unknown>;
    const both = addFilter(own, JSON.parse('{"constructor": "b"}') as Record<string, unknown>);
    expect(Object.entries(both ?? {})).toEqual([
      ["__proto__", "a"],
      ["constructor", "b"],
    ]);
  });
});
