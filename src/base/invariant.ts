/**
 * Stops the program where one of our own assumptions turns out wrong.
 *
 * It is for faults of this program only: an author's mistake is a diagnostic, the outside world's is a coded error.
 *
 * @param condition What must hold.
 * @param message What was assumed, for the developer who reads the trace.
 * @throws Error When `condition` is falsy.
 */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Internal fault: ${message}`);
}
