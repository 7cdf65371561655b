import type { JsonSchema } from "../../contracts/json-schema.ts";
import type { RerankProvider } from "../../contracts/retrieval.ts";
import { createGuardedReranker } from "../../retrieval/providers/guarded-reranker.ts";
import { labelSchema, timeoutSchema } from "../search-options.ts";

/** What every reranker's configuration may hold beside its own keys. */
export interface RerankerOptions {
  readonly timeoutMs?: number;
  readonly label?: string;
  readonly onError: "fail" | "skip";
}

/** The keys that every reranker has. */
export const rerankerOptionSchemas: Readonly<Record<string, JsonSchema>> = {
  timeoutMs: timeoutSchema,
  label: labelSchema,
  onError: {
    enum: ["fail", "skip"],
    default: "fail",
    description: "`skip` keeps the pool's order, without scores, when the reranker fails; the answer then says that it is degraded.",
  },
};

/** Gives a reranker its deadline and a way on, where the configuration names them; a list that is too long is cut in its order. */
export function withRerankerOptions(reranker: RerankProvider, { timeoutMs, onError, label }: RerankerOptions): RerankProvider {
  return createGuardedReranker({ reranker, timeoutMs, onError, label, cutLonger: true });
}
