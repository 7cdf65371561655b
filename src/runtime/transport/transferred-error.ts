import { CodedError, type ErrorFamily, isCodedError } from "../../contracts/coded-error.ts";
import { ContextError } from "../../contracts/context-error.ts";
import { MemoryError } from "../../contracts/memory-error.ts";
import { RetrievalError } from "../../contracts/retrieval-error.ts";
import { NoWorkerAvailableError } from "../no-worker-available-error.ts";
import { RuntimeError, type RuntimeErrorCode } from "../runtime-error.ts";
import type { TransferredError } from "./invoke-envelope.ts";

type Restore = (error: TransferredError, node: string) => CodedError;

/** How an error of each family becomes itself again on the caller's side. */
const restoreByFamily: Readonly<Record<ErrorFamily, Restore>> = {
  memory: ({ code, message }) => new MemoryError(code, message),
  retrieval: ({ code, message }) => new RetrievalError(code, message),
  context: ({ code, message }) => new ContextError(code, message),
  runtime: ({ code, message }, node) =>
    code === "NO_WORKER_AVAILABLE" ? new NoWorkerAvailableError(node) : new RuntimeError(code as RuntimeErrorCode, message),
  plugin: ({ code, message }) => new CodedError("plugin", code, message),
  pipeline: ({ code, message }) => new CodedError("pipeline", code, message),
};

/**
 * Prepares an error for its way out of the process: family, code and public message of a coded one. Of any other nothing
 * leaves, since its text may hold anything.
 */
export function transferError(error: unknown): TransferredError {
  const families = Object.keys(restoreByFamily) as ErrorFamily[];
  const family = families.find((name) => isCodedError(error, name));
  if (family === undefined) return { family: "runtime", code: "NODE_FAILED", message: "The node failed in its worker" };
  const { code, message } = error as CodedError;
  return { family, code, message };
}

/**
 * Makes an error of what came from another process.
 *
 * @param error Family, code and message.
 * @param node The node that was called.
 */
export function restoreError(error: TransferredError, node: string): CodedError {
  const restore = Object.hasOwn(restoreByFamily, error.family) ? restoreByFamily[error.family as ErrorFamily] : restoreByFamily.runtime;
  return restore(error, node);
}
