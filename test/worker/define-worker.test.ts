import { describe, expect, it } from "vitest";
import { createDitto } from "../../src/runtime/create-ditto.ts";
import { defineNode } from "../../src/worker/define-node.ts";
import { defineWorker } from "../../src/worker/define-worker.ts";
import "../runtime/nodes.ts";

const double = defineNode("TEST", "TEST.DOUBLE", async (value) => value * 2);
const hidden = defineNode("TEST", "TEST.HIDDEN", async (value) => value);
const refused = expect.objectContaining({ code: "INVALID_WORKER" });

describe("defineWorker", () => {
  it("needs at least one node", () => {
    expect(() => defineWorker({ type: "TEST", nodes: {} })).toThrow(refused);
  });

  it("needs every exposed node implemented", () => {
    expect(() => defineWorker({ type: "TEST", nodes: { "TEST.DOUBLE": double }, expose: ["TEST.HIDDEN"] })).toThrow(refused);
  });

  it("exposes all nodes by default", () => {
    const worker = defineWorker({ type: "TEST", nodes: { "TEST.DOUBLE": double, "TEST.HIDDEN": hidden } });
    expect(worker.capabilities).toEqual(["TEST.DOUBLE", "TEST.HIDDEN"]);
  });

  it("tells type, capabilities, nodeTypes and concurrency as read-only facts", () => {
    const worker = defineWorker({
      type: "TEST",
      nodes: { "TEST.DOUBLE": double, "TEST.HIDDEN": hidden },
      expose: ["TEST.DOUBLE"],
      concurrency: 3,
    });
    expect(worker).toMatchObject({
      type: "TEST",
      capabilities: ["TEST.DOUBLE"],
      nodeTypes: ["TEST.DOUBLE", "TEST.HIDDEN"],
      concurrency: 3,
    });
    expect([worker, worker.capabilities, worker.nodeTypes].every(Object.isFrozen)).toBe(true);
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("refuses %s as its concurrency, which is a positive integer", (concurrency) => {
    expect(() => defineWorker({ type: "TEST", nodes: { "TEST.DOUBLE": double }, concurrency })).toThrow(refused);
  });

  it("is unlimited by default", () => {
    expect(defineWorker({ type: "TEST", nodes: { "TEST.DOUBLE": double } }).concurrency).toBeUndefined();
  });

  it("refuses a node definition bound to another worker type", () => {
    const foreign = defineNode("OTHER", "TEST.DOUBLE", async (value) => value);
    expect(() => defineWorker({ type: "TEST", nodes: { "TEST.DOUBLE": foreign } })).toThrow(refused);
  });

  it("refuses a node definition under a mismatched key", () => {
    expect(() => defineWorker({ type: "TEST", nodes: { "TEST.HIDDEN": double } })).toThrow(refused);
  });

  it("runs resources() once per registration, and shares its config", async () => {
    let made = 0;
    const config = { factor: 2 };
    const worker = defineWorker({
      type: "TEST",
      config,
      resources: () => ({ number: ++made }),
      nodes: {
        "TEST.ECHO": defineNode<"TEST.ECHO", { number: number }, { factor: number }>("TEST", "TEST.ECHO", async (_input, context) => [
          context.resources.number,
          context.config,
        ]),
      },
    });
    const runtime = createDitto({ workers: [worker] });
    const { address } = runtime.register(worker);
    expect(made).toBe(2);
    expect(await runtime.invoke("TEST.ECHO", null, { workerId: "TEST" })).toEqual([1, config]);
    expect(await runtime.invoke("TEST.ECHO", null, { workerId: address.workerId })).toEqual([2, config]);
    expect(await runtime.invoke("TEST.ECHO", null, { workerId: "TEST" })).toEqual([1, config]);
    expect(made).toBe(2);
    await runtime.close();
  });

  it("gives resources() the services", async () => {
    let workspace: string | undefined;
    const worker = defineWorker({
      type: "TEST",
      nodes: { "TEST.DOUBLE": double },
      resources: ({ config }) => {
        workspace = config.workspace;
      },
    });
    const runtime = createDitto({ config: { workspace: "/somewhere" }, workers: [worker] });
    expect(workspace).toBe("/somewhere");
    await runtime.close();
  });
});
