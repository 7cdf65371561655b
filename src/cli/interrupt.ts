import { exitCodes } from "./exit-codes.ts";

/** Ctrl-C and a polite request to end, as a signal. */
export interface Interrupt {
  readonly signal: AbortSignal;
  /** Takes the listeners off. */
  stop(): void;
}

/** Listens for Ctrl-C: the first one asks for an orderly end, the second one ends at once. */
export function listenForInterrupt(): Interrupt {
  const controller = new AbortController();
  const listener = (): void => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted);
    controller.abort();
  };
  process.on("SIGINT", listener);
  process.on("SIGTERM", listener);
  return {
    signal: controller.signal,
    stop: () => {
      process.off("SIGINT", listener);
      process.off("SIGTERM", listener);
    },
  };
}
