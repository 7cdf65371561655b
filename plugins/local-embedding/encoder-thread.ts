import { parentPort, workerData } from "node:worker_threads";
import { loadSentenceEncoder } from "./encoder/sentence-encoder.ts";
import type { EncodeRequest, ThreadData, ThreadMessage } from "./thread-messages.ts";

// Entry of a worker thread: loads the model, then encodes one text a message. What it throws ends the thread, and the
// pool hears of it.
const { modelFolder, maxTokens } = workerData as ThreadData;
const encoder = loadSentenceEncoder(modelFolder, maxTokens);

parentPort?.on("message", ({ text, purpose }: EncodeRequest) => {
  const encoded = encoder.encode(text, purpose);
  send({ kind: "encoded", ...encoded }, [encoded.vector.buffer]);
});
send({ kind: "loaded" });

function send(message: ThreadMessage, transfer: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer);
}
