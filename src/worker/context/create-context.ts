import type { ContextOptions, ContextSdk } from "./context-options.ts";
import { createContextExecutor } from "./create-context-executor.ts";

/**
 * Makes CONTEXT for direct use, without a Runtime.
 *
 * @param options
 * - `policy`: `maxInlineBytes` (UTF-8 bytes of one item's content as JSON; built-in 65536), `maxItems` (256), `maxTokens` (unset), each
 *   1..1000000; `duplicate` (`replace`), `missingRemoval` (`ignore`). Pass `config.context.policy` to use that of `ditto.yaml`.
 * - `services`: selector, RAG strategy, compressor, token estimator, reference resolver, state store, queue.
 * @returns An object with `execute`, `load`, `update`, `select` and `compress`. Their failures reject with a ContextError.
 * @throws ContextError `INVALID_INPUT` for a policy that is out of range.
 * @example
 * ```ts
 * const context = createContext({ policy: { maxItems: 50 } });
 * const loaded = await context.load({ sources: [{ role: "user", content: "Hello" }] });
 * const { selectedItemIds } = await context.select({ context: loaded, purpose: "infer", maxTokens: 2000 });
 * ```
 */
export function createContext(options: ContextOptions = {}): ContextSdk {
  const execute = createContextExecutor(options);
  return Object.freeze<ContextSdk>({
    execute: (node, input, callOptions) => execute(node, input, callOptions),
    load: (input, callOptions) => execute("CONTEXT.LOAD", input, callOptions),
    update: (input, callOptions) => execute("CONTEXT.UPDATE", input, callOptions),
    select: (input, callOptions) => execute("CONTEXT.SELECT", input, callOptions),
    compress: (input, callOptions) => execute("CONTEXT.COMPRESS", input, callOptions),
  });
}
