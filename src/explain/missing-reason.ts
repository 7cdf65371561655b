import type { JsonObject } from "../contracts/json.ts";

/** Why a document is not in an answer. */
export type MissingCode =
  /** No collection that the search reaches has it. */
  | "not-in-collection"
  /** It is a record that is kept in chunks, which are found one by one. */
  | "kept-in-chunks"
  /** It belongs to another scope than the request's. */
  | "other-scope"
  /** A condition of the filter leaves it out. */
  | "filtered"
  /** The search ranks nothing of it: no word of the query, no vector. */
  | "not-found"
  /** The search finds it behind the last candidate that it brings. */
  | "beyond-pool"
  /** A reranker does not put it among the best. */
  | "reranked-below"
  /** A `where` leaves it out: a floor under scores, a condition. */
  | "below-floor"
  /** Another one of its group stands for it. */
  | "deduplicated"
  /** Its whole record is gone. */
  | "gone"
  /** It comes behind the last result that was asked for. */
  | "beyond-limit"
  /** The step that may have found it failed and was left out. */
  | "step-failed"
  /** The step leaves it out for a reason that it does not tell. */
  | "left-out";

/** One reason, and the step that it holds for. */
export interface MissingReason {
  readonly code: MissingCode;
  /** Names from the outermost step inwards: `kb/hybrid > keyword`; empty for what holds for all. */
  readonly step: string;
  /** A sentence for people. */
  readonly text: string;
  /** Ranks, limits, conditions: what the sentence says, for programs. */
  readonly facts: JsonObject;
}
