import { type ErrorFamily, isCodedError } from "../contracts/coded-error.ts";
import { ConformanceError } from "./conformance-error.ts";

/** How a refusal may look. */
export interface Refusal {
  /** The family of the error. */
  readonly family: ErrorFamily;
  /** Its code; any of the family where this is left out. */
  readonly codes?: readonly string[] | undefined;
}

/**
 * Wants something to fail with a coded error.
 *
 * @param work What must fail.
 * @param refusal Which errors count.
 * @param what Says in the failure what was tried.
 * @throws ConformanceError `CONFORMANCE_FAILED` where it succeeds, and where it fails in another way.
 */
export async function assertRefused(work: () => unknown, refusal: Refusal, what: string): Promise<void> {
  const { family, codes } = refusal;
  let answer: unknown;
  try {
    answer = await work();
  } catch (error) {
    if (!isCodedError(error, family)) throw new ConformanceError(`${what} failed without a code of ${family}`, { cause: error });
    if (codes === undefined || codes.includes(error.code)) return;
    throw new ConformanceError(`${what} failed with ${error.code}, and not with ${codes.join(" or ")}`, { cause: error, actual: error.code, expected: codes });
  }
  throw new ConformanceError(`${what} was not refused`, { actual: answer });
}
