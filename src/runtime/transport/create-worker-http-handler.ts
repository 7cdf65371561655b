import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { assertPositiveInteger, assertText, maxTimeoutMs } from "../assert-argument.ts";
import type { Runtime } from "../runtime.ts";
import { isRuntimeError, RuntimeError } from "../runtime-error.ts";
import { defaultMaxBodyBytes, defaultTimeoutMs, invokePath, protocolHeader } from "./http-protocol.ts";
import type { InvokeResponse } from "./invoke-envelope.ts";
import { readBody } from "./read-body.ts";
import { transferError } from "./transferred-error.ts";

/** Options of {@link createWorkerHttpHandler}. */
export interface WorkerHttpHandlerOptions {
  /** The bearer token that callers must bring. */
  readonly token: string;
  /** A positive integer, for requests and for responses; 1048576 by default. */
  readonly maxBodyBytes?: number | undefined;
  /** 1..2147483647, for the arrival of a request's body; 30000 by default. */
  readonly timeoutMs?: number | undefined;
}

/** A listener for the `request` event of a server of `node:http` or `node:https`. */
export type HttpRequestListener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Takes calls from other machines at `POST /ditto/invoke`, on a server of the application's.
 *
 * A caller that goes away does not end the work.
 *
 * @param runtime Whose public capabilities are offered.
 * @param options See {@link WorkerHttpHandlerOptions}.
 * @throws RuntimeError `INVALID_ARGUMENT`
 * @example
 * ```ts
 * const server = createServer(createWorkerHttpHandler(runtime, { token })).listen(8080, "127.0.0.1");
 * ```
 */
export function createWorkerHttpHandler(runtime: Pick<Runtime, "receive">, options: WorkerHttpHandlerOptions): HttpRequestListener {
  const { token, maxBodyBytes = defaultMaxBodyBytes, timeoutMs = defaultTimeoutMs } = options;
  assertText("token", token);
  assertPositiveInteger("maxBodyBytes", maxBodyBytes);
  assertPositiveInteger("timeoutMs", timeoutMs, maxTimeoutMs);
  const expected = digest(`Bearer ${token}`);
  return (request, response) => {
    const refused = refusal(request, expected);
    if (refused !== undefined) return refuse(request, response, refused);
    takeCall(runtime, request, { maxBodyBytes, timeoutMs }).then(
      (body) => send(response, 200, body),
      (error) => refuse(request, response, isRuntimeError(error) ? (statusByCode[error.code] ?? 400) : 400),
    );
  };
}

const statusByCode: Readonly<Record<string, number>> = { PAYLOAD_TOO_LARGE: 413, TRANSPORT_TIMEOUT: 408 };

/** Equally long digests, so that the comparison's time tells nothing of the token, its length included. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** The status of a request that is not even read. */
function refusal(request: IncomingMessage, expected: Buffer): number | undefined {
  if (request.url?.split("?", 1)[0] !== invokePath) return 404;
  if (!timingSafeEqual(digest(request.headers.authorization ?? ""), expected)) return 401;
  if (request.method !== "POST") return 405;
  return request.headers[protocolHeader] === "1" ? undefined : 400;
}

async function takeCall(
  runtime: Pick<Runtime, "receive">,
  request: IncomingMessage,
  limits: { readonly maxBodyBytes: number; readonly timeoutMs: number },
): Promise<string> {
  const envelope: unknown = JSON.parse(await readInTime(request, limits));
  const response = await runtime.receive(envelope);
  const body = JSON.stringify(response);
  if (Buffer.byteLength(body) <= limits.maxBodyBytes) return body;
  const error = transferError(new RuntimeError("PAYLOAD_TOO_LARGE", `The response is longer than ${limits.maxBodyBytes} bytes`));
  return JSON.stringify({ protocol: 1, id: response.id, ok: false, error } satisfies InvokeResponse);
}

function readInTime(request: IncomingMessage, limits: { readonly maxBodyBytes: number; readonly timeoutMs: number }): Promise<string> {
  return new Promise((resolve, reject) => {
    const late = new RuntimeError("TRANSPORT_TIMEOUT", `The body did not arrive within ${limits.timeoutMs} ms`);
    const timer = setTimeout(() => reject(late), limits.timeoutMs);
    readBody(request, limits.maxBodyBytes)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}

/** The rest of a body is passed over, so that the answer reaches a caller that is still sending; a stalled one is cut off. */
function refuse(request: IncomingMessage, response: ServerResponse, status: number): void {
  if (status === 408) {
    response.setHeader("connection", "close");
    response.on("finish", () => request.destroy());
  }
  request.resume();
  send(response, status, "");
}

function send(response: ServerResponse, status: number, body: string): void {
  // The caller may have gone; there is nobody to tell then.
  response.on("error", () => {});
  response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(body), [protocolHeader]: "1" });
  response.end(body);
}
