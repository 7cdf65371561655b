import { randomUUID } from "node:crypto";

/** A place in a distributed trace, as W3C Trace Context writes it. */
export interface TraceParent {
  /** 32 hexadecimal digits: the trace of the caller, or a new one. */
  readonly traceId: string;
  /** `00-TRACE-SPAN-FLAGS` with a span of this server's own. */
  readonly header: string;
  /** Whether the caller brought one: then what is asked of others carries `header`. */
  readonly isCallers: boolean;
}

/**
 * Goes on with the trace of a caller, or begins one.
 *
 * @param header The caller's `traceparent`; one that is malformed counts as none.
 */
export function traceParentOf(header: string | undefined): TraceParent {
  const { trace, flags } = form.exec(header ?? "")?.groups ?? {};
  const traceId = trace ?? randomDigits();
  return { traceId, header: `00-${traceId}-${randomDigits().slice(0, 16)}-${flags ?? "00"}`, isCallers: trace !== undefined };
}

const form = /^(?!ff)[0-9a-f]{2}-(?!0{32})(?<trace>[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-(?<flags>[0-9a-f]{2})(?:-.*)?$/u;

/** 32 hexadecimal digits; Node draws many of these at a time. */
function randomDigits(): string {
  return randomUUID().replaceAll("-", "");
}
