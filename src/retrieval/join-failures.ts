import { RetrievalError } from "../contracts/retrieval-error.ts";
import { codeOf, publicError } from "./public-error.ts";

/** Something that failed, and what it is called. */
export interface FailedStep {
  readonly step: string;
  readonly error: unknown;
}

/**
 * Makes one error of what failed together, so that none of it is lost.
 *
 * @param decisive The failure whose code the error has.
 * @param failed All failures, the decisive one among them.
 * @returns A single failure's own error; of several, an error with the codes of all in `failures` and their errors in `cause`.
 */
export function joinFailures(decisive: FailedStep, failed: readonly FailedStep[]): unknown {
  if (failed.length === 1) return decisive.error;
  const first = publicError(decisive.error, undefined);
  const others = failed.filter((failure) => failure !== decisive);
  // What several were refused for alike is said once.
  const different = others.filter(({ error }) => codeOf(error) !== first.code || publicError(error, undefined).message !== first.message);
  const also = different.map(({ step, error }) => `"${step}" (${codeOf(error)})`).join(", ");
  return new RetrievalError(first.code, different.length === 0 ? first.message : `${first.message} (also failed: ${also})`, {
    cause: new AggregateError([decisive, ...others].map(({ error }) => error)),
    retryAfterMs: first.retryAfterMs,
    failures: [decisive, ...others].map(({ step, error }) => ({ step, code: codeOf(error) })),
  });
}
