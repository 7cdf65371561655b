import { describe, expect, it } from "vitest";
import { defineNode } from "../../src/worker/define-node.ts";
import { extendWorker } from "../../src/worker/extend-worker.ts";
import "../runtime/nodes.ts";

const double = defineNode("TEST", "TEST.DOUBLE", async (value) => value * 2);
const hidden = defineNode("TEST", "TEST.HIDDEN", async (value) => value);
const refused = expect.objectContaining({ code: "INVALID_WORKER" });

describe("extendWorker", () => {
  it("qualifies relative keys", () => {
    const worker = extendWorker("TEST", { nodes: { DOUBLE: double, "TEST.HIDDEN": hidden }, expose: ["DOUBLE"] });
    expect(worker).toMatchObject({ type: "TEST", capabilities: ["TEST.DOUBLE"], nodeTypes: ["TEST.DOUBLE", "TEST.HIDDEN"] });
  });

  it("never mutates", () => {
    const options = Object.freeze({ nodes: Object.freeze({ DOUBLE: double }), expose: Object.freeze(["DOUBLE"]) });
    extendWorker("TEST", options);
    expect(options).toEqual({ nodes: { DOUBLE: double }, expose: ["DOUBLE"] });
  });

  it("refuses a node under two keys, and what defineWorker refuses", () => {
    expect(() => extendWorker("TEST", { nodes: { DOUBLE: double, "TEST.DOUBLE": double } })).toThrow(refused);
    expect(() => extendWorker("OTHER", { nodes: { DOUBLE: double } })).toThrow(refused);
  });
});
