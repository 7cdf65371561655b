import type { Context, ContextCompressInput, ContextLoadInput, ContextSelectInput, ContextSelection, ContextUpdateInput } from "../../contracts/context.ts";
import type { ContextCallOptions, ContextServices } from "../../contracts/context-services.ts";
import type { InputOf, OutputOf } from "../../contracts/node-contract-map.ts";
import type { ContextPolicy } from "../../contracts/runtime-config.ts";

/** What `createContext` and `createContextWorker` take. */
export interface ContextOptions {
  /** Caps and rules; each member that is absent comes from `ditto.yaml` (in a worker) or is built in. */
  readonly policy?: ContextPolicy | undefined;
  readonly services?: ContextServices | undefined;
  /** Calls that a worker runs at once: a positive integer, unlimited by default. The SDK does not read it. */
  readonly concurrency?: number | undefined;
}

/** The four nodes of CONTEXT. */
export type ContextNode = "CONTEXT.LOAD" | "CONTEXT.UPDATE" | "CONTEXT.SELECT" | "CONTEXT.COMPRESS";

/**
 * CONTEXT without a Runtime. Results are independent, deeply frozen snapshots; a failure rejects with a ContextError, and an abort
 * with the signal's reason.
 */
export interface ContextSdk {
  /** Runs a node by its name; an unknown one rejects with `UNKNOWN_NODE`. */
  execute<N extends ContextNode>(node: N, input: InputOf<N>, options?: ContextCallOptions): Promise<OutputOf<N>>;
  /** Makes a Context of messages, references and items. */
  load(input: ContextLoadInput, options?: ContextCallOptions): Promise<Context>;
  /** Removes items, then adds items, then takes in what came from nodes. */
  update(input: ContextUpdateInput, options?: ContextCallOptions): Promise<Context>;
  /** Chooses items for a purpose, within caps; nothing stored changes. */
  select(input: ContextSelectInput, options?: ContextCallOptions): Promise<ContextSelection>;
  /** Removes whole groups of items until the rest fits the budget. */
  compress(input: ContextCompressInput, options?: ContextCallOptions): Promise<Context>;
}
