import type { JsonObject } from "../contracts/json.ts";
import type { SearchAgain, TraceSpan } from "../contracts/trace.ts";

/** One step of a request, with what it did and the steps below it. */
export interface TraceStep {
  readonly kind: string;
  readonly label: string;
  /** Milliseconds from the beginning of the request. */
  readonly startMs: number;
  /** Undefined for a step that has not ended. */
  readonly elapsedMs?: number | undefined;
  /** Why it failed; never the error's text. */
  readonly code?: string | undefined;
  readonly facts: JsonObject;
  readonly steps: readonly TraceStep[];
}

/** Records the steps of a request: for `--trace` with numbers alone, for `--explain` with every candidate. */
export class TraceRecorder {
  readonly #root: RecordedStep;

  /** @param options `brief` for numbers alone; with lists of candidates otherwise. */
  constructor({ brief = false }: { readonly brief?: boolean | undefined } = {}) {
    this.#root = new RecordedStep({ kind: "request", label: "", brief, origin: performance.now() });
  }

  /** The span to hand to a request. */
  get root(): TraceSpan {
    return this.#root;
  }

  /** What was recorded up to now. */
  get steps(): readonly RecordedStep[] {
    return this.#root.steps;
  }
}

/** A step while it is recorded. As JSON it is a {@link TraceStep}. */
export class RecordedStep implements TraceSpan, TraceStep {
  readonly kind: string;
  readonly label: string;
  readonly startMs: number;
  readonly steps: RecordedStep[] = [];
  readonly brief: boolean;
  facts: JsonObject;
  elapsedMs: number | undefined;
  code: string | undefined;
  /** The search that the step asks, where it asks one that can be asked again. */
  again: SearchAgain | undefined;
  readonly #origin: number;

  constructor(step: {
    readonly kind: string;
    readonly label: string;
    readonly brief: boolean;
    readonly origin: number;
    readonly facts?: JsonObject | undefined;
  }) {
    this.kind = step.kind;
    this.label = step.label;
    this.brief = step.brief;
    this.facts = step.facts ?? {};
    this.#origin = step.origin;
    this.startMs = performance.now() - step.origin;
  }

  open(kind: string, label: string, facts?: JsonObject): TraceSpan {
    const step = new RecordedStep({ kind, label, facts, brief: this.brief, origin: this.#origin });
    this.steps.push(step);
    return step;
  }

  add(facts: JsonObject): void {
    this.facts = { ...this.facts, ...facts };
  }

  close(error?: unknown): void {
    this.elapsedMs ??= performance.now() - this.#origin - this.startMs;
    this.code ??= codeOf(error);
  }

  offer(again: SearchAgain): void {
    if (!this.brief) this.again = again;
  }

  toJSON(): TraceStep {
    const { kind, label, startMs, elapsedMs, code, facts, steps } = this;
    const ended = elapsedMs === undefined ? {} : { elapsedMs: rounded(elapsedMs) };
    return { kind, label, startMs: rounded(startMs), ...ended, ...(code === undefined ? {} : { code }), facts, steps };
  }
}

function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

function codeOf(error: unknown): string | undefined {
  if (error === undefined) return undefined;
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "failed";
}
