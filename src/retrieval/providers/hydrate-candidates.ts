import type { MemoryItem, MemoryStore } from "../../contracts/memory.ts";
import type { RetrievalCandidate, RetrievalExecutionContext, RetrievalSearchInput } from "../../contracts/retrieval.ts";
import { RetrievalError } from "../../contracts/retrieval-error.ts";
import { invalidOutput } from "../check-search-output.ts";
import type { DegradedStep } from "../degraded.ts";
import { fromMemoryError } from "../from-memory-error.ts";
import { traceStep } from "../trace-step.ts";

/** A whole record. */
export interface HydratedRecord {
  readonly content: unknown;
  readonly metadata?: Record<string, unknown> | undefined;
}

/** Reads whole records in one batch, in the request's scope; what is gone is left out. */
export type HydrateFunction = (
  ids: readonly string[],
  request: RetrievalSearchInput,
  context?: RetrievalExecutionContext,
) => Promise<ReadonlyMap<string, HydratedRecord>>;

/** A collection, or a store that is like one. */
export interface HydrateStore {
  readonly get: MemoryStore["get"];
  /** Its name, which becomes the candidates' `source.target`, and the field that is its scope. */
  readonly facts?: { readonly name: string; readonly namespace?: string | undefined } | undefined;
}

/** Where whole records come from. */
export type HydrateSource = HydrateFunction | HydrateStore;

/**
 * Puts whole records in the place of candidates' content and metadata; id and score stay.
 *
 * @param candidates Candidates with ids.
 * @param work Where records come from, the request, the context, and the label of the step.
 * @returns The candidates whose record is there, and what is to be told about the others.
 * @throws RetrievalError `RETRIEVAL_INVALID_INPUT` for a namespace that the store has no scope for,
 *   `RETRIEVAL_INVALID_BACKEND_OUTPUT` for a candidate without id or a record without content.
 */
export async function hydrateCandidates(
  candidates: readonly RetrievalCandidate[],
  work: {
    readonly source: HydrateSource;
    readonly request: RetrievalSearchInput;
    readonly context: RetrievalExecutionContext | undefined;
    readonly label: string;
  },
): Promise<{ readonly candidates: readonly RetrievalCandidate[]; readonly degraded: readonly DegradedStep[] }> {
  const { source, request, context, label } = work;
  if (candidates.length === 0) return { candidates, degraded: [] };
  const ids = candidates.map(({ id }, index) => {
    if (id === undefined) throw invalidOutput(`candidates[${index}] has no id by which its record could be read`);
    return id;
  });
  const startedAt = performance.now();
  const records = await traceStep((inner) => readRecords(source, { ids: [...new Set(ids)], request, context: inner }), {
    kind: "hydrate",
    label,
    context,
    facts: (found) => ({ ids: ids.length, records: found.size }),
  });
  const name = typeof source === "function" ? undefined : source.facts?.name;
  const whole = candidates.flatMap((candidate, index) => {
    const record = records.get(ids[index] as string);
    return record === undefined ? [] : [wholeCandidate(candidate, record, name)];
  });
  const gone = candidates.length - whole.length;
  const elapsedMs = Math.round(performance.now() - startedAt);
  return { candidates: whole, degraded: gone === 0 ? [] : [{ step: label, code: "RECORD_GONE", elapsedMs, count: gone }] };
}

interface Read {
  readonly ids: readonly string[];
  readonly request: RetrievalSearchInput;
  readonly context: RetrievalExecutionContext | undefined;
}

async function readRecords(source: HydrateSource, { ids, request, context }: Read): Promise<ReadonlyMap<string, HydratedRecord>> {
  if (typeof source === "function") return source(ids, request, context);
  const filter = scopeFilter(source, request.target.namespace);
  const { signal, runtime, trace, hold } = context ?? {};
  try {
    const items = await source.get({ ids, ...(filter === undefined ? {} : { filter }) }, { signal, runtime, trace, hold });
    return new Map(items.map((item: MemoryItem) => [item.id, item]));
  } catch (error) {
    throw fromMemoryError(error);
  }
}

/** A record of another scope must not be read by an id that leaked into this one. */
function scopeFilter({ facts }: HydrateStore, namespace: string | undefined): Record<string, unknown> | undefined {
  if (namespace === undefined) return undefined;
  if (facts?.namespace === undefined)
    throw new RetrievalError("RETRIEVAL_INVALID_INPUT", "The request has a namespace, and the store of whole records has no scope");
  return { [facts.namespace]: namespace };
}

function wholeCandidate(candidate: RetrievalCandidate, record: HydratedRecord, name: string | undefined): RetrievalCandidate {
  const { id, score, source } = candidate;
  const { content, metadata } = record;
  if (content === undefined) throw invalidOutput("A record that was read has no content");
  return {
    id,
    content,
    ...(score === undefined ? {} : { score }),
    ...(name === undefined ? (source === undefined ? {} : { source }) : { source: { target: name } }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}
