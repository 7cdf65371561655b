import { CodedError } from "../contracts/coded-error.ts";
import { type Diagnostic, diagnosticMessage } from "../diagnostics/diagnostic.ts";
import { diagnosticPosition } from "../diagnostics/diagnostic-position.ts";

/** A configuration that cannot be used: every fault of it, each with its place. */
export class ConfigurationError extends CodedError {
  /** Sorted by place. */
  readonly diagnostics: readonly Diagnostic[];

  /**
   * @param code `CONFIGURATION_INVALID` or `CONFIGURATION_NOT_FOUND`.
   * @param diagnostics What is wrong; the message lists all of it.
   * @param options `cause` keeps the error underneath.
   */
  constructor(code: "CONFIGURATION_INVALID" | "CONFIGURATION_NOT_FOUND", diagnostics: readonly Diagnostic[], options?: { readonly cause?: unknown }) {
    super("runtime", code, diagnostics.map(line).join("\n"), options);
    this.name = "ConfigurationError";
    this.diagnostics = diagnostics;
  }
}

function line(diagnostic: Diagnostic): string {
  const { file, span, suggestion, hint } = diagnostic;
  const position = diagnosticPosition(file, span);
  const place = file.text === "" ? file.path : `${file.path}:${position.line}:${position.column}`;
  const help = suggestion === undefined ? hint : `did you mean "${suggestion}"?`;
  return `${place} ${diagnosticMessage(diagnostic)}${help === undefined ? "" : ` (${help})`}`;
}
