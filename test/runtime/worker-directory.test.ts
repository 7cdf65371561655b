import { afterEach, describe, expect, it } from "vitest";
import { createDitto } from "../../src/runtime/create-ditto.ts";
import { NoWorkerAvailableError } from "../../src/runtime/no-worker-available-error.ts";
import type { Runtime } from "../../src/runtime/runtime.ts";
import { isRuntimeError } from "../../src/runtime/runtime-error.ts";
import type { InvokeTransport } from "../../src/runtime/transport/invoke-envelope.ts";
import { deferred, turn } from "./nodes.ts";
import { testWorker, whoWorker } from "./test-worker.ts";

/** Answers every call with the name that it was meant for. */
const mirror: InvokeTransport = {
  id: "mirror",
  invoke: async ({ id, target }) => ({ protocol: 1, id, ok: true, output: { kind: "inline", value: target.workerId } }),
};
let runtime: Runtime;
afterEach(() => runtime.close());

function who(count: number): Promise<string[]> {
  return Promise.all(Array.from({ length: count }, () => runtime.invoke("TEST.WHO", null)));
}

describe("routing", () => {
  it("filters by public capability", async () => {
    runtime = createDitto({
      workers: [testWorker({ "TEST.WHO": async () => "x", "TEST.HIDDEN": async () => 1 }, { expose: ["TEST.WHO"] })],
    });
    await expect(runtime.invoke("TEST.HIDDEN", 1)).rejects.toBeInstanceOf(NoWorkerAvailableError);
    await expect(runtime.invoke("TEST.HIDDEN", 1, { workerId: "TEST" })).rejects.toBeInstanceOf(NoWorkerAvailableError);
  });

  it("rotates among equals", async () => {
    runtime = createDitto({ workers: [whoWorker(), whoWorker(), whoWorker()] });
    expect(await who(7)).toEqual(["TEST", "TEST-2", "TEST-3", "TEST", "TEST-2", "TEST-3", "TEST"]);
  });

  it("passes over equals without free capacity", async () => {
    const gate = deferred<string>();
    runtime = createDitto({ workers: [testWorker({ "TEST.WHO": () => gate.promise }, { concurrency: 1 }), whoWorker()] });
    const busy = runtime.invoke("TEST.WHO", null);
    expect(await who(3)).toEqual(["TEST-2", "TEST-2", "TEST-2"]);
    gate.resolve("first");
    expect(await busy).toBe("first");
  });

  it("prefers the same process, then the same host, then others", async () => {
    runtime = createDitto({ hostId: "h", processId: "p", transports: [mirror] });
    const remote = { capabilities: ["TEST.WHO"], transportId: "mirror" };
    const far = runtime.registerRemote({ ...remote, address: { hostId: "elsewhere", processId: "p", workerId: "far" } });
    expect(await who(1)).toEqual(["far"]);
    const near = runtime.registerRemote({ ...remote, address: { hostId: "h", processId: "q", workerId: "near" } });
    expect(await who(2)).toEqual(["near", "near"]);
    const here = runtime.register(whoWorker());
    expect(await who(2)).toEqual(["TEST", "TEST"]);
    here.setAvailable(false);
    expect(await who(1)).toEqual(["near"]);
    near.unregister();
    expect(await who(1)).toEqual(["far"]);
    far.unregister();
    await expect(who(1)).rejects.toBeInstanceOf(NoWorkerAvailableError);
  });

  it("throws NoWorkerAvailableError with its node at once where nothing is free: no queue, no retry", async () => {
    const gate = deferred<string>();
    let calls = 0;
    const handler = () => {
      calls += 1;
      return gate.promise;
    };
    runtime = createDitto({ workers: [testWorker({ "TEST.WHO": handler }, { concurrency: 2 })] });
    const running = who(2);
    const error: unknown = await runtime.invoke("TEST.WHO", null).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NoWorkerAvailableError);
    expect(isRuntimeError(error)).toBe(true);
    expect(error).toMatchObject({ node: "TEST.WHO", code: "NO_WORKER_AVAILABLE" });
    expect(runtime.workers()[0]?.active).toBe(2);
    gate.resolve("done");
    expect(await running).toEqual(["done", "done"]);
    await turn();
    expect(calls).toBe(2);
    expect(runtime.workers()[0]?.active).toBe(0);
  });

  it("frees a slot before the caller learns of the answer", async () => {
    runtime = createDitto({ workers: [whoWorker({ concurrency: 1 })] });
    for (let call = 0; call < 20; call += 1) expect(await runtime.invoke("TEST.WHO", null)).toBe("TEST");
  });

  it("takes the pinned worker or none", async () => {
    runtime = createDitto({ workers: [whoWorker(), whoWorker()] });
    expect(await runtime.invoke("TEST.WHO", null, { workerId: "TEST-2" })).toBe("TEST-2");
    await expect(runtime.invoke("TEST.WHO", null, { workerId: "TEST-9" })).rejects.toBeInstanceOf(NoWorkerAvailableError);
  });
});

describe("pinned capabilities", () => {
  it("are reached by calls that name the worker, and by no other, whoever has room", async () => {
    const gate = deferred<string>();
    runtime = createDitto({ workers: [testWorker({ "TEST.WHO": () => gate.promise }, { concurrency: 1 })], transports: [mirror] });
    const address = { hostId: "h", processId: "p", workerId: "far" };
    runtime.registerRemote({ address, capabilities: ["TEST.WHO"], pinned: ["TEST.WHO"], transportId: "mirror" });
    const busy = runtime.invoke("TEST.WHO", null);
    await expect(runtime.invoke("TEST.WHO", null)).rejects.toBeInstanceOf(NoWorkerAvailableError);
    expect(await runtime.invoke("TEST.WHO", null, { workerId: "far" })).toBe("far");
    gate.resolve("near");
    expect(await busy).toBe("near");
  });
});
