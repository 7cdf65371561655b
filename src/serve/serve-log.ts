import type { JsonObject } from "../contracts/json.ts";

/** How much a line of the log matters. */
export type LogLevel = "info" | "warn" | "error";

/** Writes a line of the log: one JSON object. */
export type ServeLog = (level: LogLevel, event: string, facts?: Readonly<Record<string, unknown>>) => void;

/**
 * Makes a log of JSON lines: `time`, `level`, `event`, then the facts; those that are undefined are left out.
 *
 * @param write Where lines go, such as standard error.
 */
export function serveLog(write: (line: string) => void): ServeLog {
  return (level, event, facts) => write(`${JSON.stringify({ time: new Date().toISOString(), level, event, ...facts } as JsonObject)}\n`);
}
