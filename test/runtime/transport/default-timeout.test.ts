import { EventEmitter } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it, vi } from "vitest";
import { createDitto } from "../../../src/runtime/create-ditto.ts";
import { createHttpTransport } from "../../../src/runtime/transport/create-http-transport.ts";
import { createIpcTransport } from "../../../src/runtime/transport/create-ipc-transport.ts";
import type { InvokeTransport } from "../../../src/runtime/transport/invoke-envelope.ts";
import type { IpcChannel } from "../../../src/runtime/transport/ipc-channel.ts";
import { deferred } from "../nodes.ts";

let server: Server | undefined;

afterEach(() => {
  vi.useRealTimers();
  server?.closeAllConnections();
  server?.close();
});

/** Transports to somebody who takes a call and never answers; `taken` tells of the call. */
const transports: Readonly<Record<string, (taken: () => void) => Promise<InvokeTransport>>> = {
  IPC: async (taken) => {
    const channel = Object.assign(new EventEmitter(), {
      connected: true,
      send: (_message: unknown, sent?: (error: Error | null) => void) => {
        sent?.(null);
        taken();
      },
    });
    return createIpcTransport({ id: "far", channel: channel as unknown as IpcChannel });
  },
  HTTP: async (taken) => {
    const listening = createServer(() => taken());
    server = listening;
    await new Promise<void>((resolve) => {
      listening.listen(0, "127.0.0.1", resolve);
    });
    return createHttpTransport({ id: "far", url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}`, token: "token-1" });
  },
};

it.each(["IPC", "HTTP"])("a call over %s waits 30000 ms where nobody says how long", async (way) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const taken = deferred();
  const runtime = createDitto({ transports: [await transports[way]!(taken.resolve)] });
  runtime.registerRemote({ address: { hostId: "h", processId: "p", workerId: "FAR" }, capabilities: ["TEST.ECHO"], transportId: "far" });
  let outcome: unknown = "waiting";
  runtime.invoke("TEST.ECHO", 1).catch((error: unknown) => {
    outcome = error;
  });
  await taken.promise;
  await vi.advanceTimersByTimeAsync(29_999);
  expect(outcome).toBe("waiting");
  await vi.advanceTimersByTimeAsync(1);
  await vi.waitFor(() => expect(outcome).toMatchObject({ code: "TRANSPORT_TIMEOUT" }));
});
