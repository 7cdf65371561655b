// Stands in for the encoder's thread where a test is about the pool: its texts say what it does. Each answer's vector
// is [place in the order of this thread's texts, number of the thread].
import { BroadcastChannel, parentPort, threadId, workerData } from "node:worker_threads";

if (workerData.modelFolder === "broken") throw new Error("no model here");
let order = 0;

parentPort.on("message", async ({ text, purpose }) => {
  if (text === "throw") throw new Error("told to");
  if (text === "exit") process.exit(3);
  if (text.startsWith("hold ")) await signal(text.slice("hold ".length));
  const vector = new Float32Array([order, threadId]);
  order += 1;
  parentPort.postMessage({ kind: "encoded", vector, tokens: purpose.length, cut: false }, [vector.buffer]);
});
parentPort.postMessage({ kind: "loaded" });

/** Resolves when the test posts to the channel of that name. */
function signal(name) {
  const channel = new BroadcastChannel(name);
  return new Promise((resolve) => {
    channel.onmessage = () => {
      channel.close();
      resolve();
    };
    channel.postMessage("held");
  });
}
