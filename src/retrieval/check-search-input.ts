import { isRecord } from "../base/is-record.ts";
import type { RetrievalSearchInput } from "../contracts/retrieval.ts";
import { RetrievalError } from "../contracts/retrieval-error.ts";
import { checkInteger, largestLimit } from "./numbers.ts";

/**
 * Checks a request before anything is asked.
 *
 * @param input Whatever the caller passed.
 * @returns The same value, typed.
 * @throws RetrievalError `RETRIEVAL_INVALID_INPUT`.
 */
export function checkSearchInput(input: unknown): RetrievalSearchInput {
  if (!isRecord(input)) throw invalid("The request must be an object");
  const { query, target } = input;
  if (!isRecord(query)) throw invalid("query must be an object");
  if (query.content === undefined) throw invalid("query.content is missing");
  checkRecord(query.metadata, "query.metadata");
  if (!isRecord(target)) throw invalid("target must be an object");
  checkName(target.name, "target.name", true);
  checkName(target.type, "target.type");
  checkName(target.namespace, "target.namespace");
  checkRecord(target.metadata, "target.metadata");
  checkName(input.strategy, "strategy");
  checkRecord(input.filter, "filter");
  checkRecord(input.options, "options");
  if (input.limit !== undefined) checkInteger(input.limit, { name: "limit", max: largestLimit });
  return input as unknown as RetrievalSearchInput;
}

function checkName(value: unknown, place: string, required = false): void {
  if (value === undefined && !required) return;
  if (typeof value !== "string" || value === "") throw invalid(`${place} must be a non-empty text`);
}

/** A Map or another class would look like an empty filter to a backend, so only plain objects pass. */
function checkRecord(value: unknown, place: string): void {
  if (value !== undefined && !isRecord(value)) throw invalid(`${place} must be an object`);
}

function invalid(message: string): RetrievalError {
  return new RetrievalError("RETRIEVAL_INVALID_INPUT", message);
}
