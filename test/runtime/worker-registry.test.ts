import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDitto } from "../../src/runtime/create-ditto.ts";
import type { Runtime } from "../../src/runtime/runtime.ts";
import type { InvokeTransport } from "../../src/runtime/transport/invoke-envelope.ts";
import { deferred, turn } from "./nodes.ts";
import { testWorker, whoWorker } from "./test-worker.ts";

const silent: InvokeTransport = { id: "silent", invoke: () => new Promise(() => {}) };
let runtime: Runtime;
beforeEach(() => {
  runtime = createDitto({ hostId: "h", processId: "p", transports: [silent] });
});
afterEach(() => runtime.close().catch(() => {}));

describe("register", () => {
  it("names workers by their type, with a number from the second on, or as it is told", () => {
    const ids = [
      runtime.register(whoWorker()),
      runtime.register(whoWorker()),
      runtime.register(whoWorker(), "mine"),
      runtime.register(whoWorker(), { id: "yours" }),
    ].map(({ address }) => address.workerId);
    expect(ids).toEqual(["TEST", "TEST-2", "mine", "yours"]);
  });

  it("refuses an id that is taken", () => {
    runtime.register(whoWorker(), "mine");
    expect(() => runtime.register(whoWorker(), "mine")).toThrow(expect.objectContaining({ code: "WORKER_ID_TAKEN" }));
    expect(() => runtime.register(whoWorker(), "")).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });

  it("routes nothing to a worker that is not available, until it is", async () => {
    const handle = runtime.register(whoWorker(), { available: false });
    await expect(runtime.invoke("TEST.WHO", null)).rejects.toMatchObject({ code: "NO_WORKER_AVAILABLE" });
    handle.setAvailable(true);
    expect(await runtime.invoke("TEST.WHO", null)).toBe("TEST");
    handle.setAvailable(false);
    expect(runtime.workers()[0]?.available).toBe(false);
    await expect(runtime.invoke("TEST.WHO", null, { workerId: "TEST" })).rejects.toMatchObject({ code: "NO_WORKER_AVAILABLE" });
  });

  it("returns a handle whose unregister() is true if it existed, and leaves the resources", async () => {
    let disposed = 0;
    const handle = runtime.register(
      whoWorker({
        dispose: () => {
          disposed += 1;
        },
      }),
    );
    expect(handle.unregister()).toBe(true);
    expect(handle.unregister()).toBe(false);
    expect(runtime.workers()).toEqual([]);
    await expect(runtime.invoke("TEST.WHO", null)).rejects.toMatchObject({ code: "NO_WORKER_AVAILABLE" });
    expect(disposed).toBe(0);
    await handle.close();
    expect(disposed).toBe(1);
  });

  it("does not take a namesake out", () => {
    const first = runtime.register(whoWorker(), "mine");
    first.unregister();
    runtime.register(whoWorker(), "mine");
    expect(first.unregister()).toBe(false);
    expect(runtime.workers()).toHaveLength(1);
  });

  it("returns a handle whose close() unregisters, drains, and disposes once with the resources", async () => {
    const gate = deferred();
    const disposed: unknown[] = [];
    const worker = testWorker(
      { "TEST.ECHO": () => gate.promise },
      {
        resources: () => "pool",
        dispose: (resources) => {
          disposed.push(resources);
        },
      },
    );
    const handle = runtime.register(worker);
    const call = runtime.invoke("TEST.ECHO", null);
    const closing = handle.close();
    expect(handle.close()).toBe(closing);
    expect(runtime.workers()).toEqual([]);
    await turn();
    expect(disposed).toEqual([]);
    gate.resolve();
    await closing;
    await call;
    await runtime.close();
    expect(disposed).toEqual(["pool"]);
  });

  it("rejects close() with what dispose throws, which close() of the Runtime does not repeat", async () => {
    const error = new Error("stuck");
    const handle = runtime.register(
      whoWorker({
        dispose: () => {
          throw error;
        },
      }),
    );
    await expect(handle.close()).rejects.toBe(error);
    await runtime.close();
  });
});

describe("registerRemote", () => {
  const address = { hostId: "h", processId: "q", workerId: "far" };

  it("adds a directory entry for a worker behind an installed transport", () => {
    runtime.registerRemote({ address, capabilities: ["TEST.WHO"], transportId: "silent", concurrency: 2 });
    expect(runtime.workers()).toEqual([{ address, capabilities: ["TEST.WHO"], available: true, active: 0, concurrency: 2 }]);
  });

  it("refuses a transport that is not installed, a taken id and bad values", () => {
    const remote = { address, capabilities: ["TEST.WHO"], transportId: "silent" };
    runtime.registerRemote(remote);
    expect(() => runtime.registerRemote(remote)).toThrow(expect.objectContaining({ code: "WORKER_ID_TAKEN" }));
    const other = { ...remote, address: { ...address, workerId: "other" } };
    expect(() => runtime.registerRemote({ ...other, transportId: "none" })).toThrow(expect.objectContaining({ code: "TRANSPORT_NOT_FOUND" }));
    expect(() => runtime.registerRemote({ ...other, concurrency: 0 })).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
    expect(() => runtime.registerRemote({ ...other, address: { ...address, workerId: "" } })).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
    expect(() => createDitto({ transports: [silent, silent] })).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });
});
