import { describe, expect, it } from "vitest";
import { runUntilAborted } from "../../src/base/run-until-aborted.ts";

describe("runUntilAborted", () => {
  it("returns or throws what the work does where nothing aborts", async () => {
    const { signal } = new AbortController();
    for (const options of [{}, { signal }]) {
      expect(await runUntilAborted(async () => 1, options)).toBe(1);
      await expect(
        runUntilAborted(async () => {
          throw new Error("own");
        }, options),
      ).rejects.toThrow("own");
    }
  });

  it("does not start the work for a signal that has aborted", async () => {
    let started = false;
    const call = runUntilAborted(
      async () => {
        started = true;
      },
      { signal: AbortSignal.abort(new Error("gone")) },
    );
    await expect(call).rejects.toThrow("gone");
    expect(started).toBe(false);
  });

  it("stops waiting with the signal's reason and hands the rest over as a promise that never rejects", async () => {
    const controller = new AbortController();
    const held: Promise<unknown>[] = [];
    let fail: (error: Error) => void = () => {};
    const work = new Promise((_, reject) => {
      fail = reject;
    });
    const call = runUntilAborted(() => work, { signal: controller.signal, hold: (rest) => held.push(rest) });
    controller.abort(new Error("gone"));
    await expect(call).rejects.toThrow("gone");
    fail(new Error("late"));
    await expect(held[0]).resolves.toBeUndefined();
  });

  it("hands nothing over when the work ends first", async () => {
    const controller = new AbortController();
    const held: unknown[] = [];
    await runUntilAborted(async () => 1, { signal: controller.signal, hold: (rest) => held.push(rest) });
    controller.abort();
    expect(held).toEqual([]);
  });

  it("notices an abort that the start of the work causes", async () => {
    const controller = new AbortController();
    const call = runUntilAborted(
      () => {
        controller.abort(new Error("gone"));
        return new Promise(() => {});
      },
      { signal: controller.signal },
    );
    await expect(call).rejects.toThrow("gone");
  });
});
