import { isCodedError } from "../contracts/coded-error.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { CliContext } from "./cli-context.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { hintFor } from "./hint-for.ts";
import { paintFor } from "./render/paint.ts";
import { UsageError } from "./usage-error.ts";

/** A command that failed. */
interface FailedCommand {
  readonly command: string | undefined;
  readonly context: CliContext;
  /** Whether it was asked for JSON: then standard output gets `{ error: { code, message, hint?, diagnostics? } }` and nothing else. */
  readonly json?: boolean | undefined;
}

/**
 * Tells on standard error what went wrong: one message with its code and the way out, never a stack unless `DITTO_DEBUG=1`.
 *
 * The text of an error without a code is not shown, for it may hold anything, such as an address with a password.
 *
 * @returns The exit status that belongs to it.
 */
export async function reportError(error: unknown, { command, context, json }: FailedCommand): Promise<ExitCode> {
  const { err } = context;
  const paint = paintFor(err);
  const debug = (context.env["DITTO_DEBUG"] ?? "") !== "";
  if (context.signal.aborted) {
    err.write("interrupted\n");
    return exitCodes.interrupted;
  }
  if (json === true) context.out.write(`${JSON.stringify({ error: await describe(error) }, null, 2)}\n`);
  if (error instanceof UsageError) {
    err.write(`${paint("red", "error")} ${paint("dim", command === undefined ? "ditto" : `ditto ${command}`)}: ${error.message}\n`);
    if (error.hint !== undefined) err.write(`  ${error.hint}\n`);
    return exitCodes.usage;
  }
  if (isCodedError(error)) {
    const diagnostics = diagnosticsOf(error);
    if (diagnostics.length > 0) err.write((await import("../diagnostics/format-pretty.ts")).formatPretty(diagnostics, { color: err.color }));
    else err.write(`${paint("red", "error")} ${paint("dim", error.code)} ${error.message}\n`);
    const hint = hintFor(error.code);
    if (hint !== undefined && diagnostics.length === 0) err.write(`  ${hint}\n`);
    if (debug) err.write(stackOf(error));
    return exitCodes.failed;
  }
  err.write(`${paint("red", "fault")} ditto failed in a way that it should not (${nameOf(error)})\n`);
  err.write(debug ? stackOf(error) : "  DITTO_DEBUG=1 shows where; please report it with that\n");
  return exitCodes.fault;
}

async function describe(error: unknown): Promise<Readonly<Record<string, unknown>>> {
  if (error instanceof UsageError) return { code: "USAGE", message: error.message, hint: error.hint };
  if (!isCodedError(error)) return { code: "FAULT", message: "ditto failed in a way that it should not" };
  const diagnostics = diagnosticsOf(error);
  const { diagnosticRecord } = await import("../diagnostics/format-json.ts");
  return {
    code: error.code,
    message: error.message,
    hint: hintFor(error.code),
    diagnostics: diagnostics.length === 0 ? undefined : diagnostics.map(diagnosticRecord),
  };
}

function diagnosticsOf(error: object): readonly Diagnostic[] {
  return "diagnostics" in error && Array.isArray(error.diagnostics) ? (error.diagnostics as readonly Diagnostic[]) : [];
}

/** The name, and the sentence of one of our own assumptions, which holds no value from outside. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return error.message.startsWith("Internal fault: ") ? error.message.slice("Internal fault: ".length) : error.name;
}

/** Where it happened. Only messages of coded errors and of slips of the program are shown: others may quote anything. */
function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return `${typeof error}\n`;
  const cause = error.cause === undefined ? "" : `caused by: ${stackOf(error.cause)}`;
  const code = "code" in error && typeof error.code === "string" ? ` ${error.code}` : "";
  const isSlip = [TypeError, RangeError, ReferenceError].some((kind) => error.constructor === kind) || error.message.startsWith("Internal fault: ");
  const message = isCodedError(error) || isSlip ? `: ${error.message}` : "";
  const frames = (error.stack ?? "").split("\n").filter((line) => /^ {4}at /u.test(line));
  return `${[`${error.name}${code}${message}`, ...frames].join("\n")}\n${cause}`;
}
