import { isRecord } from "../../base/is-record.ts";
import type { InvokeEnvelope, InvokeResponse } from "./invoke-envelope.ts";

/** One end of an IPC channel of Node: `process` in the child, the `ChildProcess` in its parent. */
export interface IpcChannel {
  readonly connected?: boolean | undefined;
  send?(message: IpcMessage, callback: (error: Error | null) => void): unknown;
  on(event: "message", listener: (message: unknown) => void): unknown;
  on(event: "disconnect", listener: () => void): unknown;
  off(event: "message", listener: (message: unknown) => void): unknown;
  off(event: "disconnect", listener: () => void): unknown;
}

/** What goes over the channel, beside the application's own messages. */
export type IpcMessage = { readonly ditto: "request"; readonly envelope: InvokeEnvelope } | { readonly ditto: "response"; readonly response: InvokeResponse };

/** Takes the request or the response out of a message; undefined for anybody else's. */
export function openIpcMessage(message: unknown, kind: IpcMessage["ditto"]): unknown {
  if (!isRecord(message) || message["ditto"] !== kind) return undefined;
  return kind === "request" ? message["envelope"] : message["response"];
}
