import { describe, expect, it } from "vitest";
import { defineDynamicNode, defineNode } from "../../src/worker/define-node.ts";
import "../runtime/nodes.ts";

const double = defineNode("TEST", "TEST.DOUBLE", async (value) => value * 2);
const refused = expect.objectContaining({ code: "INVALID_WORKER" });

describe("defineNode", () => {
  it("gives an immutable definition", () => {
    expect(Object.isFrozen(double)).toBe(true);
    expect(double).toMatchObject({ workerType: "TEST", type: "TEST.DOUBLE" });
  });

  it("refuses empty names and handlers that are no functions", () => {
    expect(() => defineNode("", "TEST.DOUBLE", async () => 1)).toThrow(refused);
    expect(() => defineDynamicNode("TEST", "", async () => 1)).toThrow(refused);
    expect(() => defineNode("TEST", "TEST.DOUBLE", undefined as never)).toThrow(refused);
  });
});
