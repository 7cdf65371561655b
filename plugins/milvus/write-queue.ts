/**
 * Runs work one after the other for the same name, within this process.
 *
 * Milvus has no transactions, so this is all that keeps keys unique and updates from being lost.
 *
 * @param name What is written to.
 * @param signal Gives up waiting for a turn; work that began goes on.
 */
export async function inTurn<T>(name: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  const before = turns.get(name) ?? Promise.resolve();
  let end = (): void => undefined;
  const mine = new Promise<void>((resolve) => {
    end = resolve;
  });
  const last = before.then(() => mine);
  turns.set(name, last);
  try {
    await before;
    signal?.throwIfAborted();
    return await work();
  } finally {
    end();
    if (turns.get(name) === last) turns.delete(name);
  }
}

/** The end of the last turn, by name. */
const turns = new Map<string, Promise<void>>();
