import type { HitStep } from "../explain/explain-hits.ts";
import type { DiagnosticRecord } from "../diagnostics/format-json.ts";
import type { JsonObject } from "../contracts/json.ts";
import type { Generation } from "../live/live-pipelines.ts";

// What the inspector's server tells its page, as JSON.

/** How all pipelines stand. */
export interface InspectorState {
  readonly folder: string;
  readonly watching: boolean;
  readonly pipelines: readonly PipelineState[];
}

/** How one file stands. */
export interface PipelineState {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  /** Undefined where the file was never right. */
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** What serves; undefined where nothing does. */
  readonly generation?: Generation | undefined;
  /** Requests that run. */
  readonly running: number;
  /** Why what the file says now does not serve. */
  readonly error?: { readonly code: string; readonly message: string } | undefined;
  readonly problems: readonly Problem[];
  readonly targets: readonly { readonly name: string; readonly default: string; readonly strategies: readonly string[] }[];
  readonly graphs: readonly string[];
}

/** A diagnostic with its line of source. */
export interface Problem extends DiagnosticRecord {
  /** The way out, as a sentence. */
  readonly help?: string | undefined;
  readonly frame?: { readonly lineNumber: number; readonly line: string; readonly marks: string } | undefined;
}

/** A search of the page. */
export interface InspectorRequest {
  readonly query: string;
  readonly target?: string | undefined;
  readonly strategy?: string | undefined;
  readonly namespace?: string | undefined;
  readonly filter?: JsonObject | undefined;
  /** 1..100, by default 10. */
  readonly limit?: number | undefined;
}

/** An answer, and that of the generation before where the same was asked. */
export interface InspectorAnswers {
  readonly answer: InspectorAnswer;
  readonly previous?: InspectorAnswer | undefined;
}

/** An answer with everything that says why it is so. */
export interface InspectorAnswer {
  readonly generation: Generation;
  readonly target: string;
  readonly strategy: string;
  readonly elapsedMs: number;
  readonly hits: readonly InspectorHit[];
  /** The outermost fusion with everything that its branches brought; undefined where nothing is fused. */
  readonly fusion?: InspectorFusion | undefined;
  /** What was skipped or replaced. */
  readonly degraded: readonly { readonly step: string; readonly code: string }[];
  readonly trace: readonly TraceLine[];
  /** What parts of the picture did, by their id. */
  readonly parts: Readonly<Record<string, string>>;
}

/** A result. */
export interface InspectorHit {
  readonly id: string;
  readonly rank: number;
  readonly score?: number | undefined;
  readonly title: string;
  /** The beginning of the content. */
  readonly text: string;
  readonly metadata?: JsonObject | undefined;
  readonly steps: HitStep;
}

/** A fusion that can be done again with other weights. */
export interface InspectorFusion {
  readonly method: "rrf" | "minmax";
  readonly rrfK: number;
  /** How many it keeps. */
  readonly limit: number;
  /** Whether its order is the answer's; otherwise steps above change it. */
  readonly isWhole: boolean;
  readonly branches: readonly FusionBranchHits[];
}

/** What one branch brought, in its order. */
export interface FusionBranchHits {
  readonly label: string;
  readonly weight: number;
  readonly hits: readonly { readonly id: string; readonly target?: string | undefined; readonly score?: number | undefined; readonly title: string }[];
}

/** A step of the trace as one line. */
export interface TraceLine {
  readonly depth: number;
  readonly kind: string;
  readonly label: string;
  readonly startMs: number;
  readonly elapsedMs?: number | undefined;
  readonly code?: string | undefined;
  readonly told: string;
}
