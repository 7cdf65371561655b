import type { DataFault } from "../validation/compile-data-validator.ts";

/** Why a request is refused before any work is done, or what became of the server. */
export type HttpFaultCode =
  | "SERVE_MALFORMED_JSON"
  | "SERVE_UNAUTHORIZED"
  | "SERVE_FORBIDDEN"
  | "SERVE_NOT_FOUND"
  | "SERVE_METHOD_NOT_ALLOWED"
  | "SERVE_BODY_TOO_LARGE"
  | "SERVE_UNSUPPORTED_TYPE"
  | "SERVE_INVALID_BODY"
  | "SERVE_BUSY"
  | "SERVE_STOPPING"
  | "SERVE_TIMEOUT"
  | "SERVE_CLIENT_GONE"
  | "SERVE_FAULT";

/** What an {@link HttpFault} may carry. */
export interface HttpFaultOptions {
  /** What does not fit, each with its place. */
  readonly details?: readonly DataFault[] | undefined;
  /** What would have been right: routes, methods, names. */
  readonly allowed?: readonly string[] | undefined;
  /** Seconds after which it may be tried again. */
  readonly retryAfter?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** An answer that is no success, on its way to the caller. */
export class HttpFault extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: readonly DataFault[] | undefined;
  readonly allowed: readonly string[] | undefined;
  readonly retryAfter: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  /**
   * @param answer `status` and `code`: one of {@link HttpFaultCode}, or that of what failed.
   * @param message A sentence that is safe to show.
   * @param options See {@link HttpFaultOptions}.
   */
  constructor(answer: { readonly status: number; readonly code: HttpFaultCode | (string & {}) }, message: string, options: HttpFaultOptions = {}) {
    super(message);
    this.name = "HttpFault";
    this.status = answer.status;
    this.code = answer.code;
    this.details = options.details;
    this.allowed = options.allowed;
    this.retryAfter = options.retryAfter;
    this.headers = options.headers ?? {};
  }
}
