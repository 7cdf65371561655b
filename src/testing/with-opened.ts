/** Something open that may have an end. */
export interface Closable {
  readonly close?: (() => Promise<void> | void) | undefined;
}

/**
 * Works with what was opened and closes it, whatever happens.
 *
 * @param open Opens it.
 * @param work Tries it.
 */
export async function withOpened<T extends Closable>(open: () => Promise<T>, work: (opened: T) => Promise<void>): Promise<void> {
  const opened = await open();
  try {
    await work(opened);
  } finally {
    await opened.close?.();
  }
}
