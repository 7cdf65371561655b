import type { RuntimeEvent } from "../contracts/runtime-client.ts";
import { assertText } from "./assert-argument.ts";
import { Activity } from "./activity.ts";

/** Takes an event; what it throws is kept for `drainEvents`. */
export type EventHandler = (event: RuntimeEvent) => void | Promise<void>;

/** A handler's failure, with the event that it was given. */
export interface EventFailure {
  readonly event: RuntimeEvent;
  readonly error: unknown;
}

/** Hands events to handlers. An application may give its own, for several Runtimes to share. */
export interface RuntimeEvents {
  /**
   * @param handler Called for each event that is accepted from now on.
   * @returns Ends the subscription.
   */
  subscribe(handler: EventHandler): () => void;
  /** Accepts an event; does not wait for its handlers. */
  emit(event: RuntimeEvent): Promise<void>;
  /** Waits for the handlers that run, then returns their failures since the last time and forgets them. */
  drain(): Promise<readonly EventFailure[]>;
  /** Waits for the handlers that run. */
  idle(): Promise<void>;
}

/** Failures that are kept where nobody drains; the oldest go first. */
const maxFailures = 1000;

/** Events within this process, in the order of their acceptance. */
export class InProcessEvents implements RuntimeEvents {
  readonly #handlers = new Set<EventHandler>();
  readonly #activity = new Activity();
  #failures: EventFailure[] = [];

  subscribe(handler: EventHandler): () => void {
    const own: EventHandler = (event) => handler(event);
    this.#handlers.add(own);
    return () => {
      this.#handlers.delete(own);
    };
  }

  /** @throws RuntimeError `INVALID_ARGUMENT` for an event without a type. */
  async emit(event: RuntimeEvent): Promise<void> {
    assertText("An event's type", event?.type);
    for (const handler of this.#handlers) this.#deliver(handler, event);
  }

  async drain(): Promise<readonly EventFailure[]> {
    await this.idle();
    const failures = this.#failures;
    this.#failures = [];
    return failures;
  }

  idle(): Promise<void> {
    return this.#activity.idle();
  }

  /** Each handler starts in its own turn, so that a slow or failing one is nothing to the others or to the emitter. */
  #deliver(handler: EventHandler, event: RuntimeEvent): void {
    this.#activity.enter();
    Promise.resolve(event)
      .then(handler)
      .catch((error: unknown) => {
        this.#failures.push({ event, error });
        if (this.#failures.length > maxFailures) this.#failures.shift();
      })
      .finally(() => this.#activity.leave());
  }
}
