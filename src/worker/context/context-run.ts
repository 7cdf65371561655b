import type { ContextCallOptions, ContextServices } from "../../contracts/context-services.ts";
import type { ContextValueReader } from "./context-value-reader.ts";
import type { ResolvedContextPolicy } from "./resolve-context-policy.ts";

/** What surrounds one call. */
export interface ContextRun {
  readonly policy: ResolvedContextPolicy;
  readonly services: ContextServices;
  readonly call: ContextCallOptions;
  /** Reads what the request brings. */
  readonly request: ContextValueReader;
  /** Reads what a selector, strategy, compressor, estimator or resolver answers. */
  readonly answer: ContextValueReader;
}
