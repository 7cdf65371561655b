import { parseExactJson } from "../../base/parse-exact-json.ts";
import { traceHeaders } from "../../base/trace-parent.ts";
import type { HttpAnswer, HttpCall, HttpPort } from "../../contracts/http-port.ts";
import type { JsonValue } from "../../contracts/json.ts";
import { isRetrievalError, RetrievalError } from "../../contracts/retrieval-error.ts";
import { excerpt } from "../../retrieval/providers/http-excerpt.ts";
import { readBody } from "../../retrieval/providers/read-body.ts";
import { retryAfterMs } from "../../retrieval/providers/retry-after.ts";
import { codeOf, throwIfCancelled } from "../../retrieval/public-error.ts";
import { withTimeout } from "../../retrieval/with-timeout.ts";

/** Options of {@link createHttpConnection}. */
export interface HttpConnectionOptions {
  /** An http or https URL; its path stands before every call's. */
  readonly url: string;
  /** Sent as a bearer token; absent or empty for servers without one. */
  readonly bearer?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Deadline of every exchange with its bodies in milliseconds. */
  readonly timeoutMs: number;
  /** Longest answer in bytes. */
  readonly maxBodyBytes: number;
  /** Asked for the origin before every exchange. */
  readonly sandbox: { assert(kind: "network", name: string): void };
  /** Stands in for the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/**
 * Makes a connection to an HTTP service that speaks JSON.
 *
 * Redirects are not followed, nothing is retried, and no header ever shows in a message. Connections are kept alive.
 *
 * @throws RetrievalError `RETRIEVAL_INVALID_INPUT` for a URL or header that cannot be sent.
 */
export function createHttpConnection(options: HttpConnectionOptions): HttpPort {
  const { timeoutMs, maxBodyBytes, sandbox, fetch = globalThis.fetch } = options;
  const base = baseUrl(options.url);
  const headers = requestHeaders(options);
  const secrets = [options.bearer ?? "", ...Object.values(options.headers ?? {})].filter((value) => value !== "");

  async function exchange(call: HttpCall, signal: AbortSignal | undefined): Promise<HttpAnswer> {
    const { label, method, body } = call;
    const sent = method === "GET" || body === undefined ? null : JSON.stringify(body);
    const response = await fetch(target(base, call), {
      method,
      headers: { ...headers, ...(sent === null ? {} : { "content-type": "application/json" }), ...traceHeaders() },
      body: sent,
      redirect: "manual",
      signal: signal ?? null,
    });
    if (response.status >= 300 && response.status < 400) {
      throw new RetrievalError("RETRIEVAL_BACKEND_ERROR", `"${label}" answered with a redirect, which is not followed`);
    }
    const text = await readBody(response, Math.max(maxBodyBytes, call.maxBodyBytes ?? 0));
    const piece = (): string => excerpt(text, secrets);
    if (!response.ok) {
      const wait = retryAfterMs(response.headers.get("retry-after"), Date.now());
      throw new RetrievalError("RETRIEVAL_BACKEND_ERROR", `"${label}" answered with status ${response.status}${piece()}`, { retryAfterMs: wait });
    }
    try {
      return { json: parseExactJson(text) as JsonValue, excerpt: piece };
    } catch (cause) {
      throw new RetrievalError("RETRIEVAL_INVALID_BACKEND_OUTPUT", `"${label}" answered with something that is no JSON${piece()}`, { cause });
    }
  }

  return Object.freeze({
    async send(call: HttpCall, { signal }: { readonly signal?: AbortSignal | undefined } = {}) {
      throwIfCancelled(signal);
      assertAllowed(sandbox, base.origin);
      const deadline = Math.min(timeoutMs, call.timeoutMs ?? timeoutMs);
      try {
        return await withTimeout((inner) => exchange(call, inner.signal), { timeoutMs: deadline, context: { signal }, label: call.label });
      } catch (error) {
        throwIfCancelled(signal);
        throw isRetrievalError(error) ? error : new RetrievalError("RETRIEVAL_BACKEND_ERROR", `"${call.label}" could not be reached`, { cause: error });
      }
    },
  });
}

function baseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) throw invalid("url must be an http or https URL");
  if (url.username !== "" || url.password !== "") throw invalid("url must hold no credentials: use bearer or headers");
  if (url.search !== "" || url.hash !== "") throw invalid("url must end before its query: that belongs to a call's path");
  return url;
}

function requestHeaders({ bearer = "", headers = {} }: HttpConnectionOptions): Record<string, string> {
  // What no header can carry is refused here: the error of `fetch` would quote it.
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw invalid("the name of a header is none that can be sent");
    if (!/^[\x20-\x7e]*$/.test(value)) throw invalid(`the header "${name}" must be printable ASCII`);
  }
  if (!/^[\x21-\x7e]*$/.test(bearer)) throw invalid("bearer must be printable ASCII without spaces");
  return { accept: "application/json", ...(bearer === "" ? {} : { authorization: `Bearer ${bearer}` }), ...headers };
}

/** Appends to the path as it is written: resolving against it would lose its last segment. */
function target(base: URL, { path, method, body }: HttpCall): URL {
  const mark = path.indexOf("?");
  const url = new URL(base);
  url.pathname = (base.pathname.endsWith("/") ? base.pathname.slice(0, -1) : base.pathname) + (mark === -1 ? path : path.slice(0, mark));
  url.search = mark === -1 ? "" : path.slice(mark);
  if (method === "GET" && typeof body === "object" && body !== null) {
    for (const [name, value] of Object.entries(body)) url.searchParams.append(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return url;
}

function assertAllowed(sandbox: HttpConnectionOptions["sandbox"], origin: string): void {
  try {
    sandbox.assert("network", origin);
  } catch (error) {
    if (codeOf(error) !== "RETRIEVAL_PERMISSION_DENIED") throw error;
    throw new RetrievalError("RETRIEVAL_PERMISSION_DENIED", "The Sandbox does not allow the connection's origin", { cause: error });
  }
}

function invalid(message: string): RetrievalError {
  return new RetrievalError("RETRIEVAL_INVALID_INPUT", message);
}
