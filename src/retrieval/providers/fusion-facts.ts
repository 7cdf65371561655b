import type { JsonObject, JsonValue } from "../../contracts/json.ts";
import { type FusionBranch, type FusionOptions, fuseCandidates } from "./fuse-candidates.ts";

/** What a trace tells of a fusion: every candidate that any branch brought, in the order of the fusion, before it is cut to the limit. */
export function fusionFacts(branches: readonly FusionBranch[], options: Omit<FusionOptions, "limit">): JsonObject {
  const { candidates } = fuseCandidates(branches, { ...options, limit: Number.POSITIVE_INFINITY });
  return {
    fusion: { method: options.fusion, ...(options.fusion === "rrf" ? { rrfK: options.rrfK } : {}) },
    weights: branches.map(({ weight }) => weight),
    fused: candidates.map(({ id, source, score }): JsonValue => {
      const target = source?.target === undefined ? {} : { target: source.target };
      return { id: id ?? source?.ref ?? null, ...target, score: score as number };
    }),
  };
}
