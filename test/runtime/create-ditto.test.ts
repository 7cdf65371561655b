import { hostname } from "node:os";
import { afterEach, describe, expect, it } from "vitest";
import { createDitto } from "../../src/runtime/create-ditto.ts";
import type { Runtime } from "../../src/runtime/runtime.ts";
import { Sandbox } from "../../src/runtime/sandbox/sandbox.ts";
import { deferred, turn } from "./nodes.ts";
import { testWorker, whoWorker } from "./test-worker.ts";

let runtime: Runtime;
afterEach(() => runtime.close().catch(() => {}));

describe("createDitto", () => {
  it("reads neither files nor environment by itself", () => {
    process.env["DITTO_RUNTIME_ENVIRONMENT"] = "production";
    try {
      runtime = createDitto();
      expect(runtime.services.config).toEqual({
        environment: "development",
        workspace: process.cwd(),
        timeoutMs: 30_000,
        loopMaxIterations: 32,
        memory: {},
        retrieval: {},
        context: {},
        sandbox: {},
      });
    } finally {
      delete process.env["DITTO_RUNTIME_ENVIRONMENT"];
    }
  });

  it("makes its sandbox of the configuration, or takes the application's", () => {
    runtime = createDitto({ config: { workspace: "/data", sandbox: { network: ["https://api.example.com"] } } });
    expect(runtime.services.sandbox.workspace).toBe("/data");
    expect(runtime.services.sandbox.allows("network", "https://api.example.com")).toBe(true);
    const sandbox = new Sandbox("/elsewhere");
    expect(createDitto({ sandbox }).services.sandbox).toBe(sandbox);
  });

  it("registers its workers, whose addresses name host, process and worker", () => {
    runtime = createDitto({ workers: [whoWorker()] });
    expect(runtime.workers()).toEqual([
      {
        address: { hostId: hostname(), processId: String(process.pid), workerId: "TEST" },
        capabilities: ["TEST.WHO"],
        available: true,
        active: 0,
      },
    ]);
    const named = createDitto({ hostId: "here", processId: "main", workers: [whoWorker()] });
    expect(named.workers()[0]?.address).toEqual({ hostId: "here", processId: "main", workerId: "TEST" });
  });

  it("ends the workers that have started where a later one cannot", async () => {
    const disposed = deferred();
    const started = testWorker({ "TEST.WHO": async () => "x" }, { dispose: () => disposed.resolve() });
    const failing = testWorker(
      { "TEST.WHO": async () => "x" },
      {
        resources: () => {
          throw new Error("no database");
        },
      },
    );
    expect(() => createDitto({ workers: [started, failing] })).toThrow(expect.objectContaining({ code: "WORKER_RESOURCES_FAILED" }));
    await disposed.promise;
    runtime = createDitto();
  });

  it("has functions that may be taken off it", async () => {
    runtime = createDitto({ workers: [whoWorker()] });
    const { invoke, run, graph } = runtime;
    expect(await invoke("TEST.WHO", null)).toBe("TEST");
    expect(
      await run(
        graph<null>("g").node("who", "TEST.WHO", [], (input) => input),
        null,
      ),
    ).toEqual({ who: "TEST" });
  });
});

describe("invoke", () => {
  it("hands input and output over as they are within the process", async () => {
    runtime = createDitto({ workers: [testWorker({ "TEST.ECHO": async (input) => input })] });
    const input = { date: new Date(), self: undefined as unknown };
    input.self = input;
    expect(await runtime.invoke("TEST.ECHO", input)).toBe(input);
  });

  it("rejects with what the handler throws, also when it throws before it returns a promise", async () => {
    const error = new Error("broken");
    const throwing = (() => {
      throw error;
    }) as () => Promise<number>;
    runtime = createDitto({
      workers: [
        testWorker({
          "TEST.DOUBLE": throwing,
          "TEST.HIDDEN": async () => {
            throw error;
          },
        }),
      ],
    });
    await expect(runtime.invoke("TEST.DOUBLE", 1)).rejects.toBe(error);
    await expect(runtime.invoke("TEST.HIDDEN", 1)).rejects.toBe(error);
    expect(runtime.workers()[0]?.active).toBe(0);
  });

  it("waits for resources that are a promise", async () => {
    const resources = deferred<string>();
    const worker = testWorker({ "TEST.ECHO": async (_input, context) => context.resources }, { resources: () => resources.promise });
    runtime = createDitto({ workers: [worker] });
    const answer = runtime.invoke("TEST.ECHO", null);
    resources.resolve("pool");
    expect(await answer).toBe("pool");
    expect(await runtime.invoke("TEST.ECHO", null)).toBe("pool");
  });

  it("rejects where the promise of the resources does, and has nothing to dispose then", async () => {
    const cause = new Error("no database");
    let disposed = 0;
    const worker = testWorker(
      { "TEST.ECHO": async () => 1 },
      {
        resources: () => Promise.reject(cause),
        dispose: () => {
          disposed += 1;
        },
      },
    );
    runtime = createDitto({ workers: [worker] });
    await expect(runtime.invoke("TEST.ECHO", null)).rejects.toMatchObject({ code: "WORKER_RESOURCES_FAILED", cause });
    await runtime.close();
    expect(disposed).toBe(0);
  });
});

