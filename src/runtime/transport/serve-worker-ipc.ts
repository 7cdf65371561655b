import type { Runtime } from "../runtime.ts";
import { type IpcChannel, openIpcMessage } from "./ipc-channel.ts";

/**
 * Takes calls from another process on this machine, over an IPC channel.
 *
 * @param runtime Whose public capabilities are offered.
 * @param channel `process` in a forked child, or the child in its parent.
 * @returns Stops taking calls; those that were taken are still answered.
 * @example
 * ```ts
 * serveWorkerIpc(createDitto({ workers: [worker] }), process);
 * ```
 */
export function serveWorkerIpc(runtime: Pick<Runtime, "receive">, channel: IpcChannel): () => void {
  const take = (message: unknown): void => {
    const envelope = openIpcMessage(message, "request");
    if (envelope === undefined) return;
    runtime.receive(envelope).then((response) => {
      if (channel.connected === false) return;
      channel.send?.({ ditto: "response", response }, () => {}); // A caller that went away meanwhile asks for nothing.
    });
  };
  channel.on("message", take);
  return () => {
    channel.off("message", take);
  };
}
