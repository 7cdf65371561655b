import { describe, expect, it } from "vitest";
import { dynamicGraph } from "../../../src/runtime/graph/dynamic-graph.ts";
import { graph } from "../../../src/runtime/graph/graph.ts";
import "../nodes.ts";

const refused = expect.objectContaining({ code: "INVALID_GRAPH" });
const ids = (built: { readonly plan: { readonly nodes: readonly { readonly id: string }[] } }) => built.plan.nodes.map(({ id }) => id);

describe("graph", () => {
  it("returns a new immutable graph from node()", () => {
    const empty = graph<number>("g");
    const one = empty.node("a", "TEST.DOUBLE", [], (value) => value);
    const two = one.node("b", "TEST.DOUBLE", ["a"], (_value, { a }) => a);
    expect([ids(empty), ids(one), ids(two)]).toEqual([[], ["a"], ["a", "b"]]);
    expect(Object.isFrozen(two.plan) && Object.isFrozen(two.plan.nodes)).toBe(true);
  });

  it("can be grown from at any point, each branch on its own", () => {
    const one = graph<number>("g").node("a", "TEST.DOUBLE", [], (value) => value);
    const left = one.node("left", "TEST.DOUBLE", ["a"], (_value, { a }) => a);
    const right = one.node("right", "TEST.DOUBLE", ["a"], (_value, { a }) => a);
    const again = one.node("left", "TEST.LENGTH", [], () => "again");
    expect([ids(one), ids(left), ids(right), ids(again)]).toEqual([["a"], ["a", "left"], ["a", "right"], ["a", "left"]]);
    expect(again.plan.nodes[1]?.node).toBe("TEST.LENGTH");
    expect(() => right.node("x" as string, "TEST.DOUBLE", ["left" as "right"], () => 1)).toThrow(refused);
  });

  it("has an id of its own where it is given none", () => {
    expect(graph().id).not.toBe(graph().id);
    expect(graph("mine").node("a", "TEST.DOUBLE", [], () => 1).id).toBe("mine");
    expect(() => graph("")).toThrow(refused);
  });

  it("refuses an id that is not unique", () => {
    const one = graph<number>("g").node("a", "TEST.DOUBLE", [], (value) => value);
    expect(() => one.node("a" as string, "TEST.DOUBLE", [], (value) => value)).toThrow(refused);
  });

  it.each(["", "__proto__"])("refuses the id %j", (id) => {
    expect(() => graph<number>("g").node(id, "TEST.DOUBLE", [], (value) => value)).toThrow(refused);
  });

  it("refuses dependencies that do not name earlier nodes", () => {
    const build = (dependency: string) => () =>
      dynamicGraph("g", [
        { id: "a", node: "TEST.DOUBLE", dependencies: [], bind: () => 1 },
        { id: "b", node: "TEST.DOUBLE", dependencies: [dependency], bind: () => 1 },
        { id: "c", node: "TEST.DOUBLE", dependencies: [], bind: () => 1 },
      ]);
    expect(build("a")).not.toThrow();
    for (const dependency of ["b", "c", "none", "toString"]) expect(build(dependency)).toThrow(refused);
  });

  it("plans whom each node needs and who waits for it", () => {
    const { plan } = graph<number>("g")
      .node("a", "TEST.DOUBLE", [], (value) => value)
      .node("b", "TEST.DOUBLE", ["a", "a"], (_value, { a }) => a)
      .node("c", "TEST.DOUBLE", ["a", "b"], (_value, { a, b }) => a + b);
    expect(plan.nodes.map(({ needs }) => needs)).toEqual([[], [0], [0, 1]]);
    expect(plan.waiters).toEqual([[1, 2], [2], []]);
    expect(plan.nodes[1]?.dependencies).toEqual(["a"]);
  });
});
