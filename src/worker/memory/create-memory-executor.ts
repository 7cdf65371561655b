import { uniqueId } from "../../base/unique-id.ts";
import { runUntilAborted } from "../../base/run-until-aborted.ts";
import type {
  MemoryCallOptions,
  MemoryDeleteInput,
  MemoryGetInput,
  MemoryQueryInput,
  MemoryResources,
  MemorySearchInput,
  MemoryUpdateInput,
  MemoryWriteInput,
} from "../../contracts/memory.ts";
import { MemoryError } from "../../contracts/memory-error.ts";
import type { OutputOf } from "../../contracts/node-contract-map.ts";
import type { NodeResult } from "../../contracts/node-result.ts";
import { checkMemoryOutput as check } from "./check-memory-output.ts";
import { memoryFailure } from "./memory-failure.ts";
import type { MemoryExecuteOptions, MemoryNode, MemoryOptions } from "./memory-options.ts";
import { readMemoryInput as read } from "./read-memory-input.ts";

/** Runs a node for an SDK or a worker. */
export type MemoryExecutor = <N extends MemoryNode>(node: N, input: unknown, options?: MemoryExecuteOptions) => Promise<OutputOf<N>>;

/**
 * Makes the one executor that the SDK and the worker share.
 *
 * @param options Store, search and default limits; the limits are read here, once.
 * @returns A function that never rejects for what a caller or a plugin did wrong: it answers with a frozen NodeResult.
 */
export function createMemoryExecutor(options: MemoryOptions): MemoryExecutor {
  const resources: MemoryResources = { store: options.store, search: options.search };
  const defaults = { queryLimit: options.defaults?.queryLimit, searchLimit: options.defaults?.searchLimit };
  return async <N extends MemoryNode>(node: N, input: unknown, callOptions: MemoryExecuteOptions = {}) => {
    const result: NodeResult<unknown> = await runNode(node, input, {
      resources,
      queryLimit: defaults.queryLimit ?? callOptions.queryLimit ?? 100,
      searchLimit: defaults.searchLimit ?? callOptions.searchLimit ?? 10,
      call: { signal: callOptions.signal, runtime: callOptions.runtime, trace: callOptions.trace, hold: callOptions.hold },
    });
    return result as OutputOf<N>;
  };
}

interface Run {
  readonly resources: MemoryResources;
  readonly queryLimit: number;
  readonly searchLimit: number;
  readonly call: MemoryCallOptions;
}

async function runNode(node: string, input: unknown, run: Run): Promise<NodeResult<unknown>> {
  const executionId = uniqueId();
  const { signal } = run.call;
  try {
    signal?.throwIfAborted();
    const operation = Object.hasOwn(operations, node) ? operations[node] : undefined;
    if (!operation) throw new MemoryError("UNKNOWN_NODE", "MEMORY has no such node");
    const output = await operation(input, run);
    return Object.freeze({ executionId, node, status: "success", output });
  } catch (thrown) {
    const { status, error } = memoryFailure(thrown, signal);
    return Object.freeze({ executionId, node, status, error: Object.freeze(error) });
  }
}

const operations: Readonly<Record<string, (input: unknown, run: Run) => Promise<unknown>>> = {
  "MEMORY.GET": async (value, run) => {
    const input: MemoryGetInput = read.get(value);
    if (!input.ids?.length && !input.keys?.length) return Object.freeze([]);
    return check.get(await ask(run, (call) => run.resources.store.get(input, call)), input);
  },
  "MEMORY.QUERY": async (value, run) => {
    const input: MemoryQueryInput = read.query(value, run.queryLimit);
    return check.query(await ask(run, (call) => run.resources.store.query(input, call)), input);
  },
  "MEMORY.SEARCH": async (value, run) => {
    const input: MemorySearchInput = read.search(value, run.searchLimit);
    const provider = run.resources.search ?? run.resources.store;
    if (typeof provider.search !== "function") throw new MemoryError("SEARCH_UNAVAILABLE", "Neither a search nor a store that can search is configured");
    return check.search(await ask(run, (call) => provider.search?.(input, call)), input);
  },
  "MEMORY.WRITE": async (value, run) => {
    const input: MemoryWriteInput = read.write(value);
    if (input.memories.length === 0) return Object.freeze([]);
    return check.write(await ask(run, (call) => run.resources.store.write(input, call)), input);
  },
  "MEMORY.UPDATE": async (value, run) => {
    const input: MemoryUpdateInput = read.update(value);
    if (input.memories.length === 0) return Object.freeze([]);
    return check.update(await ask(run, (call) => run.resources.store.update(input, call)), input);
  },
  "MEMORY.DELETE": async (value, run) => {
    const input: MemoryDeleteInput = read.delete(value);
    if (input.ids.length === 0) return Object.freeze({ deleted: Object.freeze([]) });
    return check.delete(await ask(run, (call) => run.resources.store.delete(input, call)), input);
  },
};

/** Plugins are called as methods of their own object, and what outlives an abort goes to `hold`. */
function ask(run: Run, method: (call: MemoryCallOptions) => unknown): Promise<unknown> {
  return runUntilAborted(async () => method(run.call), run.call);
}
