import { isRecord } from "../base/is-record.ts";
import type { JsonObject } from "../contracts/json.ts";
import type { RetrievalCandidate } from "../contracts/retrieval.ts";
import { InFlight } from "../ingest/in-flight.ts";
import type { Pipeline } from "../live/pipeline.ts";
import { PipelineError } from "../live/pipeline-error.ts";
import type { JudgedQuery } from "./read-queries.ts";
import type { RankedDocument } from "./run-file.ts";

/** How queries are asked. */
export interface AskOptions {
  readonly queries: readonly JudgedQuery[];
  readonly target: string;
  readonly strategy: string;
  /** Candidates asked for, 1..10000. */
  readonly limit: number;
  /** For queries that have none of their own. */
  readonly namespace?: string | undefined;
  readonly filter?: JsonObject | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Answers of an earlier, interrupted run, by query id. */
  readonly known?: ReadonlyMap<string, readonly RankedDocument[]> | undefined;
  /** Told about each new answer. */
  readonly onAnswer?: ((query: JudgedQuery, documents: readonly RankedDocument[]) => void) | undefined;
}

/** Queries that are under way at a time: enough to keep a server busy, few enough not to flood it. */
const concurrency = 4;

/**
 * Asks a strategy every query.
 *
 * A chunk counts as the document that it belongs to, once, at its best rank.
 *
 * @returns The answers in the order of the queries. After the signal aborts, those that were complete.
 * @throws PipelineError With the code of a search that fails, and the id of its query.
 */
export async function askQueries(pipeline: Pipeline, options: AskOptions): Promise<ReadonlyMap<string, readonly RankedDocument[]>> {
  const { queries, known, signal, onAnswer } = options;
  const found = new Map(known);
  const flight = new InFlight(concurrency);
  for (const query of queries) {
    if (found.has(query.id)) continue;
    if (signal?.aborted === true) break;
    await flight.start(async () => {
      const documents = await ask(pipeline, query, options);
      if (documents === undefined) return;
      found.set(query.id, documents);
      onAnswer?.(query, documents);
    });
  }
  await flight.end();
  return new Map(
    queries.flatMap(({ id }) => {
      const documents = found.get(id);
      return documents === undefined ? [] : [[id, documents] as const];
    }),
  );
}

async function ask(pipeline: Pipeline, query: JudgedQuery, options: AskOptions): Promise<readonly RankedDocument[] | undefined> {
  const { target, strategy, limit, signal } = options;
  const filter = query.filter ?? options.filter;
  const namespace = query.namespace ?? options.namespace;
  const result = await pipeline.search(
    {
      query: { content: query.text, ...(query.metadata === undefined ? {} : { metadata: { ...query.metadata } }) },
      target,
      strategy,
      limit,
      filter,
      namespace,
    },
    { signal },
  );
  if (result.output !== undefined && result.status === "success") return documentsOf(result.output.candidates);
  if (signal?.aborted === true) return undefined;
  throw new PipelineError(result.error?.code ?? "RETRIEVAL_BACKEND_ERROR", `${strategy}, query "${query.id}": ${result.error?.message ?? result.status}`);
}

/** The documents of an answer in order, each once. */
function documentsOf(candidates: readonly RetrievalCandidate[]): readonly RankedDocument[] {
  const seen = new Set<string>();
  return candidates.flatMap(({ id, source, metadata, score }) => {
    const parent = isRecord(metadata) ? metadata["parent"] : undefined;
    const document = typeof parent === "string" ? parent : (id ?? source?.ref);
    if (document === undefined || seen.has(document)) return [];
    seen.add(document);
    return [{ id: document, ...(score === undefined ? {} : { score }) }];
  });
}
