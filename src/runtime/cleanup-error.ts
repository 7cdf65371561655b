/** Closing went through to the end, but some cleaning up failed; `errors` says what. */
export class CleanupError extends AggregateError {
  readonly code = "CLEANUP_FAILED";

  /** @param errors What was thrown while cleaning up. */
  constructor(errors: readonly unknown[]) {
    super(errors, `Closing the Runtime: ${errors.length} worker(s) failed to clean up`);
    this.name = "CleanupError";
  }
}
