import { isRecord } from "../base/is-record.ts";
import type { RetrievalTarget } from "../contracts/retrieval.ts";
import { RetrievalError } from "../contracts/retrieval-error.ts";

/**
 * Copies and freezes a target, so that a later change of the given object changes nothing.
 *
 * @throws RetrievalError `RETRIEVAL_INVALID_INPUT` for a target without a name.
 */
export function snapshotTarget(target: RetrievalTarget): RetrievalTarget {
  if (!isRecord(target) || typeof target.name !== "string" || target.name === "") {
    throw new RetrievalError("RETRIEVAL_INVALID_INPUT", "target must be an object with a name");
  }
  const { metadata } = target;
  return Object.freeze({ ...target, ...(metadata === undefined ? {} : { metadata: Object.freeze({ ...metadata }) }) });
}
