import { deepFreeze } from "../base/deep-freeze.ts";
import type { RetrievalDefaults } from "../contracts/retrieval.ts";
import { RetrievalError } from "../contracts/retrieval-error.ts";
import { checkInteger, largestLimit } from "./numbers.ts";

/**
 * Copies, checks and freezes default numbers, so that a later change of the given object changes nothing.
 *
 * @param defaults As in `config.retrieval`; absent is empty.
 * @returns A frozen copy of the known members.
 * @throws RetrievalError `RETRIEVAL_INVALID_INPUT` for a number out of its range.
 */
export function snapshotDefaults(defaults: RetrievalDefaults | undefined): RetrievalDefaults {
  if (defaults === undefined) return empty;
  if (typeof defaults !== "object" || defaults === null) throw new RetrievalError("RETRIEVAL_INVALID_INPUT", "defaults must be an object");
  return deepFreeze({
    searchLimit: checked(defaults.searchLimit, "searchLimit", largestLimit),
    embedding: {
      batchSize: checked(defaults.embedding?.batchSize, "embedding.batchSize", 2048),
      dimensions: checked(defaults.embedding?.dimensions, "embedding.dimensions"),
    },
    hybrid: {
      candidateLimit: checked(defaults.hybrid?.candidateLimit, "hybrid.candidateLimit", largestLimit),
      rrfK: checked(defaults.hybrid?.rrfK, "hybrid.rrfK"),
    },
    rerank: { candidateLimit: checked(defaults.rerank?.candidateLimit, "rerank.candidateLimit", largestLimit) },
  });
}

/**
 * Joins defaults of several levels, member by member.
 *
 * @param levels The strongest first.
 * @returns For each number the first level's that has it.
 */
export function joinDefaults(...levels: readonly (RetrievalDefaults | undefined)[]): RetrievalDefaults {
  const given = levels.filter((level) => level !== undefined && level !== empty) as readonly RetrievalDefaults[];
  if (given.length <= 1) return given[0] ?? empty;
  const first = (read: (level: RetrievalDefaults) => number | undefined): number | undefined => {
    for (const level of given) {
      const value = read(level);
      if (value !== undefined) return value;
    }
    return undefined;
  };
  return {
    searchLimit: first((level) => level.searchLimit),
    embedding: { batchSize: first((level) => level.embedding?.batchSize), dimensions: first((level) => level.embedding?.dimensions) },
    hybrid: { candidateLimit: first((level) => level.hybrid?.candidateLimit), rrfK: first((level) => level.hybrid?.rrfK) },
    rerank: { candidateLimit: first((level) => level.rerank?.candidateLimit) },
  };
}

const empty: RetrievalDefaults = Object.freeze({});

function checked(value: number | undefined, name: string, max?: number): number | undefined {
  return value === undefined ? undefined : checkInteger(value, { name: `defaults.${name}`, ...(max === undefined ? {} : { max }) });
}
