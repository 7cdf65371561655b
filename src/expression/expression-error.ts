import { CodedError } from "../contracts/coded-error.ts";

/** `EXPRESSION_FAILED`: a value was missing or of the wrong type. `EXPRESSION_LIMIT`: the evaluation was too costly. */
export type ExpressionErrorCode = "EXPRESSION_FAILED" | "EXPRESSION_LIMIT";

/** A failure of an evaluation. Its message names the place in the expression and never a value. */
export class ExpressionError extends CodedError {
  /** Where it happened: offsets like those of the expression's problems. */
  readonly start: number;
  readonly end: number;

  /**
   * @param code One of {@link ExpressionErrorCode}.
   * @param message A sentence without values.
   * @param details `start` and `end` of the place; `cause` keeps the error underneath, such as a plugin function's.
   */
  constructor(code: ExpressionErrorCode, message: string, details: { readonly start: number; readonly end: number; readonly cause?: unknown }) {
    super("pipeline", code, message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "ExpressionError";
    this.start = details.start;
    this.end = details.end;
  }
}
