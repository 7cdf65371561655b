import { BroadcastChannel } from "node:worker_threads";

/** A text that keeps the scripted thread busy until it is released. */
export interface HeldText {
  readonly text: string;
  /** Resolves when a thread has begun with it. */
  readonly begun: Promise<void>;
  /** Lets the thread go on once it has begun: before that it does not listen yet, and would wait for ever. */
  release(): Promise<void>;
}

let count = 0;

/** @returns A text of its own channel; release it before the test ends. */
export function heldText(): HeldText {
  count += 1;
  const name = `held-${process.pid}-${count}`;
  const channel = new BroadcastChannel(name);
  const begun = new Promise<void>((resolve) => {
    channel.onmessage = () => resolve();
  });
  return {
    text: `hold ${name}`,
    begun,
    async release() {
      await begun;
      channel.postMessage("go on");
      channel.close();
    },
  };
}
