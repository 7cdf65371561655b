import { afterEach, describe, expect, it } from "vitest";
import type { RuntimeEvent } from "../../src/contracts/runtime-client.ts";
import { createDitto } from "../../src/runtime/create-ditto.ts";
import { graph } from "../../src/runtime/graph/graph.ts";
import type { NodeContext } from "../../src/runtime/node-context.ts";
import type { Runtime } from "../../src/runtime/runtime.ts";
import { InMemoryArtifactStore } from "../../src/runtime/transport/in-memory-artifact-store.ts";
import { deferred, turn } from "./nodes.ts";
import { testWorker, whoWorker } from "./test-worker.ts";

let runtime: Runtime;
afterEach(() => runtime.close());

/** Runs a handler as `TEST.ECHO` of a worker that also doubles, privately. */
function inside(handler: (context: NodeContext) => Promise<unknown>, options: { readonly concurrency?: number } = {}): Promise<unknown> {
  const worker = testWorker(
    {
      "TEST.ECHO": (_input: never, context) => handler(context),
      "TEST.HIDDEN": async (value: number) => value * 2,
    },
    { expose: ["TEST.ECHO"], ...options },
  );
  runtime = createDitto({ hostId: "h", processId: "p", workers: [worker] });
  return runtime.invoke("TEST.ECHO", null);
}

const hidden = graph<number>("hidden").node("twice", "TEST.HIDDEN", [], (value) => value);

describe("ctx", () => {
  it("tells resources, config, services and the worker's address", async () => {
    const config = { factor: 2 };
    const artifacts = new InMemoryArtifactStore();
    const worker = testWorker(
      { "TEST.ECHO": async (_input, context) => [context.resources, context.config, context.services, context.worker, context.artifacts] },
      { config, resources: () => "pool" },
    );
    runtime = createDitto({ hostId: "h", processId: "p", workers: [worker], artifacts });
    const [resources, seenConfig, services, address, store] = (await runtime.invoke("TEST.ECHO", null)) as unknown[];
    expect([resources, address]).toEqual(["pool", { hostId: "h", processId: "p", workerId: "TEST" }]);
    expect([seenConfig === config, services === runtime.services, store === artifacts]).toEqual([true, true, true]);
  });

  it("tells graphId, runId and nodeId, absent for a top-level invoke", async () => {
    runtime = createDitto({ workers: [testWorker({ "TEST.ECHO": async (_input, context) => context.execution })] });
    const plan = graph<null>("plan")
      .node("a", "TEST.ECHO", [], () => null)
      .node("b", "TEST.ECHO", [], () => null);
    expect(await runtime.invoke("TEST.ECHO", null)).toBeUndefined();
    const { a, b } = await runtime.run(plan, null);
    const again = await runtime.run(plan, null);
    expect(a).toEqual({ graphId: "plan", runId: expect.any(String), nodeId: "a" });
    expect(b).toEqual({ ...(a as object), nodeId: "b" });
    expect(again.a).not.toEqual(a);
  });

  it("has no artifacts where the Runtime has no store, and no signal where no caller can give up", async () => {
    expect(await inside(async ({ artifacts, signal }) => [artifacts, signal])).toEqual([undefined, undefined]);
  });
});

