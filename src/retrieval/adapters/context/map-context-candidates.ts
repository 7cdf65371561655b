import { createHash } from "node:crypto";
import { canonicalJson } from "../../../base/canonical-json.ts";
import { findNonJson } from "../../../base/find-non-json.ts";
import type { ContextItem } from "../../../contracts/context.ts";
import { ContextError } from "../../../contracts/context-error.ts";
import type { JsonObject, JsonValue } from "../../../contracts/json.ts";
import type { RetrievalCandidate, RetrievalSearchOutput, RetrievalTarget } from "../../../contracts/retrieval.ts";

/**
 * Makes context items of candidates.
 *
 * An item's id is a hash of the target and of the candidate's id, or else its `source.ref`, or else its content: the same record
 * gets the same id in every search. `source.ref` becomes `source.uri`; the metadata is the candidate's with `score` and
 * `retrievalTarget`.
 *
 * @param output A search's answer.
 * @returns One item for each candidate, in their order.
 * @throws ContextError `INVALID_PROVIDER_OUTPUT` for content or metadata that is not JSON.
 * @example
 * ```ts
 * mapContextCandidates({ target: { name: "docs" }, candidates: [{ id: "1", content: "Evidence", score: 0.8 }] });
 * ```
 */
export function mapContextCandidates(output: RetrievalSearchOutput): readonly ContextItem[] {
  return output.candidates.map((candidate, index) => toItem(candidate, index, output.target));
}

function toItem(candidate: RetrievalCandidate, index: number, target: RetrievalTarget): ContextItem {
  const { source, score } = candidate;
  const content = checkJson(candidate.content, `The content of candidates[${index}]`);
  const metadata = checkJson(candidate.metadata ?? {}, `The metadata of candidates[${index}]`) as JsonObject;
  const { name, type, namespace } = target;
  const retrievalTarget = { name, ...(type === undefined ? {} : { type }), ...(namespace === undefined ? {} : { namespace }) };
  return {
    id: `retrieval:${hash([name, type ?? null, namespace ?? null, source?.target ?? null, ...identity(candidate, content)])}`,
    content,
    ...(source?.ref === undefined ? {} : { source: { uri: source.ref } }),
    metadata: { ...metadata, ...(score === undefined ? {} : { score }), retrievalTarget },
  };
}

/** Says which member it took, so that an id never equals a content of the same text. */
function identity({ id, source }: RetrievalCandidate, content: JsonValue): readonly [string, JsonValue] {
  if (id !== undefined) return ["id", id];
  return source?.ref === undefined ? ["content", content] : ["ref", source.ref];
}

function hash(value: JsonValue): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex").slice(0, 32);
}

function checkJson(value: unknown, what: string): JsonValue {
  if (value === undefined || findNonJson(value) !== undefined) throw new ContextError("INVALID_PROVIDER_OUTPUT", `${what} is not JSON`);
  return value as JsonValue;
}
