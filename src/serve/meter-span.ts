import { isRecord } from "../base/is-record.ts";
import type { JsonObject, JsonValue } from "../contracts/json.ts";
import type { TraceSpan } from "../contracts/trace.ts";
import type { ServeMetrics } from "./serve-metrics.ts";

/** A search that ended within a request. */
export interface FinishedSearch {
  /** `target/strategy`. */
  readonly label: string;
  readonly elapsedMs: number;
  /** What the trace tells of it; `hits` unless numbers are enough. */
  readonly facts: JsonObject;
}

/** What a request's steps are told to. */
export interface MeterOptions {
  readonly pipeline: string;
  readonly metrics: Pick<ServeMetrics, "stepSeconds">;
  /** Told of the searches that are not part of another one, with their hits; without it numbers are enough. */
  readonly onSearch?: ((search: FinishedSearch) => void) | undefined;
}

/** Kinds of steps whose time is kept by name. */
const measured: ReadonlySet<string> = new Set(["branch", "embed", "rerank", "node", "call"]);

/** Measures the steps of a request as they end, and keeps none of them. */
export class MeterSpan implements TraceSpan {
  readonly brief: boolean;
  readonly #options: MeterOptions;
  readonly #kind: string;
  readonly #label: string;
  readonly #inSearch: boolean;
  readonly #startedAt = performance.now();
  #facts: { [key: string]: JsonValue } = {};

  constructor(options: MeterOptions, step: { readonly kind: string; readonly label: string; readonly inSearch: boolean } = request) {
    this.brief = options.onSearch === undefined;
    this.#options = options;
    this.#kind = step.kind;
    this.#label = step.label;
    this.#inSearch = step.inSearch;
  }

  open(kind: string, label: string, facts?: JsonObject): TraceSpan {
    const span = new MeterSpan(this.#options, { kind, label, inSearch: this.#inSearch || this.#kind === "search" });
    if (facts !== undefined) span.add(facts);
    return span;
  }

  add(facts: JsonObject): void {
    if (!this.brief) Object.assign(this.#facts, facts);
  }

  close(error?: unknown): void {
    const elapsedMs = performance.now() - this.#startedAt;
    const { pipeline, metrics, onSearch } = this.#options;
    if (measured.has(this.#kind)) metrics.stepSeconds.observe({ pipeline, kind: this.#kind, label: this.#label }, elapsedMs / 1000);
    if (onSearch !== undefined && this.#kind === "search" && !this.#inSearch && error === undefined) {
      onSearch({ label: this.#label, elapsedMs, facts: this.#facts });
    }
  }
}

const request = { kind: "request", label: "", inSearch: false };

/** The ids and scores of a search's hits, as the trace tells them. */
export function hitsOf({ hits }: JsonObject): readonly { readonly id: JsonValue; readonly score: JsonValue }[] {
  if (!Array.isArray(hits)) return [];
  return hits.flatMap((hit) => (isRecord(hit) ? [{ id: (hit.id ?? null) as JsonValue, score: (hit.score ?? null) as JsonValue }] : []));
}
