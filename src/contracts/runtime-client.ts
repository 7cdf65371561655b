import type { InputOf, NodeType, OutputOf } from "./node-contract-map.ts";
import type { TraceSpan } from "./trace.ts";

/** Options of one invocation. */
export interface InvokeOptions {
  /** Pins the call to one worker; by default any worker with the capability and free capacity. */
  readonly workerId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told about the call and what it does; stays within this process. */
  readonly trace?: TraceSpan | undefined;
}

/** Something that happened, told to subscribers in this process. */
export interface RuntimeEvent {
  readonly type: string;
  readonly data?: unknown;
}

/** The part of the Runtime that handlers and adapters use. */
export interface RuntimeClient {
  /**
   * Runs one node and returns what it returns.
   *
   * @param node The node's name.
   * @param input Its input.
   * @param options Worker and signal.
   * @throws NoWorkerAvailableError when no worker can take the call now.
   */
  invoke<N extends NodeType>(node: N, input: InputOf<N>, options?: InvokeOptions): Promise<OutputOf<N>>;
  /** Hands an event to the subscribers; acknowledges acceptance only. */
  emit(event: RuntimeEvent): Promise<void>;
}
