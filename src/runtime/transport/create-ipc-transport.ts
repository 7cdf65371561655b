import { onAbort } from "../../base/on-abort.ts";
import { isRecord } from "../../base/is-record.ts";
import { assertPositiveInteger, assertText, maxTimeoutMs } from "../assert-argument.ts";
import { cancelled } from "../cancellation.ts";
import { RuntimeError } from "../runtime-error.ts";
import { defaultTimeoutMs } from "./http-protocol.ts";
import { type InvokeEnvelope, type InvokeResponse, type InvokeTransport, isInvokeResponse } from "./invoke-envelope.ts";
import { type IpcChannel, openIpcMessage } from "./ipc-channel.ts";

/** Options of {@link createIpcTransport}. */
export interface IpcTransportOptions {
  /** By which `registerRemote` names it. */
  readonly id: string;
  /** An open channel: a forked child, or `process` in one. It stays the application's. */
  readonly channel: IpcChannel;
  /** 1..2147483647; 30000 by default. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Carries calls to another process on this machine, over its IPC channel.
 *
 * It listens only while calls are out, so that it does not keep a process alive. A timeout or an abort ends the wait, not
 * the work over there.
 *
 * @param options See {@link IpcTransportOptions}.
 * @throws RuntimeError `INVALID_ARGUMENT`
 * @example
 * ```ts
 * const transport = createIpcTransport({ id: "child", channel: fork("worker.js") });
 * ```
 */
export function createIpcTransport(options: IpcTransportOptions): InvokeTransport {
  const { id, channel, timeoutMs = defaultTimeoutMs } = options;
  assertText("id", id);
  assertPositiveInteger("timeoutMs", timeoutMs, maxTimeoutMs);
  const calls = new OpenCalls(channel);
  return Object.freeze({
    id,
    invoke: (envelope: InvokeEnvelope, context?: { readonly signal?: AbortSignal | undefined }) =>
      send(channel, calls, { envelope, timeoutMs, signal: context?.signal }),
  });
}

interface Sending {
  readonly envelope: InvokeEnvelope;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

function send(channel: IpcChannel, calls: OpenCalls, { envelope, timeoutMs, signal }: Sending): Promise<InvokeResponse> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(cancelled(signal));
    if (channel.send === undefined || channel.connected === false) return reject(gone());
    const giveUp = (error: unknown) => calls.close(envelope.id, () => reject(error));
    const timer = setTimeout(() => giveUp(new RuntimeError("TRANSPORT_TIMEOUT", `No answer within ${timeoutMs} ms`)), timeoutMs);
    const stop = signal && onAbort(signal, () => giveUp(cancelled(signal)));
    calls.open(envelope.id, {
      resolve,
      reject,
      end: () => {
        clearTimeout(timer);
        stop?.();
      },
    });
    channel.send({ ditto: "request", envelope }, (error) => {
      if (error) giveUp(gone(error));
    });
  });
}

interface OpenCall {
  resolve(response: InvokeResponse): void;
  reject(error: unknown): void;
  end(): void;
}

/** The calls that wait for an answer, by their ids. */
class OpenCalls {
  readonly #channel: IpcChannel;
  readonly #calls = new Map<string, OpenCall>();

  constructor(channel: IpcChannel) {
    this.#channel = channel;
  }

  open(id: string, call: OpenCall): void {
    if (this.#calls.size === 0) {
      this.#channel.on("message", this.#take);
      this.#channel.on("disconnect", this.#lose);
    }
    this.#calls.set(id, call);
  }

  /** Ends a call, once. */
  close(id: string, settle: (call: OpenCall) => void): void {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    this.#calls.delete(id);
    if (this.#calls.size === 0) {
      this.#channel.off("message", this.#take);
      this.#channel.off("disconnect", this.#lose);
    }
    call.end();
    settle(call);
  }

  readonly #take = (message: unknown): void => {
    const response = openIpcMessage(message, "response");
    if (!isRecord(response) || typeof response["id"] !== "string") return;
    this.close(response["id"], (call) => {
      if (isInvokeResponse(response)) call.resolve(response);
      else call.reject(new RuntimeError("TRANSPORT_INVALID_RESPONSE", "The answer is not of protocol 1"));
    });
  };

  readonly #lose = (): void => {
    for (const id of [...this.#calls.keys()]) this.close(id, (call) => call.reject(gone()));
  };
}

function gone(cause?: unknown): RuntimeError {
  return new RuntimeError("TRANSPORT_FAILED", "The other process is not there", cause === undefined ? undefined : { cause });
}
