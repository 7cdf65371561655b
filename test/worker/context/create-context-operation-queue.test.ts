import { describe, expect, it } from "vitest";
import { createContextOperationQueue } from "../../../src/worker/context/create-context-operation-queue.ts";

const gate = () => {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
};

describe("createContextOperationQueue", () => {
  it("runs the operations of one scope one after the other, in order", async () => {
    const queue = createContextOperationQueue();
    const log: string[] = [];
    const operation = (name: string) => async () => {
      log.push(`${name} starts`);
      await Promise.resolve();
      log.push(`${name} ends`);
      return name;
    };
    const scope = { sessionId: "s" };
    expect(await Promise.all(["a", "b", "c"].map((name) => queue.run({ ...scope }, operation(name))))).toEqual(["a", "b", "c"]);
    expect(log).toEqual(["a starts", "a ends", "b starts", "b ends", "c starts", "c ends"]);
  });

  it("lets other scopes run meanwhile", async () => {
    const queue = createContextOperationQueue();
    const { open, opened } = gate();
    const first = queue.run({ sessionId: "a" }, () => opened);
    expect(await queue.run({ turnId: "a" }, async () => "ran")).toBe("ran");
    open();
    await first;
  });

  it("goes on after an operation that fails", async () => {
    const queue = createContextOperationQueue();
    const scope = { sessionId: "s" };
    const failing = queue.run(scope, async () => {
      throw new Error("broken");
    });
    const next = queue.run(scope, async () => "ran");
    await expect(failing).rejects.toThrow("broken");
    expect(await next).toBe("ran");
  });

  it("answers QUEUE_FULL to what would make more than maxPending wait, and takes more once there is room", async () => {
    const queue = createContextOperationQueue({ maxPending: 2 });
    const { open, opened } = gate();
    const scope = { sessionId: "s" };
    const accepted = [queue.run(scope, () => opened), queue.run(scope, async () => {}), queue.run(scope, async () => {})];
    await expect(queue.run(scope, async () => {})).rejects.toMatchObject({ name: "ContextError", code: "QUEUE_FULL" });
    // A scope in which nothing runs does not wait.
    await queue.run({ sessionId: "free" }, async () => {});
    open();
    await Promise.all(accepted);
    await expect(queue.run(scope, async () => "room")).resolves.toBe("room");
  });

  it("lets 1024 wait by default", async () => {
    const queue = createContextOperationQueue();
    const { open, opened } = gate();
    const accepted = Array.from({ length: 1025 }, () => queue.run({ sessionId: "s" }, () => opened));
    await expect(queue.run({ sessionId: "s" }, async () => {})).rejects.toMatchObject({ code: "QUEUE_FULL" });
    open();
    await Promise.all(accepted);
  });

  it("takes an operation out whose signal aborts while it waits, and never starts it", async () => {
    const queue = createContextOperationQueue({ maxPending: 1 });
    const { open, opened } = gate();
    const scope = { sessionId: "s" };
    const first = queue.run(scope, () => opened);
    const controller = new AbortController();
    let started = false;
    const waiting = queue.run(
      scope,
      async () => {
        started = true;
      },
      { signal: controller.signal },
    );
    controller.abort(new Error("gone"));
    await expect(waiting).rejects.toThrow("gone");
    const next = queue.run(scope, async () => "ran");
    open();
    await first;
    expect(await next).toBe("ran");
    expect(started).toBe(false);
  });

  it.each([0, -1, 1.5, "2"])("refuses maxPending %s", (maxPending) => {
    expect(() => createContextOperationQueue({ maxPending: maxPending as number })).toThrow(expect.objectContaining({ code: "INVALID_INPUT" }));
  });
});