describe("ctx.run", () => {
  it("stays on this replica, reaches private nodes, and takes no second capacity slot", async () => {
    const replica = () =>
      testWorker(
        {
          "TEST.ECHO": async (_input, context) => {
            const outputs = await context.run(
              graph<null>("g").node("who", "TEST.WHO", [], () => null),
              null,
            );
            return [outputs.who, context.worker.workerId, runtime.workers().map(({ active }) => active)];
          },
          "TEST.WHO": async (_input, context) => context.worker.workerId,
        },
        { expose: ["TEST.ECHO"], concurrency: 1 },
      );
    runtime = createDitto({ workers: [replica(), replica()] });
    expect(await runtime.invoke("TEST.ECHO", null)).toEqual(["TEST", "TEST", [1, 0]]);
    expect(await runtime.invoke("TEST.ECHO", null)).toEqual(["TEST-2", "TEST-2", [0, 1]]);
  });

  it("gives the private nodes their own scope, and contexts that run and invoke on", async () => {
    const worker = testWorker(
      {
        "TEST.ECHO": async (_input, context) =>
          context.run(
            graph<null>("outer").node("inner", "TEST.WHO", [], () => null),
            null,
          ),
        "TEST.WHO": async (_input, context) => {
          const { twice } = await context.run(hidden, 4);
          return `${context.execution?.graphId}/${context.execution?.nodeId} ${twice}`;
        },
        "TEST.HIDDEN": async (value: number) => value * 2,
      },
      { expose: ["TEST.ECHO"] },
    );
    runtime = createDitto({ workers: [worker] });
    expect(await runtime.invoke("TEST.ECHO", null)).toEqual({ inner: "outer/inner 8" });
  });

  it("refuses a node that this worker does not implement, before anything runs", async () => {
    const plan = graph<number>("g")
      .node("twice", "TEST.HIDDEN", [], (value) => value)
      .node("length", "TEST.LENGTH", [], () => "");
    await expect(inside((context) => context.run(plan, 1))).rejects.toMatchObject({ code: "NODE_NOT_IMPLEMENTED" });
  });

  it("keeps the slot for private nodes that run on after a cancellation", async () => {
    const gate = deferred<number>();
    const worker = testWorker(
      { "TEST.ECHO": async (_input, context) => context.run(hidden, 1), "TEST.HIDDEN": () => gate.promise },
      { expose: ["TEST.ECHO"], concurrency: 1 },
    );
    runtime = createDitto({ workers: [worker] });
    const controller = new AbortController();
    const call = runtime.invoke("TEST.ECHO", null, { signal: controller.signal });
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: "CANCELLED" });
    await turn();
    expect(runtime.workers()[0]?.active).toBe(1);
    gate.resolve(1);
    await turn();
    expect(runtime.workers()[0]?.active).toBe(0);
  });
});

