/**
 * A process with a worker in it, for the tests of transports. It serves HTTP when it is given a token, else its IPC
 * channel, and does what its parent's messages say.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { RetrievalError } from "../../../src/contracts/retrieval-error.ts";
import { createDitto } from "../../../src/runtime/create-ditto.ts";
import { createWorkerHttpHandler } from "../../../src/runtime/transport/create-worker-http-handler.ts";
import { serveWorkerIpc } from "../../../src/runtime/transport/serve-worker-ipc.ts";
import { defineNode } from "../../../src/worker/define-node.ts";
import { defineWorker } from "../../../src/worker/define-worker.ts";
import { deferred } from "../nodes.ts";

const token = process.argv[2];
const gate = deferred();
const tell = (message: string) => process.send?.({ told: message });

const worker = defineWorker({
  type: "FAR",
  concurrency: 2,
  expose: ["TEST.ECHO", "TEST.JUDGED", "TEST.LENGTH", "TEST.WHO", "TEST.DOUBLE"],
  nodes: {
    "TEST.ECHO": defineNode("FAR", "TEST.ECHO", async (input, context) => ({ input, execution: context.execution, pid: process.pid })),
    "TEST.JUDGED": defineNode("FAR", "TEST.JUDGED", async (code) => {
      if (code === "coded") throw new RetrievalError("RETRIEVAL_TARGET_NOT_FOUND", "No such target", { cause: new Error("password=1") });
      throw new Error("password=1");
    }),
    "TEST.WHO": defineNode("FAR", "TEST.WHO", async () => {
      tell("started");
      await gate.promise;
      tell("answered");
      return "gated";
    }),
    "TEST.DOUBLE": defineNode("FAR", "TEST.DOUBLE", async () => Number.NaN),
    "TEST.LENGTH": defineNode("FAR", "TEST.LENGTH", async (text) => text.repeat(3) as unknown as number),
    "TEST.HIDDEN": defineNode("FAR", "TEST.HIDDEN", async (value) => value),
  },
  dispose: () => {
    tell("disposed");
  },
});
const runtime = createDitto({ hostId: "far-host", processId: "far-process", workers: [worker] });

process.on("message", (message) => {
  if (message === "open the gate") gate.resolve();
  if (message === "close") runtime.close().then(() => tell("closed"));
});

if (token === undefined) {
  serveWorkerIpc(runtime, process);
  tell("ready");
} else {
  const server = createServer(createWorkerHttpHandler(runtime, { token, maxBodyBytes: 20_000, timeoutMs: 200 }));
  server.listen(0, "127.0.0.1", () => tell(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
}
