import type { RetrievalCandidate, RetrievalExecutionContext, RetrievalSearchInput, RetrievalSearchOutput } from "@codesoul-co/ditto/plugin";
import { CollectionFault } from "./collection-fault.ts";
import type { Declaration } from "./declaration.ts";
import { type Condition, parseFilter } from "./filter.ts";
import { metadataOf, type ReadRow } from "./row.ts";
import { scopeOfNamespace } from "./scope.ts";

/** A search of a collection, checked. */
export interface SearchRequest {
  readonly scope: string;
  readonly conditions: readonly Condition[];
  readonly limit: number;
}

/**
 * Checks what searches of a collection have in common.
 *
 * @throws CollectionFault `input` or `filter` For a namespace that is missing or not wanted, a bad filter, options, or limit.
 */
export function readSearch(declaration: Declaration, input: RetrievalSearchInput, context: RetrievalExecutionContext): SearchRequest {
  const { name, namespace } = declaration.facts;
  const scope = scopeOfNamespace(declaration, input.target.namespace);
  if (namespace !== undefined && input.filter !== undefined && Object.hasOwn(input.filter, namespace)) {
    throw new CollectionFault("filter", `"${namespace}" is the namespace of "${name}"; the request's target.namespace carries it, not the filter`);
  }
  const option = Object.keys(input.options ?? {})[0];
  if (option !== undefined) throw new CollectionFault("input", `Collection "${name}" has no search option "${option}"`);
  const limit = input.limit ?? context.defaults?.searchLimit ?? 10;
  if (!Number.isInteger(limit) || limit < 1 || limit > 10_000) throw new CollectionFault("input", "limit must be an integer from 1 to 10000");
  return { scope, conditions: parseFilter(input.filter, declaration.filterFields), limit };
}

/** Answers a search. */
export function answer(input: RetrievalSearchInput, candidates: readonly RetrievalCandidate[]): RetrievalSearchOutput {
  return { candidates, target: input.target, ...(input.strategy === undefined ? {} : { strategy: input.strategy }) };
}

/** A row as a candidate. */
export function toCandidate(declaration: Declaration, row: ReadRow, score: number): RetrievalCandidate {
  const metadata = metadataOf(declaration, row);
  return {
    id: row.id,
    content: JSON.parse(row.content) as unknown,
    score,
    source: { target: declaration.facts.name },
    ...(metadata === undefined ? {} : { metadata }),
  };
}
