import type { RetrievalProviderRegistry, RetrievalSearchProvider, RetrievalTarget } from "../contracts/retrieval.ts";
import { RetrievalError } from "../contracts/retrieval-error.ts";

/** The strategies of one target. */
export interface RetrievalTargetEntry {
  /** The strategy of requests that name none; one of `providers`. */
  readonly defaultStrategy: string;
  /** Providers by strategy. `rag` is no strategy here: it is CONTEXT's. */
  readonly providers: Readonly<Record<string, RetrievalSearchProvider>>;
}

/**
 * Finds providers by a target's name and a strategy.
 *
 * Targets and strategies are copied at construction; later changes of the given objects change nothing. The target's type,
 * namespace and metadata play no part.
 *
 * @example
 * ```ts
 * const providers = new RetrievalTargetRegistry({
 *   kb: { defaultStrategy: "hybrid", providers: { vector, hybrid } },
 * });
 * ```
 */
export class RetrievalTargetRegistry implements RetrievalProviderRegistry {
  readonly #targets: ReadonlyMap<string, Target>;

  /**
   * @param targets Entries by target name.
   * @throws RetrievalError `RETRIEVAL_INVALID_INPUT` for an entry of the wrong shape, `RETRIEVAL_STRATEGY_UNSUPPORTED` for `rag` or a
   *   default that is not registered.
   */
  constructor(targets: Readonly<Record<string, RetrievalTargetEntry>>) {
    this.#targets = new Map(Object.entries(targets).map(([name, entry]) => [checkName(name), snapshot(name, entry)]));
  }

  /**
   * Finds a provider.
   *
   * @param target Only its `name` counts.
   * @param strategy By default the target's.
   * @throws RetrievalError `RETRIEVAL_TARGET_NOT_FOUND` or `RETRIEVAL_STRATEGY_UNSUPPORTED`.
   */
  resolve(target: RetrievalTarget, strategy?: string): RetrievalSearchProvider {
    const { defaultStrategy, providers } = this.#target(target);
    const provider = providers.get(strategy ?? defaultStrategy);
    if (provider === undefined) throw new RetrievalError("RETRIEVAL_STRATEGY_UNSUPPORTED", "The target has no such strategy");
    return provider;
  }

  /**
   * Tells which strategy serves requests that name none.
   *
   * @throws RetrievalError `RETRIEVAL_TARGET_NOT_FOUND`.
   */
  defaultStrategy(target: RetrievalTarget): string {
    return this.#target(target).defaultStrategy;
  }

  #target(target: RetrievalTarget): Target {
    const found = this.#targets.get(target.name);
    if (found === undefined) throw new RetrievalError("RETRIEVAL_TARGET_NOT_FOUND", "No such target is registered");
    return found;
  }
}

interface Target {
  readonly defaultStrategy: string;
  readonly providers: ReadonlyMap<string, RetrievalSearchProvider>;
}

function snapshot(name: string, entry: RetrievalTargetEntry): Target {
  const providers = new Map(Object.entries(entry.providers ?? {}));
  for (const strategy of providers.keys()) {
    checkName(strategy);
    if (strategy === "rag") throw new RetrievalError("RETRIEVAL_STRATEGY_UNSUPPORTED", `"rag" cannot be a strategy of the target "${name}"`);
  }
  if (!providers.has(entry.defaultStrategy)) {
    throw new RetrievalError("RETRIEVAL_STRATEGY_UNSUPPORTED", `The default strategy of the target "${name}" is not registered`);
  }
  return { defaultStrategy: entry.defaultStrategy, providers };
}

function checkName(name: string): string {
  if (name === "") throw new RetrievalError("RETRIEVAL_INVALID_INPUT", "A target or strategy has an empty name");
  return name;
}
