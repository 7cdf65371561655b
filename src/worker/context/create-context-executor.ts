import { ContextError } from "../../contracts/context-error.ts";
import type { ContextCallOptions, ContextServices } from "../../contracts/context-services.ts";
import type { OutputOf } from "../../contracts/node-contract-map.ts";
import type { ContextPolicy } from "../../contracts/runtime-config.ts";
import { compressContext } from "./compress-context.ts";
import type { ContextNode, ContextOptions } from "./context-options.ts";
import type { ContextRun } from "./context-run.ts";
import { ContextValueReader } from "./context-value-reader.ts";
import { loadContext } from "./load-context.ts";
import { resolveContextPolicy } from "./resolve-context-policy.ts";
import { selectContext } from "./select-context.ts";
import { updateContext } from "./update-context.ts";

/** Runs a node for an SDK or a worker; `policy` holds where the constructor's says nothing. */
export type ContextExecutor = <N extends ContextNode>(
  node: N,
  input: unknown,
  options?: ContextCallOptions & { readonly policy?: ContextPolicy | undefined },
) => Promise<OutputOf<N>>;

/**
 * Makes the one executor that the SDK and the worker share.
 *
 * @param options Policy and services; both are read here, once.
 * @throws ContextError `INVALID_INPUT` for a policy that is out of range.
 */
export function createContextExecutor(options: ContextOptions = {}): ContextExecutor {
  const services: ContextServices = { ...options.services };
  const own: ContextPolicy = { ...options.policy };
  resolveContextPolicy(own);
  return async <N extends ContextNode>(node: N, input: unknown, callOptions: Parameters<ContextExecutor>[2] = {}) => {
    const { policy: fallback, signal, runtime, trace, hold } = callOptions;
    signal?.throwIfAborted();
    const operation = Object.hasOwn(operations, node) ? operations[node] : undefined;
    if (!operation) throw new ContextError("UNKNOWN_NODE", "CONTEXT has no such node");
    const policy = resolveContextPolicy(own, fallback);
    const output = await operation(input, {
      policy,
      services,
      call: { signal, runtime, trace, hold },
      request: new ContextValueReader("INVALID_INPUT", policy.maxInlineBytes),
      answer: new ContextValueReader("INVALID_PROVIDER_OUTPUT", policy.maxInlineBytes),
    });
    return output as OutputOf<N>;
  };
}

const operations: Readonly<Record<string, (input: unknown, run: ContextRun) => Promise<unknown>>> = {
  "CONTEXT.LOAD": loadContext,
  "CONTEXT.UPDATE": updateContext,
  "CONTEXT.SELECT": selectContext,
  "CONTEXT.COMPRESS": compressContext,
};
