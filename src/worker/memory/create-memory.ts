import { createMemoryExecutor } from "./create-memory-executor.ts";
import type { Memory, MemoryOptions } from "./memory-options.ts";

/**
 * Makes MEMORY for direct use, without a Runtime.
 *
 * It calls the plugins as they are and never opens or closes a connection. Default limits come from `defaults`; pass
 * `config.memory` there to use those of `ditto.yaml`.
 *
 * @param options
 * - `store`: where memories are kept; its own `search` serves `MEMORY.SEARCH`.
 * - `search`: replaces the store's search.
 * - `defaults`: `queryLimit` (1..10000, built-in 100) and `searchLimit` (1..10000, built-in 10), read once. A value out of range
 *   gives `INVALID_INPUT` to the calls that would use it.
 * @returns An object with `execute`, `get`, `query`, `search`, `write`, `update` and `delete`. Failures are results with `status`
 *   `failed` (or `cancelled`, `timeout`) and one of `INVALID_INPUT`, `UNKNOWN_NODE`, `SEARCH_UNAVAILABLE`, `INVALID_BACKEND_OUTPUT`,
 *   `MEMORY_BACKEND_ERROR`, `MEMORY_CANCELLED`, or the plugin's own code.
 * @example
 * ```ts
 * const memory = createMemory({ store, defaults: { searchLimit: 5 } });
 * const result = await memory.search({ query: "preferred language" });
 * if (result.status === "success") console.log(result.output);
 * ```
 */
export function createMemory(options: MemoryOptions): Memory {
  const execute = createMemoryExecutor(options);
  return Object.freeze<Memory>({
    execute: (node, input, callOptions) => execute(node, input, callOptions),
    get: (input, callOptions) => execute("MEMORY.GET", input, callOptions),
    query: (input, callOptions) => execute("MEMORY.QUERY", input, callOptions),
    search: (input, callOptions) => execute("MEMORY.SEARCH", input, callOptions),
    write: (input, callOptions) => execute("MEMORY.WRITE", input, callOptions),
    update: (input, callOptions) => execute("MEMORY.UPDATE", input, callOptions),
    delete: (input, callOptions) => execute("MEMORY.DELETE", input, callOptions),
  });
}
