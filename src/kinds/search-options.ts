import type { JsonSchema } from "../contracts/json-schema.ts";
import type { RetrievalSearchProvider } from "../contracts/retrieval.ts";
import { createFallbackSearchProvider } from "../retrieval/providers/fallback.ts";
import { createTimeoutSearchProvider } from "../retrieval/providers/timeout.ts";

/** What every search's configuration may hold beside its own keys. */
export interface SearchOptions {
  readonly timeoutMs?: number;
  readonly label?: string;
  readonly onError?: "fail" | RetrievalSearchProvider;
}

/** A deadline in milliseconds, as everywhere in the language. */
export const timeoutSchema: JsonSchema = {
  type: "integer",
  minimum: 1,
  maximum: 2147483647,
  description: "Deadline in milliseconds. The caller gets its answer then; the work behind it may take longer to end.",
};

/** A name for people: traces and metrics show it. */
export const labelSchema: JsonSchema = { type: "string", minLength: 1, description: "The name that traces and metrics show for this step." };

/** The schema of {@link SearchOptions}, to be spread into a search's properties. */
export const searchOptionSchemas: Readonly<Record<string, JsonSchema>> = {
  timeoutMs: timeoutSchema,
  label: labelSchema,
  onError: {
    description: "`fail` (the default), or a search to use instead when this one fails or is too late. A refused request is never retried.",
    "x-ditto-slot": { role: "search", literals: ["fail"] },
  },
};

/** Gives a search its deadline and its substitute, where the configuration names them. */
export function withSearchOptions(provider: RetrievalSearchProvider, options: SearchOptions & { readonly step: string }): RetrievalSearchProvider {
  const step = options.label ?? options.step;
  const timed = options.timeoutMs === undefined ? provider : createTimeoutSearchProvider({ search: provider, timeoutMs: options.timeoutMs, label: step });
  if (options.onError === undefined || options.onError === "fail") return timed;
  return createFallbackSearchProvider({ search: timed, fallback: options.onError, label: step });
}
