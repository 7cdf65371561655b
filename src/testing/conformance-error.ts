import { CodedError } from "../contracts/coded-error.ts";

/** A subject that does not do what every subject of its kind must do. */
export class ConformanceError extends CodedError {
  /** What it did, where that is a value; runners show both. */
  declare readonly actual?: unknown;
  /** What it should have done. */
  declare readonly expected?: unknown;

  /**
   * @param message What is wrong.
   * @param values `actual` and `expected`, and what was thrown as `cause`.
   */
  constructor(message: string, values: { readonly actual?: unknown; readonly expected?: unknown; readonly cause?: unknown } = {}) {
    super("plugin", "CONFORMANCE_FAILED", message, "cause" in values ? { cause: values.cause } : undefined);
    this.name = "ConformanceError";
    if ("actual" in values) this.actual = values.actual;
    if ("expected" in values) this.expected = values.expected;
  }
}
