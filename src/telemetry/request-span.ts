import { uniqueId } from "../base/unique-id.ts";
import type { TraceSpan } from "../contracts/trace.ts";
import { joinSpans } from "./join-spans.ts";
import { OtelSpan, type SpanAttributes } from "./otel-span.ts";

/** What a request is, for its spans. */
export interface RequestLabels {
  /** `search` or `run`. */
  readonly operation: string;
  readonly pipeline: string;
  readonly generation?: number | undefined;
  readonly target?: string | undefined;
  readonly strategy?: string | undefined;
  readonly graph?: string | undefined;
  /** Of the caller; by default a new one. */
  readonly requestId?: string | undefined;
}

type Api = typeof import("@opentelemetry/api");

let loaded: Promise<Api> | undefined;

/** Where the API keeps what an application registered; reading it loads nothing. */
const registry = Symbol.for("opentelemetry.js.api.1");

/** Whether the application registered a tracer provider. */
function isRegistered(): boolean {
  const { trace } = ((globalThis as Record<symbol, unknown>)[registry] ?? {}) as { readonly trace?: unknown };
  return trace !== undefined;
}

/**
 * Runs a request as a span of OpenTelemetry, where the application registered a tracer provider; elsewhere nothing is loaded or made.
 *
 * @param labels What all spans of the request carry.
 * @param trace Another one who wants to be told.
 * @param work Gets the span for the request's steps.
 * @returns What the work returns.
 */
export async function inRequestSpan<T>(labels: RequestLabels, trace: TraceSpan | undefined, work: (trace: TraceSpan | undefined) => Promise<T>): Promise<T> {
  if (!isRegistered()) return work(trace);
  loaded ??= import("@opentelemetry/api");
  const api = await loaded;
  const within = { api, tracer: api.trace.getTracer("@codesoul-co/ditto"), context: api.context.active() };
  const span = new OtelSpan(within, { name: `ditto.${labels.operation} ${labels.pipeline}`, inherited: attributesOf(labels) });
  try {
    const result = await work(trace === undefined ? span : joinSpans(trace, span));
    span.close(failureOf(result));
    return result;
  } catch (error) {
    span.close(error);
    throw error;
  }
}

function attributesOf({ operation: _, requestId = uniqueId(), ...labels }: RequestLabels): SpanAttributes {
  const attributes: Record<string, string | number> = { "ditto.request_id": requestId };
  for (const [name, value] of Object.entries(labels)) if (value !== undefined) attributes[`ditto.${name}`] = value;
  return attributes;
}

/** Searches do not reject: what went wrong stands in their result. */
function failureOf(result: unknown): unknown {
  return typeof result === "object" && result !== null && "error" in result ? result.error : undefined;
}
