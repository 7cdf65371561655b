import type { Context, MiddlewareHandler } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { uniqueId } from "../base/unique-id.ts";
import { isCodedError } from "../contracts/coded-error.ts";
import { faultOfError } from "./fault-of-error.ts";
import { HttpFault } from "./http-fault.ts";
import type { ServeLog } from "./serve-log.ts";
import type { Exchange, ServeEnv, ServeParts } from "./serve-parts.ts";
import { traceParentOf } from "./trace-parent.ts";

/** Surrounds every request: it gets its id and its place in a trace, and log and metrics are told of its end. */
export function exchanges(parts: Pick<ServeParts, "access" | "metrics" | "log" | "draining">): MiddlewareHandler<ServeEnv> {
  return async (c, next) => {
    const exchange: Exchange = {
      requestId: requestIdOf(c.req.header("x-request-id")),
      trace: traceParentOf(c.req.header("traceparent")),
      startedAt: performance.now(),
      operation: "other",
      caller: undefined,
      pipeline: undefined,
      facts: {},
    };
    c.set("exchange", exchange);
    c.header("x-request-id", exchange.requestId);
    c.header("traceparent", exchange.trace.header);
    if (parts.access().loopbackOnly && !isLoopback(c.req.url)) c.res = answerFault(c, misdirected(), parts.log);
    else await next();
    if (parts.draining()) c.res.headers.set("connection", "close");
    finish(exchange, { c, ...parts });
  };
}

function requestIdOf(header: string | undefined): string {
  return header !== undefined && /^[\x21-\x7e]{1,128}$/u.test(header) ? header : uniqueId();
}

/** A page whose name was pointed at this machine is not meant to ask without a token. */
function isLoopback(url: string): boolean {
  return /^https?:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?(?:[/?]|$)/u.test(url);
}

function misdirected(): HttpFault {
  return new HttpFault({ status: 403, code: "SERVE_FORBIDDEN" }, "Without tokens only requests to localhost are answered");
}

/** What looks after a server asks all the time; only a bad answer is worth a line. */
const quiet: ReadonlySet<string> = new Set(["health", "ready", "metrics"]);

function finish(exchange: Exchange, { c, metrics, log }: { readonly c: Context<ServeEnv> } & Pick<ServeParts, "metrics" | "log">): void {
  const { requestId, trace, startedAt, operation, caller, pipeline, facts } = exchange;
  const elapsedMs = performance.now() - startedAt;
  const { status } = c.res;
  metrics.requests.inc({ operation, pipeline: pipeline ?? "", status: String(status) });
  metrics.requestSeconds.observe({ operation, pipeline: pipeline ?? "" }, elapsedMs / 1000);
  if (quiet.has(operation) && status < 400) return;
  const level = status < 500 ? "info" : status === 503 || status === 504 ? "warn" : "error";
  const { method, path } = c.req;
  const ms = Math.round(elapsedMs * 1000) / 1000;
  log(level, "request", { requestId, traceId: trace.traceId, method, path, status, operation, token: caller?.name, pipeline, ...facts, ms });
}

/** Answers with what went wrong: a code, a public message, and what would have been right. Never a stack. */
export function answerFault(c: Context<ServeEnv>, error: unknown, log: ServeLog): Response {
  const fault = faultOfError(error);
  const { requestId, facts } = c.get("exchange");
  facts.code = fault.code;
  if (fault.code === "SERVE_FAULT") log("error", "fault", { requestId, ...placeOf(error) });
  for (const [name, value] of Object.entries(fault.headers)) c.header(name, value);
  if (fault.retryAfter !== undefined) c.header("retry-after", String(fault.retryAfter));
  const { code, message, details, allowed } = fault;
  const body = JSON.stringify({ error: { code, message, requestId, details, allowed } });
  return c.body(body, fault.status as ContentfulStatusCode, { "content-type": "application/json" });
}

/** Where one of our own faults happened; its text may hold anything, and is kept out. */
function placeOf(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error) || isCodedError(error)) return {};
  const frames = (error.stack ?? "").split("\n").filter((line) => /^ {4}at /u.test(line));
  return { name: error.name, at: frames.map((line) => line.trim()) };
}
