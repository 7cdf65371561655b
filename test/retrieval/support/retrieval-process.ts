/** A process that serves RETRIEVAL.SEARCH and MEMORY: over HTTP when it is given a token, else over its IPC channel. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { RetrievalError } from "../../../src/contracts/retrieval-error.ts";
import type { RetrievalSearchProvider } from "../../../src/contracts/retrieval.ts";
import { createRetrievalWorker } from "../../../src/retrieval/create-retrieval-worker.ts";
import { RetrievalTargetRegistry } from "../../../src/retrieval/retrieval-target-registry.ts";
import { createDitto } from "../../../src/runtime/create-ditto.ts";
import { createWorkerHttpHandler } from "../../../src/runtime/transport/create-worker-http-handler.ts";
import { serveWorkerIpc } from "../../../src/runtime/transport/serve-worker-ipc.ts";
import { createMemoryWorker } from "../../../src/worker/memory/create-memory-worker.ts";
import { MapStore } from "../../worker/memory/map-store.ts";

const token = process.argv[2];
const tell = (message: string) => process.send?.({ told: message });

/** Finds memories of this process; its words also say how it fails. */
const search: RetrievalSearchProvider = {
  async search({ query, target, strategy, filter, limit = 10, options }) {
    if (query.content === "refuse") throw new RetrievalError("RETRIEVAL_PERMISSION_DENIED", "Not yours");
    if (query.content === "break") throw new Error("password=secret");
    if (query.content === "wait") {
      tell("searching");
      await new Promise(() => {});
    }
    const asked = { query, target, strategy, filter, limit, options, pid: process.pid };
    const candidates = Array.from({ length: 3 }, (_, index) => ({
      id: `m${index}`,
      content: { id: `m${index}`, key: `k${index}`, content: "中文", metadata: { asked } },
      score: 1 / (index + 1),
    }));
    return { candidates: candidates.slice(0, limit), target, ...(strategy === undefined ? {} : { strategy }) };
  },
};

const providers = new RetrievalTargetRegistry({ kb: { defaultStrategy: "own", providers: { own: search, other: search } } });
const runtime = createDitto({
  hostId: "far-host",
  processId: "far-process",
  workers: [createRetrievalWorker({ providers }), createMemoryWorker({ store: new MapStore() })],
});

if (token === undefined) {
  serveWorkerIpc(runtime, process);
  tell("ready");
} else {
  const server = createServer(createWorkerHttpHandler(runtime, { token }));
  server.listen(0, "127.0.0.1", () => tell(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
}
