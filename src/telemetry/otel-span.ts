import type { Context, Span, Tracer } from "@opentelemetry/api";
import type { JsonObject } from "../contracts/json.ts";
import type { TraceSpan } from "../contracts/trace.ts";

type Api = typeof import("@opentelemetry/api");

/** What every span of a request carries. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A step of a request as a span of OpenTelemetry. */
export class OtelSpan implements TraceSpan {
  /** Attributes are no place for lists of candidates. */
  readonly brief = true;
  readonly #api: Api;
  readonly #tracer: Tracer;
  readonly #span: Span;
  readonly #context: Context;
  #inherited: SpanAttributes;

  constructor(
    { api, tracer, context }: { readonly api: Api; readonly tracer: Tracer; readonly context: Context },
    { name, inherited, facts }: { readonly name: string; readonly inherited: SpanAttributes; readonly facts?: JsonObject | undefined },
  ) {
    this.#api = api;
    this.#tracer = tracer;
    this.#inherited = inherited;
    this.#span = tracer.startSpan(name, { attributes: { ...inherited, ...attributesOf(facts) } }, context);
    this.#context = api.trace.setSpan(context, this.#span);
  }

  open(kind: string, label: string, facts?: JsonObject): TraceSpan {
    const within = { api: this.#api, tracer: this.#tracer, context: this.#context };
    return new OtelSpan(within, { name: label === "" ? kind : `${kind} ${label}`, inherited: { ...this.#inherited, "ditto.kind": kind }, facts });
  }

  add(facts: JsonObject): void {
    const attributes = attributesOf(facts);
    this.#span.setAttributes(attributes);
    // Whatever a search does belongs to its target and strategy.
    for (const key of ["ditto.target", "ditto.strategy"]) {
      const value = attributes[key];
      if (value !== undefined) this.#inherited = { ...this.#inherited, [key]: value };
    }
  }

  close(error?: unknown): void {
    if (error !== undefined) {
      const code = typeof error === "object" && error !== null && "code" in error && typeof error.code === "string" ? error.code : "failed";
      // The code and never the text, which may hold anything.
      this.#span.setStatus({ code: this.#api.SpanStatusCode.ERROR, message: code });
      this.#span.setAttribute("error.type", code);
    }
    this.#span.end();
  }
}

function attributesOf(facts: JsonObject | undefined): SpanAttributes {
  const attributes: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(facts ?? {})) {
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") attributes[`ditto.${name}`] = value;
  }
  return attributes;
}
