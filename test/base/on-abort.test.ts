import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { onAbort } from "../../src/base/on-abort.ts";

describe("onAbort", () => {
  it("calls back once, in order, those that still wait", () => {
    const controller = new AbortController();
    const called: string[] = [];
    onAbort(controller.signal, () => called.push("first"));
    const stop = onAbort(controller.signal, () => called.push("stopped"));
    onAbort(controller.signal, () => called.push("last"));
    stop();
    stop();
    controller.abort();
    controller.abort();
    expect(called).toEqual(["first", "last"]);
  });

  it("lets the same function wait twice", () => {
    const controller = new AbortController();
    let calls = 0;
    const count = () => {
      calls += 1;
    };
    onAbort(controller.signal, count)();
    onAbort(controller.signal, count);
    onAbort(controller.signal, count);
    controller.abort();
    expect(calls).toBe(2);
  });

  it("has one listener on the signal however many wait", () => {
    const { signal } = new AbortController();
    for (let number = 0; number < 1000; number += 1) onAbort(signal, () => {});
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
  });
});
