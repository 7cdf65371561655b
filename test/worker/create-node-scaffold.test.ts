import { describe, expect, it } from "vitest";
import { createDitto } from "../../src/runtime/create-ditto.ts";
import { createNodeScaffold } from "../../src/worker/create-node-scaffold.ts";
import "../runtime/nodes.ts";

describe("createNodeScaffold", () => {
  it("gives a descriptor with .type and .define(workerType, handler), and registers nothing", async () => {
    const scaffold = createNodeScaffold("TEST.DOUBLE");
    const runtime = createDitto();
    expect(scaffold.type).toBe("TEST.DOUBLE");
    expect(scaffold.define("TEST", async (value) => value * 2)).toMatchObject({ workerType: "TEST", type: "TEST.DOUBLE" });
    expect(runtime.workers()).toEqual([]);
    await runtime.close();
  });
});
