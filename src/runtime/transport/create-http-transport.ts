import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { onAbort } from "../../base/on-abort.ts";
import { traceHeaders } from "../../base/trace-parent.ts";
import { assertPositiveInteger, assertText, maxTimeoutMs } from "../assert-argument.ts";
import { cancelled } from "../cancellation.ts";
import { isRuntimeError, RuntimeError } from "../runtime-error.ts";
import { defaultMaxBodyBytes, defaultTimeoutMs, invokePath, protocolHeader } from "./http-protocol.ts";
import { type InvokeEnvelope, type InvokeResponse, type InvokeTransport, isInvokeResponse } from "./invoke-envelope.ts";
import { readBody } from "./read-body.ts";

/** Options of {@link createHttpTransport}. */
export interface HttpTransportOptions {
  /** By which `registerRemote` names it. */
  readonly id: string;
  /** The other process, `http:` or `https:`; `/ditto/invoke` is added to its path. */
  readonly url: string;
  /** The bearer token that the other side expects; visible ASCII. */
  readonly token: string;
  /** 1..2147483647, for the whole exchange with its bodies; 30000 by default. */
  readonly timeoutMs?: number | undefined;
  /** A positive integer, for the request and for the response; 1048576 by default. */
  readonly maxBodyBytes?: number | undefined;
}

/**
 * Carries calls to a process on another machine.
 *
 * Redirects are refused. A timeout or an abort ends the wait, not the work over there.
 *
 * @param options See {@link HttpTransportOptions}.
 * @throws RuntimeError `INVALID_ARGUMENT`
 * @example
 * ```ts
 * const transport = createHttpTransport({ id: "search", url: "http://10.0.0.7:8080", token });
 * ```
 */
export function createHttpTransport(options: HttpTransportOptions): InvokeTransport {
  const { id, token, timeoutMs = defaultTimeoutMs, maxBodyBytes = defaultMaxBodyBytes } = options;
  assertText("id", id);
  assertPositiveInteger("timeoutMs", timeoutMs, maxTimeoutMs);
  assertPositiveInteger("maxBodyBytes", maxBodyBytes);
  if (!/^[\x21-\x7e]+$/.test(token)) throw new RuntimeError("INVALID_ARGUMENT", "token must be visible ASCII");
  const exchange: Exchange = { url: endpoint(options.url), token, timeoutMs, maxBodyBytes };
  return Object.freeze({
    id,
    invoke: async (envelope: InvokeEnvelope, context?: { readonly signal?: AbortSignal | undefined }) => {
      const body = Buffer.from(JSON.stringify(envelope));
      if (body.byteLength > maxBodyBytes) throw new RuntimeError("PAYLOAD_TOO_LARGE", `The request is longer than ${maxBodyBytes} bytes`);
      if (context?.signal?.aborted) throw cancelled(context.signal);
      return parseResponse(await post(exchange, body, context?.signal), envelope);
    },
  });
}

interface Exchange {
  readonly url: URL;
  readonly token: string;
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
}

function endpoint(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol) || url.username !== "" || url.password !== "") {
    throw new RuntimeError("INVALID_ARGUMENT", "url must be an http or https URL without credentials");
  }
  if (!url.pathname.endsWith(invokePath)) url.pathname = url.pathname.replace(/\/$/, "") + invokePath;
  return url;
}

/** Sends one body and reads the one that answers; the deadline covers both. */
function post(exchange: Exchange, body: Buffer, signal: AbortSignal | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    const { url, token, timeoutMs } = exchange;
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "content-length": body.byteLength,
      [protocolHeader]: "1",
      ...traceHeaders(),
    };
    const request = (url.protocol === "https:" ? requestHttps : requestHttp)(url, { method: "POST", headers });
    const giveUp = (error: unknown) => {
      reject(error);
      request.destroy();
    };
    const timer = setTimeout(() => giveUp(timedOut(timeoutMs)), timeoutMs);
    const stop = signal && onAbort(signal, () => giveUp(cancelled(signal)));
    request.on("error", (cause) => giveUp(failed(cause)));
    request.on("response", (response) => {
      readResponse(response, exchange).then(resolve, (cause) => giveUp(isRuntimeError(cause) ? cause : failed(cause)));
    });
    request.on("close", () => {
      clearTimeout(timer);
      stop?.();
    });
    request.end(body);
  });
}

async function readResponse(response: IncomingMessage, { maxBodyBytes }: Exchange): Promise<string> {
  const status = response.statusCode ?? 0;
  if (status === 401 || status === 403) throw new RuntimeError("TRANSPORT_UNAUTHORIZED", "The other process refused the token");
  if (status === 413) throw new RuntimeError("PAYLOAD_TOO_LARGE", "The other process refused the length of the request");
  if (status >= 300 && status < 400) throw invalid("it redirects, and redirects are refused");
  if (status !== 200) throw invalid(`its status is ${status}`);
  if (response.headers[protocolHeader] !== "1") throw invalid("it is not of protocol 1");
  return readBody(response, maxBodyBytes);
}

function parseResponse(text: string, envelope: InvokeEnvelope): InvokeResponse {
  let response: unknown;
  try {
    response = JSON.parse(text);
  } catch {
    throw invalid("it is not JSON");
  }
  if (!isInvokeResponse(response)) throw invalid("it is not of protocol 1");
  if (response.id !== envelope.id) throw invalid("it belongs to another call");
  return response;
}

function invalid(why: string): RuntimeError {
  return new RuntimeError("TRANSPORT_INVALID_RESPONSE", `The answer cannot be used: ${why}`);
}

function timedOut(timeoutMs: number): RuntimeError {
  return new RuntimeError("TRANSPORT_TIMEOUT", `No answer within ${timeoutMs} ms`);
}

function failed(cause: unknown): RuntimeError {
  return new RuntimeError("TRANSPORT_FAILED", "The other process could not be reached", { cause });
}
