import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { isRetrievalError } from "../../../src/contracts/retrieval-error.ts";
import { createDitto } from "../../../src/runtime/create-ditto.ts";
import type { Runtime } from "../../../src/runtime/runtime.ts";
import { createIpcTransport, type IpcTransportOptions } from "../../../src/runtime/transport/create-ipc-transport.ts";
import type { InvokeEnvelope } from "../../../src/runtime/transport/invoke-envelope.ts";
import { bundleWorkerProcess, startWorkerProcess, type WorkerProcess } from "./start-worker-process.ts";
import "../nodes.ts";

const capabilities = ["TEST.ECHO", "TEST.JUDGED", "TEST.WHO", "TEST.HIDDEN"];
const address = { hostId: "far-host", processId: "far-process", workerId: "FAR" };
let file: string;
let far: WorkerProcess;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  file = await bundleWorkerProcess();
  far = await startWorkerProcess(file);
});
afterAll(() => far.stop());
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

function caller(options: Partial<IpcTransportOptions> = {}): Runtime {
  const runtime = createDitto({ transports: [createIpcTransport({ id: "ipc", channel: far.child, ...options })] });
  runtime.registerRemote({ address, capabilities, transportId: "ipc" });
  ends.push(() => runtime.close());
  return runtime;
}

async function another(): Promise<WorkerProcess> {
  const other = await startWorkerProcess(file);
  ends.push(() => other.stop());
  return other;
}

describe("IPC between two processes", () => {
  it("carries calls, each answer to its own", async () => {
    const runtime = caller();
    const answers = await Promise.all(["a", "b"].map((text) => runtime.invoke("TEST.ECHO", text)));
    expect(answers).toEqual([
      { input: "a", pid: far.child.pid },
      { input: "b", pid: far.child.pid },
    ]);
  });

  it("restores coded errors, and checks target and capability", async () => {
    const runtime = caller();
    const coded: unknown = await runtime.invoke("TEST.JUDGED", "coded").catch((thrown: unknown) => thrown);
    expect(isRetrievalError(coded)).toBe(true);
    await expect(runtime.invoke("TEST.JUDGED", "uncoded")).rejects.toMatchObject({ code: "NODE_FAILED" });
    await expect(runtime.invoke("TEST.HIDDEN", 1)).rejects.toMatchObject({ code: "CAPABILITY_NOT_OFFERED" });
  });

  it("listens to the channel only while calls are out, and leaves its other messages alone", async () => {
    const other = await another();
    const before = other.child.listenerCount("message");
    const runtime = caller({ channel: other.child });
    const call = runtime.invoke("TEST.WHO", null);
    await other.until("started");
    expect(other.child.listenerCount("message")).toBe(before + 1);
    other.child.send("open the gate");
    expect(await call).toBe("gated");
    expect(other.child.listenerCount("message")).toBe(before);
  });

  it("ends the wait and not the remote work at a timeout or an abort", async () => {
    const other = await another();
    const runtime = caller({ channel: other.child, timeoutMs: 1000 });
    const controller = new AbortController();
    const calls = [runtime.invoke("TEST.WHO", null, { signal: controller.signal }), runtime.invoke("TEST.WHO", null)];
    const ended = calls.map((call) => call.catch((error: { readonly code: string }) => error.code));
    await other.until("started");
    controller.abort();
    expect(await Promise.all(ended)).toEqual(["CANCELLED", "TRANSPORT_TIMEOUT"]);
    other.child.send("open the gate");
    await other.until("answered");
  });

  it("takes no answer for another id", async () => {
    const sent: InvokeEnvelope[] = [];
    let answer: (message: unknown) => void = () => {};
    const channel: IpcTransportOptions["channel"] = {
      connected: true,
      send: (message) => {
        if (message.ditto === "request") sent.push(message.envelope);
      },
      on: (event: string, listener: (message: unknown) => void) => {
        if (event === "message") answer = listener;
      },
      off: () => {},
    };
    const call = caller({ channel }).invoke("TEST.ECHO", 1);
    await expect.poll(() => sent).toHaveLength(1);
    const response = (id: string | undefined, value: string) => ({ protocol: 1, id, ok: true, output: { kind: "inline", value } });
    answer({ ditto: "response", response: response("other", "wrong") });
    answer({ ditto: "response", response: response(sent[0]?.id, "right") });
    expect(await call).toBe("right");
  });

  it("fails the calls of a process that is killed in the middle", async () => {
    const other = await another();
    const runtime = caller({ channel: other.child });
    const call = runtime.invoke("TEST.WHO", null);
    await other.until("started");
    await Promise.all([expect(call).rejects.toMatchObject({ code: "TRANSPORT_FAILED" }), other.stop()]);
    await expect(runtime.invoke("TEST.ECHO", 1)).rejects.toMatchObject({ code: "TRANSPORT_FAILED" });
  });

  it("drains calls from outside at close()", async () => {
    const other = await another();
    const runtime = caller({ channel: other.child });
    const call = runtime.invoke("TEST.WHO", null);
    await other.until("started");
    other.child.send("close");
    await expect(runtime.invoke("TEST.ECHO", 1)).rejects.toMatchObject({ code: "RUNTIME_CLOSED" });
    other.child.send("open the gate");
    expect(await call).toBe("gated");
    await other.until("closed");
    expect(other.told.slice(1)).toEqual(["started", "answered", "disposed", "closed"]);
  });

  it.each([{ timeoutMs: 0 }, { timeoutMs: 2_147_483_648 }, { id: "" }])("refuses the option %j", (option) => {
    expect(() => createIpcTransport({ id: "t", channel: far.child, ...option })).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });
});