describe("ctx.invoke", () => {
  it("routes by public capability, and takes a slot of its own", async () => {
    const refused = inside((context) => context.invoke("TEST.HIDDEN", 1));
    await expect(refused).rejects.toMatchObject({ code: "NO_WORKER_AVAILABLE" });
    await runtime.close();
    await expect(inside((context) => context.invoke("TEST.ECHO", 1), { concurrency: 1 })).rejects.toMatchObject({ code: "NO_WORKER_AVAILABLE" });
  });

  it("inherits the scope", async () => {
    const worker = testWorker({
      "TEST.ECHO": (_input, context) => context.invoke("TEST.WHO", null),
      "TEST.WHO": async (_input, context) => context.execution?.nodeId ?? "none",
    });
    runtime = createDitto({ workers: [worker] });
    expect(
      await runtime.run(
        graph<null>("g").node("outer", "TEST.ECHO", [], () => null),
        null,
      ),
    ).toEqual({ outer: "outer" });
  });

  it("pins to a worker", async () => {
    expect(
      await inside(async (context) => {
        runtime.register(whoWorker(), "other");
        runtime.register(whoWorker(), "another");
        return context.invoke("TEST.WHO", null, { workerId: "another" });
      }),
    ).toBe("another");
  });

  it("inherits cancellation, and joins it with the call's own signal", async () => {
    const [outer, own] = [new AbortController(), new AbortController()];
    const seen: (AbortSignal | undefined)[] = [];
    const worker = testWorker({
      "TEST.ECHO": (mode: string, context) => context.invoke("TEST.WHO", null, mode === "own" ? { signal: own.signal } : undefined),
      "TEST.WHO": (_input, context) => {
        seen.push(context.signal);
        return new Promise((_resolve, reject) => {
          context.signal?.addEventListener("abort", () => reject(new Error("gave up")));
        });
      },
    });
    runtime = createDitto({ workers: [worker] });
    const calls = ["inherit", "own"].map((mode) => runtime.invoke("TEST.ECHO", mode, { signal: outer.signal }));
    const other = new AbortController();
    const ofOther = runtime.invoke("TEST.ECHO", "own", { signal: other.signal });
    const alone = runtime.invoke("TEST.ECHO", "own");
    await turn();
    expect([seen[0] === outer.signal, seen[3] === own.signal]).toEqual([true, true]);
    other.abort();
    await expect(ofOther).rejects.toMatchObject({ code: "CANCELLED" });
    expect([seen[1]?.aborted, seen[2]?.aborted]).toEqual([false, true]);
    own.abort("changed my mind");
    await expect(calls[1]).rejects.toMatchObject({ code: "CANCELLED" });
    await expect(alone).rejects.toMatchObject({ code: "CANCELLED", cause: "changed my mind" });
    expect([seen[0]?.aborted, seen[1]?.aborted]).toEqual([false, true]);
    outer.abort();
    await expect(calls[0]).rejects.toMatchObject({ code: "CANCELLED" });
  });

  it("still works for accepted calls while the Runtime closes", async () => {
    const gate = deferred();
    const call = inside(async (context) => {
      await gate.promise;
      return [await context.invoke("TEST.WHO", null), await context.emit({ type: "last" })];
    });
    const events: RuntimeEvent[] = [];
    runtime.subscribe((event) => {
      events.push(event);
    });
    runtime.register(whoWorker(), "other");
    const closing = runtime.close();
    gate.resolve();
    expect(await call).toEqual(["other", undefined]);
    await closing;
    expect(events).toEqual([{ type: "last" }]);
  });
});

describe("ctx.hold", () => {
  it("keeps the slot, and close() waits for it, after the handler has answered", async () => {
    const driver = deferred();
    let disposed = false;
    const worker = testWorker(
      {
        "TEST.ECHO": async (_input, context) => {
          context.hold(driver.promise);
          return "answered";
        },
      },
      {
        concurrency: 1,
        dispose: () => {
          disposed = true;
        },
      },
    );
    runtime = createDitto({ workers: [worker] });
    expect(await runtime.invoke("TEST.ECHO", null)).toBe("answered");
    expect(runtime.workers()[0]?.active).toBe(1);
    await expect(runtime.invoke("TEST.ECHO", null)).rejects.toMatchObject({ code: "NO_WORKER_AVAILABLE" });
    const closing = runtime.close();
    await turn();
    expect(disposed).toBe(false);
    driver.reject(new Error("the driver's late failure is nobody's"));
    await closing;
    expect(disposed).toBe(true);
  });

  it("may be taken off its context", async () => {
    const driver = deferred();
    await inside(async ({ hold }) => hold(driver.promise));
    expect(runtime.workers()[0]?.active).toBe(1);
    driver.resolve();
    await turn();
    expect(runtime.workers()[0]?.active).toBe(0);
  });

  it("lets held work use the context, which is refused once all has ended", async () => {
    const later = deferred();
    let left: NodeContext | undefined;
    const seen: unknown[] = [];
    await inside(async (context) => {
      left = context;
      context.hold(later.promise.then(async () => seen.push(await context.run(hidden, 3))));
    });
    later.resolve();
    await turn();
    expect(seen).toEqual([{ twice: 6 }]);
    const ended = { code: "CALL_ENDED" };
    await expect(left?.run(hidden, 3)).rejects.toMatchObject(ended);
    await expect(left?.invoke("TEST.ECHO", 1)).rejects.toMatchObject(ended);
    await expect(left?.emit({ type: "late" })).rejects.toMatchObject(ended);
    expect(() => left?.hold(Promise.resolve())).toThrow(expect.objectContaining(ended));
  });
});
