import type { Context, ContextItem, ContextScope, ContextSelectInput, MessageContent, Reference } from "./context.ts";
import type { JsonObject } from "./json.ts";
import type { RuntimeClient } from "./runtime-client.ts";
import type { TraceSpan } from "./trace.ts";

/** Last argument of every method of CONTEXT and of everything that CONTEXT asks. */
export interface ContextCallOptions {
  readonly signal?: AbortSignal | undefined;
  /** The Runtime of the running call; a worker gives it, an application rarely does. */
  readonly runtime?: Pick<RuntimeClient, "invoke"> | undefined;
  readonly trace?: TraceSpan | undefined;
  /** Keeps the worker's slot until the promise settles, for work that outlives its answer. */
  readonly hold?: ((work: Promise<unknown>) => void) | undefined;
}

/** What a selector or a RAG strategy is asked. */
export interface ContextSelectRequest {
  /** The request as it came; its `limit` is the caller's own wish and may be absent. */
  readonly input: ContextSelectInput;
  /** The working set: the one of the request, or the one that is stored under its scope. */
  readonly context: Context;
  /** Items that will be kept at most: the request's limit and the policy's cap, whichever is lower. Never 0. */
  readonly limit: number;
  /** Token budget that will be applied, where there is one. */
  readonly maxTokens?: number | undefined;
}

/** Finds items for `CONTEXT.SELECT` with the strategy `rag`. */
export interface ContextRagStrategy {
  /**
   * @param request The whole request, the working set and the caps that hold.
   * @param options Signal and Runtime of the call, to be handed on.
   * @returns Items, best first. Doubles and what is too much are dropped by SELECT; nothing is stored.
   */
  select(request: ContextSelectRequest, options?: ContextCallOptions): Promise<readonly ContextItem[]>;
}

/** Chooses among the items of the working set, for `CONTEXT.SELECT` with the strategy `provider`. */
export interface ContextSelector {
  /**
   * @param request The whole request with the provider's `name` and `options`, the working set and the caps that hold.
   * @param options Signal and Runtime of the call, to be handed on.
   * @returns Ids of items of the working set, best first.
   */
  select(
    request: ContextSelectRequest & { readonly name: string; readonly options?: JsonObject | undefined },
    options?: ContextCallOptions,
  ): Promise<readonly string[]>;
}

/** Replaces the built-in removal of `CONTEXT.COMPRESS`. */
export interface ContextCompressor {
  /**
   * @param request The working set and the budget.
   * @param options Signal and Runtime of the call, to be handed on.
   * @returns A Context within the budget that holds every protected item, and of each call group all items or none.
   */
  compress(
    request: { readonly context: Context; readonly maxItems: number; readonly maxTokens?: number | undefined },
    options?: ContextCallOptions,
  ): Promise<Context>;
}

/** Counts the tokens of one item. */
export interface ContextTokenEstimator {
  /** @returns A finite number of at least 0. */
  estimate(item: ContextItem, options?: ContextCallOptions): number | Promise<number>;
}

/** Fetches what a reference points to. */
export interface ContextReferenceResolver {
  /** @returns The content: finite, acyclic JSON. */
  resolve(reference: Reference, options?: ContextCallOptions): Promise<MessageContent>;
}

/** A stored working set. */
export interface ContextState {
  /** Opaque, never empty and never used twice for one scope, so that no change goes unnoticed. */
  readonly version: string;
  readonly context: Context;
}

/** Keeps working sets by scope. */
export interface ContextStateStore {
  /** @returns The stored state, or `undefined` where there is none (any more). */
  get(scope: ContextScope, options?: ContextCallOptions): Promise<ContextState | undefined>;
  /**
   * Stores `next` in one atomic step, provided that nothing has changed since.
   *
   * @param scope Where.
   * @param expectedVersion The version that was read, or `undefined` where nothing was stored.
   * @param next The new working set; the store gives it a new version.
   * @param options Signal of the call.
   * @returns Whether it was stored.
   */
  compareAndSet(scope: ContextScope, expectedVersion: string | undefined, next: Context, options?: ContextCallOptions): Promise<boolean>;
}

/** Lets the operations of one scope run one after the other. */
export interface ContextOperationQueue {
  /**
   * Runs an operation after all earlier ones of the same scope.
   *
   * @returns What the operation returns.
   * @throws ContextError `QUEUE_FULL` when too many wait.
   */
  run<T>(scope: ContextScope, operation: () => Promise<T>, options?: ContextCallOptions): Promise<T>;
}

/** What an application gives to CONTEXT; everything is optional. */
export interface ContextServices {
  /** For the strategy `provider`. */
  readonly selector?: ContextSelector | undefined;
  /** For the strategy `rag`. */
  readonly ragStrategy?: ContextRagStrategy | undefined;
  /** Instead of the built-in removal. */
  readonly compressor?: ContextCompressor | undefined;
  /** Instead of ceil(UTF-8 JSON bytes / 4). */
  readonly tokenEstimator?: ContextTokenEstimator | undefined;
  /** For `resolveReferences`. */
  readonly referenceResolver?: ContextReferenceResolver | undefined;
  /** For requests with a `scope`. */
  readonly stateStore?: ContextStateStore | undefined;
  /** Serialises the changes of one scope in this process. */
  readonly queue?: ContextOperationQueue | undefined;
}
