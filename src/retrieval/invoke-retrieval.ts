import { isCodedError } from "../contracts/coded-error.ts";
import type { NodeResult } from "../contracts/node-result.ts";
import type { RetrievalSearchInput, RetrievalSearchOutput } from "../contracts/retrieval.ts";
import { RetrievalError } from "../contracts/retrieval-error.ts";
import type { InvokeOptions, RuntimeClient } from "../contracts/runtime-client.ts";
import { checkSearchOutput, invalidOutput } from "./check-search-output.ts";

/**
 * Asks `RETRIEVAL.SEARCH` of a Runtime and unwraps its answer.
 *
 * @param runtime The Runtime; without one nothing can be asked.
 * @param call The request, and the options of the invocation.
 * @returns The output, checked against the request.
 * @throws RetrievalError With the code of the failed result; `RETRIEVAL_PROVIDER_UNAVAILABLE` without a Runtime or worker,
 *   `RETRIEVAL_TIMEOUT` for a transport that gave up.
 */
export async function invokeRetrieval(
  runtime: Pick<RuntimeClient, "invoke"> | undefined,
  call: { readonly input: RetrievalSearchInput; readonly options: InvokeOptions },
): Promise<RetrievalSearchOutput> {
  if (typeof runtime?.invoke !== "function") {
    throw new RetrievalError("RETRIEVAL_PROVIDER_UNAVAILABLE", "There is no Runtime to delegate to: outside a worker it has to be passed");
  }
  const result = await runtime.invoke("RETRIEVAL.SEARCH", call.input, call.options).catch((error: unknown) => {
    throw fromRuntimeError(error);
  });
  if (result?.status === "success") return checkSearchOutput(result.output, call.input);
  throw failureOf(result);
}

function fromRuntimeError(error: unknown): unknown {
  const code = isCodedError(error, "runtime") ? codes.get(error.code) : undefined;
  return code === undefined ? error : new RetrievalError(code, "RETRIEVAL.SEARCH could not be delegated", { cause: error });
}

const codes: ReadonlyMap<string, string> = new Map([
  ["NO_WORKER_AVAILABLE", "RETRIEVAL_PROVIDER_UNAVAILABLE"],
  ["TRANSPORT_NOT_FOUND", "RETRIEVAL_PROVIDER_UNAVAILABLE"],
  ["TRANSPORT_TIMEOUT", "RETRIEVAL_TIMEOUT"],
  ["PAYLOAD_NOT_SERIALIZABLE", "RETRIEVAL_INVALID_INPUT"],
  ["CANCELLED", "RETRIEVAL_CANCELLED"],
]);

function failureOf(result: NodeResult<unknown> | undefined): RetrievalError {
  const code = statusCodes.get(String(result?.status));
  if (code === undefined) return invalidOutput("RETRIEVAL.SEARCH answered with no result");
  return new RetrievalError(result?.error?.code ?? code, result?.error?.message ?? "RETRIEVAL.SEARCH failed");
}

const statusCodes: ReadonlyMap<string, string> = new Map([
  ["failed", "RETRIEVAL_BACKEND_ERROR"],
  ["cancelled", "RETRIEVAL_CANCELLED"],
  ["timeout", "RETRIEVAL_TIMEOUT"],
]);