describe("close", () => {
  it("refuses new work", async () => {
    runtime = createDitto({ workers: [whoWorker()] });
    await runtime.close();
    const refused = { code: "RUNTIME_CLOSED" };
    const graph = runtime.graph<null>("g").node("who", "TEST.WHO", [], (input) => input);
    await expect(runtime.invoke("TEST.WHO", null)).rejects.toMatchObject(refused);
    await expect(runtime.run(graph, null)).rejects.toMatchObject(refused);
    await expect(runtime.loop({ graph, bind: () => null, update: (state: number) => state, done: () => true }, 0)).rejects.toMatchObject(refused);
    await expect(runtime.emit({ type: "late" })).rejects.toMatchObject(refused);
    expect(() => runtime.register(whoWorker())).toThrow(expect.objectContaining(refused));
  });

  it("drains accepted graphs, loops and calls, then disposes the workers", async () => {
    const gate = deferred();
    const order: string[] = [];
    const worker = testWorker(
      {
        "TEST.DOUBLE": async (value: number) => {
          await gate.promise;
          order.push(`double ${value}`);
          return value * 2;
        },
      },
      {
        dispose: () => {
          order.push("dispose");
        },
      },
    );
    runtime = createDitto({ workers: [worker] });
    const graph = runtime
      .graph<number>("g")
      .node("first", "TEST.DOUBLE", [], (value) => value)
      .node("second", "TEST.DOUBLE", ["first"], (_value, { first }) => first);
    const work = [
      runtime.invoke("TEST.DOUBLE", 100),
      runtime.run(graph, 1),
      runtime.loop({ graph, bind: (state) => state, update: (_state, { second }) => second, done: (state) => state > 50 }, 10),
    ];
    const closing = runtime.close();
    await turn();
    expect(order).toEqual([]);
    gate.resolve();
    await closing;
    expect(await Promise.all(work)).toEqual([200, { first: 2, second: 4 }, 160]);
    expect(order.at(-1)).toBe("dispose");
    expect(order.filter((entry) => entry === "dispose")).toHaveLength(1);
    expect(order).toContain("double 80");
  });

  it("drains event handlers", async () => {
    runtime = createDitto();
    const gate = deferred();
    let handled = false;
    runtime.subscribe(async () => {
      await gate.promise;
      handled = true;
    });
    await runtime.emit({ type: "something" });
    let closed = false;
    const closing = runtime.close().then(() => {
      closed = true;
    });
    await turn();
    expect(closed).toBe(false);
    gate.resolve();
    await closing;
    expect(handled).toBe(true);
  });

  it("drains what callers no longer wait for", async () => {
    const gate = deferred();
    let disposed = false;
    const worker = testWorker(
      { "TEST.ECHO": () => gate.promise },
      {
        dispose: () => {
          disposed = true;
        },
      },
    );
    runtime = createDitto({ workers: [worker] });
    const controller = new AbortController();
    const call = runtime.invoke("TEST.ECHO", null, { signal: controller.signal });
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: "CANCELLED" });
    const closing = runtime.close();
    await turn();
    expect(disposed).toBe(false);
    gate.resolve();
    await closing;
    expect(disposed).toBe(true);
  });

  it("brings cleanup failures as an AggregateError, after all have been tried", async () => {
    const failures = [new Error("first"), new Error("second")];
    const disposed: string[] = [];
    const worker = (error?: Error) =>
      testWorker(
        { "TEST.WHO": async () => "x" },
        {
          dispose: () => {
            if (error) throw error;
            disposed.push("third");
          },
        },
      );
    runtime = createDitto({ workers: [worker(failures[0]), worker(failures[1]), worker()] });
    const error: unknown = await runtime.close().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AggregateError);
    expect(error).toMatchObject({ code: "CLEANUP_FAILED", errors: failures });
    expect(disposed).toEqual(["third"]);
  });

  it("shares its promise among repeated calls", () => {
    runtime = createDitto();
    expect(runtime.close()).toBe(runtime.close());
  });

  it("disposes a worker that was unregistered and not closed", async () => {
    let disposed = 0;
    runtime = createDitto();
    const handle = runtime.register(
      whoWorker({
        dispose: () => {
          disposed += 1;
        },
      }),
    );
    handle.unregister();
    await runtime.close();
    expect(disposed).toBe(1);
  });

  it("leaves transports and databases to the application", async () => {
    let touched = 0;
    const transport = {
      id: "t",
      invoke: () => Promise.reject(new Error("unused")),
      close: () => {
        touched += 1;
      },
    };
    runtime = createDitto({ transports: [transport] });
    await runtime.close();
    expect(touched).toBe(0);
  });
});
