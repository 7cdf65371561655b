import { ConformanceError } from "./conformance-error.ts";

/** Something open that may have an end. */
export interface Closable {
  readonly close?: (() => Promise<void> | void) | undefined;
}

/**
 * Works with what was opened and closes it, whatever happens.
 *
 * @param open Opens it.
 * @param work Tries it.
 * @throws ConformanceError `CONFORMANCE_FAILED` also where the subject itself throws what nobody expected; that is the `cause`.
 */
export async function withOpened<T extends Closable>(open: () => Promise<T>, work: (opened: T) => Promise<void>): Promise<void> {
  try {
    const opened = await open();
    try {
      await work(opened);
    } finally {
      await opened.close?.();
    }
  } catch (error) {
    if (error instanceof ConformanceError) throw error;
    throw new ConformanceError(`The subject failed: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
