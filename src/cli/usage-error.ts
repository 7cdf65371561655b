/** The command line cannot be carried out as it was written. */
export class UsageError extends Error {
  /** The way out, one sentence. */
  readonly hint: string | undefined;

  /**
   * @param message One sentence without a full stop.
   * @param options `hint`: what to write instead.
   */
  constructor(message: string, options: { readonly hint?: string | undefined } = {}) {
    super(message);
    this.name = "UsageError";
    this.hint = options.hint;
  }
}
