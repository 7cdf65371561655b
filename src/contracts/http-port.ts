import type { JsonValue } from "./json.ts";

/** One exchange with an HTTP service. */
export interface HttpCall {
  /** From `/`, below the connection's own path; may hold a query string. */
  readonly path: string;
  readonly method: "GET" | "POST" | "PUT";
  /** Sent as JSON; nothing is sent where it is left out. */
  readonly body?: JsonValue | undefined;
  /** Milliseconds for the whole exchange with its bodies, where it is to be shorter than the connection's. */
  readonly timeoutMs?: number | undefined;
  /** Longest answer in bytes, where it may be longer than the connection's. */
  readonly maxBodyBytes?: number | undefined;
  /** What errors call it. */
  readonly label: string;
}

/** An answer that was read whole and parsed. */
export interface HttpAnswer {
  /** Integers beyond 2^53 are texts with all their digits. */
  readonly json: JsonValue;
  /** A short piece of the answer for an error's message, in quotes behind a colon, without secrets. */
  excerpt(): string;
}

/** What an HTTP connection offers to searches, rerankers, embeddings and calls. */
export interface HttpPort {
  /**
   * Sends one request and reads its JSON answer.
   *
   * @param call What is sent.
   * @param options `signal` ends the wait and the exchange.
   * @throws RetrievalError `RETRIEVAL_TIMEOUT` at the deadline, `RETRIEVAL_PERMISSION_DENIED` where the Sandbox refuses the origin,
   *   `RETRIEVAL_INVALID_BACKEND_OUTPUT` for an answer that is too long or no JSON, `RETRIEVAL_BACKEND_ERROR` for every other status than 2xx
   *   (with `retryAfterMs` where the server tells it), redirects among them, and where it cannot be reached.
   */
  send(call: HttpCall, options?: { readonly signal?: AbortSignal | undefined }): Promise<HttpAnswer>;
}
