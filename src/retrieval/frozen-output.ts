import { isRecord } from "../base/is-record.ts";
import type { RetrievalCandidate, RetrievalSearchInput, RetrievalSearchOutput, RetrievalTarget } from "../contracts/retrieval.ts";

/**
 * Copies an answer for the caller and freezes the copy, without freezing what a provider or application still owns.
 *
 * Lists, candidates and metadata are copied. `content` is handed on as it is: it is the application's own value.
 *
 * @param output An answer that has been checked.
 * @param input The request: its strategy is the answer's.
 */
export function frozenOutput(output: RetrievalSearchOutput, input: RetrievalSearchInput): RetrievalSearchOutput {
  const strategy = input.strategy ?? output.strategy;
  const copies = new Map<unknown, unknown>();
  return Object.freeze({
    candidates: Object.freeze(output.candidates.map((candidate) => frozenCandidate(candidate, copies))),
    ...(strategy === undefined ? {} : { strategy }),
    target: frozenTarget(output.target, copies),
    ...(output.metadata === undefined ? {} : { metadata: frozenTree(output.metadata, copies) }),
  });
}

function frozenCandidate(candidate: RetrievalCandidate, copies: Map<unknown, unknown>): RetrievalCandidate {
  const { id, content, score, source, metadata } = candidate;
  return Object.freeze({
    ...(id === undefined ? {} : { id }),
    content,
    ...(score === undefined ? {} : { score }),
    ...(source === undefined ? {} : { source: Object.freeze({ ...source }) }),
    ...(metadata === undefined ? {} : { metadata: frozenTree(metadata, copies) }),
  });
}

function frozenTarget(target: RetrievalTarget, copies: Map<unknown, unknown>): RetrievalTarget {
  return Object.freeze({ ...target, ...(target.metadata === undefined ? {} : { metadata: frozenTree(target.metadata, copies) }) });
}

/** Copies arrays and plain objects; cycles and shared parts stay what they are, and values of other classes stay themselves. */
function frozenTree<T>(value: T, copies: Map<unknown, unknown>): T {
  const list = Array.isArray(value);
  if (!list && !isRecord(value)) return value;
  const known = copies.get(value);
  if (known !== undefined) return known as T;
  if (list) {
    const copy: unknown[] = [];
    copies.set(value, copy);
    for (const item of value) copy.push(frozenTree(item, copies));
    return Object.freeze(copy) as T;
  }
  const copy: Record<string, unknown> = {};
  copies.set(value, copy);
  for (const key of Object.keys(value)) {
    const member = value[key];
    const frozen = typeof member === "object" ? frozenTree(member, copies) : member;
    // A member named __proto__ must stay a member.
    if (key === "__proto__") Object.defineProperty(copy, key, { value: frozen, enumerable: true });
    else copy[key] = frozen;
  }
  return Object.freeze(copy) as T;
}
