import type { RetrievalCandidate, RetrievalSearchInput, RetrievalSearchOutput } from "../contracts/retrieval.ts";
import { RetrievalError } from "../contracts/retrieval-error.ts";

/**
 * Checks what a provider answered against what it was asked.
 *
 * Only the shape is judged: order, scores and ids are the provider's. A missing `strategy` passes, another one than asked does not.
 *
 * @param output Whatever came back.
 * @param input The request it answers; its `limit` bounds the count when it is there.
 * @returns The same value, typed.
 * @throws RetrievalError `RETRIEVAL_INVALID_BACKEND_OUTPUT`.
 */
export function checkSearchOutput(output: unknown, input: RetrievalSearchInput): RetrievalSearchOutput {
  if (!isObject(output)) throw invalidOutput("The answer is no object");
  const { candidates, target, strategy, metadata } = output;
  if (!Array.isArray(candidates)) throw invalidOutput("The answer has no list of candidates");
  if (input.limit !== undefined && candidates.length > input.limit) {
    throw invalidOutput(`The answer has ${candidates.length} candidates, more than the limit of ${input.limit}`);
  }
  if (!isObject(target)) throw invalidOutput("The answer names no target");
  for (const key of ["name", "type", "namespace"] as const) {
    if (target[key] !== input.target[key]) throw invalidOutput(`The answer's target has another ${key} than the request's`);
  }
  if (strategy !== undefined && typeof strategy !== "string") throw invalidOutput("The answer's strategy is no text");
  if (strategy !== undefined && input.strategy !== undefined && strategy !== input.strategy) {
    throw invalidOutput("The answer comes from another strategy than the one asked");
  }
  if (metadata !== undefined && !isObject(metadata)) throw invalidOutput("The answer's metadata is no object");
  for (let index = 0; index < candidates.length; index += 1) {
    const problem = candidateProblem(candidates[index]);
    if (problem !== undefined) throw invalidOutput(`candidates[${index}] ${problem}`);
  }
  return output as unknown as RetrievalSearchOutput;
}

/** Makes the error for an answer that breaks the contract. */
export function invalidOutput(message: string): RetrievalError {
  return new RetrievalError("RETRIEVAL_INVALID_BACKEND_OUTPUT", message);
}

function candidateProblem(candidate: unknown): string | undefined {
  if (!isObject(candidate)) return "is no object";
  const { id, content, score, source, metadata } = candidate as Partial<Record<keyof RetrievalCandidate, unknown>>;
  if (content === undefined) return "has no content";
  if (id !== undefined && (typeof id !== "string" || id === "")) return "has an id that is no non-empty text";
  if (score !== undefined && !Number.isFinite(score)) return "has a score that is no finite number";
  if (metadata !== undefined && !isObject(metadata)) return "has metadata that is no object";
  if (source === undefined) return undefined;
  if (!isObject(source)) return "has a source that is no object";
  if (source.target !== undefined && typeof source.target !== "string") return "has a source target that is no text";
  if (source.ref !== undefined && typeof source.ref !== "string") return "has a source ref that is no text";
  return undefined;
}

/** Looser than for requests: an answer may be made of a driver's own classes. */
function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
