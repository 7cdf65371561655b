import { afterEach, describe, expect, it } from "vitest";
import type { RuntimeEvent } from "../../src/contracts/runtime-client.ts";
import { createDitto } from "../../src/runtime/create-ditto.ts";
import type { Runtime } from "../../src/runtime/runtime.ts";
import { InProcessEvents } from "../../src/runtime/runtime-events.ts";
import { deferred } from "./nodes.ts";

let runtime: Runtime;
afterEach(() => runtime.close());

function collect(into: RuntimeEvent[]): (event: RuntimeEvent) => void {
  return (event) => {
    into.push(event);
  };
}

describe("events", () => {
  it("reach the subscribers of the process, in order, until they unsubscribe", async () => {
    runtime = createDitto();
    const [all, searches]: RuntimeEvent[][] = [[], []];
    const stop = runtime.subscribe(collect(all ?? []));
    runtime.subscribe("search", collect(searches ?? []));
    const first = { type: "search", data: { ids: ["a"] } };
    await runtime.emit(first);
    await runtime.emit({ type: "other" });
    await runtime.drainEvents();
    stop();
    await runtime.emit({ type: "search" });
    await runtime.drainEvents();
    expect(all).toEqual([first, { type: "other" }]);
    expect(all?.[0]).toBe(first);
    expect(searches).toEqual([first, { type: "search" }]);
  });

  it("are acknowledged when they are accepted, not when they are handled", async () => {
    runtime = createDitto();
    const gate = deferred();
    let handled = false;
    runtime.subscribe(async () => {
      await gate.promise;
      handled = true;
    });
    await runtime.emit({ type: "something" });
    expect(handled).toBe(false);
    gate.resolve();
    await runtime.drainEvents();
    expect(handled).toBe(true);
  });

  it("drain returns and clears what handlers threw, and the others got the event", async () => {
    runtime = createDitto();
    const seen: RuntimeEvent[] = [];
    const error = new Error("the log is full");
    runtime.subscribe(() => {
      throw error;
    });
    runtime.subscribe(() => Promise.reject(error));
    runtime.subscribe(collect(seen));
    const event = { type: "something" };
    await runtime.emit(event);
    expect(await runtime.drainEvents()).toEqual([
      { event, error },
      { event, error },
    ]);
    expect(await runtime.drainEvents()).toEqual([]);
    expect(seen).toEqual([event]);
  });

  it("keep the newest 1000 failures where nobody drains", async () => {
    runtime = createDitto();
    runtime.subscribe(({ data }) => {
      throw data;
    });
    for (let number = 0; number < 1005; number += 1) await runtime.emit({ type: "n", data: number });
    const failures = await runtime.drainEvents();
    expect([failures.length, failures[0]?.error]).toEqual([1000, 5]);
  });

  it("need a type", async () => {
    runtime = createDitto();
    await expect(runtime.emit({ type: "" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  it("can be shared by several Runtimes", async () => {
    const events = new InProcessEvents();
    const seen: RuntimeEvent[] = [];
    runtime = createDitto({ events });
    const other = createDitto({ events });
    other.subscribe(collect(seen));
    await runtime.emit({ type: "shared" });
    await other.close();
    expect(seen).toEqual([{ type: "shared" }]);
  });
});
