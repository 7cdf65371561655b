import type { Readable } from "node:stream";

/** Where a command writes. */
export interface CliOutput {
  write(text: string): void;
  readonly isTerminal: boolean;
  /** Columns of a line. */
  readonly columns: number;
  /** Whether colour is wanted. */
  readonly color: boolean;
}

/** What surrounds a command. */
export interface CliContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute working directory. */
  readonly cwd: string;
  readonly stdin: Readable;
  /** Results, and nothing else. */
  readonly out: CliOutput;
  /** Diagnostics, progress and everything that is no result. */
  readonly err: CliOutput;
  /** Aborts at Ctrl-C. */
  readonly signal: AbortSignal;
}

/**
 * The context of this process.
 *
 * @param signal Aborts at Ctrl-C.
 */
export function processContext(signal: AbortSignal): CliContext {
  const { env, stdin, stdout, stderr } = process;
  return { env, cwd: process.cwd(), stdin, out: output(stdout), err: output(stderr), signal };
}

/** Columns where nobody says how wide a line is. */
const defaultColumns = 100;

function output(stream: NodeJS.WriteStream): CliOutput {
  const isTerminal = stream.isTTY === true;
  const { NO_COLOR, TERM, COLUMNS } = process.env;
  const asked = Number(COLUMNS);
  return {
    write: (text) => void stream.write(text),
    isTerminal,
    get columns() {
      return isTerminal && stream.columns > 0 ? stream.columns : Number.isInteger(asked) && asked > 0 ? asked : defaultColumns;
    },
    color: isTerminal && (NO_COLOR ?? "") === "" && TERM !== "dumb",
  };
}
