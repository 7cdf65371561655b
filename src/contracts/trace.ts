import type { JsonObject } from "./json.ts";

/**
 * One step of a request, told to whoever asked for a trace.
 *
 * It is the only sink there is: `--explain`, `--trace`, spans, search events and the inspector all read it. Where nobody
 * asked, `trace` is undefined and nothing is computed for it.
 */
export interface TraceSpan {
  /**
   * Opens a step below this one.
   *
   * @param kind What does the step: `search`, `branch`, `embed`, `rerank`, `node`, `statement`, ...
   * @param label Its name in the pipeline, such as `kb/hybrid`.
   * @param facts What is known already.
   */
  open(kind: string, label: string, facts?: JsonObject): TraceSpan;
  /** Adds facts, such as counts; a fact of the same name is replaced. */
  add(facts: JsonObject): void;
  /** Ends the step; the time is taken here. With an error, its code is kept and never its text. */
  close(error?: unknown): void;
}
