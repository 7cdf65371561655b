import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { Runtime } from "../../../src/runtime/runtime.ts";
import type { WorkerDefinition } from "../../../src/runtime/worker-definition.ts";
import { createDitto } from "../../../src/runtime/create-ditto.ts";
import { createWorkerHttpHandler } from "../../../src/runtime/transport/create-worker-http-handler.ts";

export interface WorkerServer {
  readonly url: string;
  readonly token: string;
  /** Nodes that were asked for. */
  readonly calls: string[];
}

/** A second Runtime with these workers, reachable over HTTP on a free loopback port; gone after the test. */
export async function workerServer(workers: readonly WorkerDefinition[]): Promise<WorkerServer> {
  const calls: string[] = [];
  const runtime = createDitto({ workers, hostId: "elsewhere", processId: "1" });
  const receive: Runtime["receive"] = (envelope) => {
    calls.push(String((envelope as { readonly node?: unknown }).node));
    return runtime.receive(envelope);
  };
  const counted: Runtime = { ...runtime, receive };
  const server = createServer(createWorkerHttpHandler(counted, { token: "token-1234567890" }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await runtime.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: "token-1234567890", calls };
}
