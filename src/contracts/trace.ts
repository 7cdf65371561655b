import type { JsonObject } from "./json.ts";
import type { RetrievalSearchInput, RetrievalSearchOutput } from "./retrieval.ts";

/**
 * One step of a request, told to whoever asked for a trace.
 *
 * It is the only sink there is: `--explain`, `--trace`, spans, search events and the inspector all read it. Where nobody
 * asked, `trace` is undefined and nothing is computed for it.
 */
export interface TraceSpan {
  /** Numbers are enough: lists of candidates are then not told. False where left out. */
  readonly brief?: boolean | undefined;
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
  /** Takes the search that this step asks, to ask it once more when an answer is explained; absent where nobody will. */
  offer?(again: SearchAgain): void;
}

/** A search that can be asked once more with another limit or filter, as long as its pipeline is open. */
export interface SearchAgain {
  /** The request as the search got it: rewritten, embedded, with its limit. */
  readonly input: RetrievalSearchInput;
  /**
   * @param input The request, changed.
   * @returns What the search says to it; no trace tells of it.
   */
  ask(input: RetrievalSearchInput): Promise<RetrievalSearchOutput>;
}
