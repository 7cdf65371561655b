/**
 * The mark of this package's errors. It is a registered symbol, so that an error made by a second copy of the
 * package (a plugin with its own installation) is still recognised.
 */
const brand: unique symbol = Symbol.for("@codesoul-co/ditto/error");

/** The families of coded errors; each has its own codes. */
export type ErrorFamily = "memory" | "retrieval" | "context" | "runtime" | "plugin" | "pipeline";

/**
 * An error with a stable code and a message that may be shown to anybody.
 *
 * Decide by `code`, never by the message's text. What went wrong underneath, if anything, is in `cause` and is never shown.
 */
export class CodedError extends Error {
  readonly code: string;

  /**
   * @param family The family whose code this is.
   * @param code The stable code.
   * @param message A public sentence: no credentials, no text of a backend.
   * @param options `cause` keeps the error underneath for the application's own logs.
   */
  constructor(family: ErrorFamily, code: string, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = "CodedError";
    this.code = code;
    Object.defineProperty(this, brand, { value: family });
  }
}

/**
 * Tells whether a value is a coded error, also one of another copy of this package.
 *
 * @param value Anything that was thrown.
 * @param family When given, only errors of that family.
 */
export function isCodedError(value: unknown, family?: ErrorFamily): value is CodedError {
  if (typeof value !== "object" || value === null) return false;
  const found = (value as { readonly [brand]?: unknown })[brand];
  return family === undefined ? typeof found === "string" : found === family;
}
