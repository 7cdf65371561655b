import { isRecord } from "../base/is-record.ts";
import type { Collection } from "../contracts/collection.ts";
import type { MemorySearchOutput, MemorySearchProvider, MemorySearchResult, MemoryStore } from "../contracts/memory.ts";
import type { RetrievalExecutionContext, RetrievalSearchInput, RetrievalSearchOutput, RetrievalSearchProvider } from "../contracts/retrieval.ts";
import { RetrievalError } from "../contracts/retrieval-error.ts";
import type { RuntimeConfig } from "../contracts/runtime-config.ts";
import { ContextError } from "../contracts/context-error.ts";
import type { ContextOperationQueue, ContextStateStore } from "../contracts/context-services.ts";
import type { CompiledPipeline } from "../pipeline/model/compiled.ts";
import type { PlanMemorySearch } from "../pipeline/model/plan.ts";
import type { Evaluate } from "../plugin/plugin-definition.ts";
import { createRetrievalContextStrategy } from "../retrieval/adapters/context/create-retrieval-context-strategy.ts";
import { createRetrievalMemorySearchProvider } from "../retrieval/adapters/memory/create-retrieval-memory-search-provider.ts";
import { mapMemoryCandidates } from "../retrieval/adapters/memory/map-memory-candidates.ts";
import { createRetrievalWorker } from "../retrieval/create-retrieval-worker.ts";
import type { RetrievalTargetRegistry } from "../retrieval/retrieval-target-registry.ts";
import type { WorkerDefinition } from "../runtime/worker-definition.ts";
import { createContextOperationQueue } from "../worker/context/create-context-operation-queue.ts";
import { createContextWorker } from "../worker/context/create-context-worker.ts";
import { createMemoryWorker } from "../worker/memory/create-memory-worker.ts";
import { createStepWorker } from "./step-worker.ts";

/** What workers are made of. */
export interface WorkerParts {
  readonly values: ReadonlyMap<string, unknown>;
  readonly registry: RetrievalTargetRegistry;
  readonly config: RuntimeConfig;
}

/** Makes the workers that serve a pipeline's nodes: one for each section it has, CONTEXT, and the one that runs graph steps. */
export function assembleWorkers(compiled: CompiledPipeline, parts: WorkerParts): readonly WorkerDefinition[] {
  const { plan } = compiled;
  const workers: WorkerDefinition[] = [];
  if (Object.keys(plan.targets).length > 0) workers.push(createRetrievalWorker({ providers: parts.registry, defaults: parts.config.retrieval }));
  if (plan.memory !== undefined) workers.push(memoryWorker(compiled, parts));
  workers.push(contextWorker(compiled, parts));
  if (Object.keys(plan.graphs).length > 0) workers.push(createStepWorker());
  return workers;
}

function memoryWorker({ plan, memoryMap }: CompiledPipeline, parts: WorkerParts): WorkerDefinition {
  const memory = plan.memory as NonNullable<typeof plan.memory>;
  const store = parts.values.get(memory.store) as MemoryStore & Partial<MemorySearchProvider> & Partial<Pick<Collection, "facts">>;
  const scope = store.facts?.namespace;
  const search = memory.search && createMemorySearch(memory.search, { parts, scope, mapOutput: mapOutput(memory.map.kind, { store, scope, memoryMap }) });
  return createMemoryWorker({ store, search, defaults: parts.config.memory, concurrency: memory.concurrency });
}

type MapOutput = (output: RetrievalSearchOutput, context?: RetrievalExecutionContext) => MemorySearchOutput | Promise<MemorySearchOutput>;

function createMemorySearch(
  search: PlanMemorySearch,
  at: { readonly parts: WorkerParts; readonly scope: string | undefined; readonly mapOutput: MapOutput },
): MemorySearchProvider {
  const { provider, target, strategy } = sectionSearch(search, at.parts);
  return createRetrievalMemorySearchProvider({
    provider,
    target: { name: target },
    strategy,
    defaults: at.parts.config.retrieval,
    mapInput: (request) => moveScope(request, at.scope),
    mapOutput: at.mapOutput,
  });
}

/** The scope field of MEMORY's filter is retrieval's namespace. */
function moveScope(request: RetrievalSearchInput, scope: string | undefined): RetrievalSearchInput {
  if (scope === undefined || request.filter?.[scope] === undefined) return request;
  const { [scope]: asked, ...filter } = request.filter;
  const value = isRecord(asked) && Object.keys(asked).join() === "eq" ? asked.eq : asked;
  if (typeof value !== "string" || value === "") throw new RetrievalError("RETRIEVAL_INVALID_INPUT", `The scope "${scope}" must be one text`);
  const { filter: _, ...rest } = request;
  return { ...rest, target: { ...request.target, namespace: value }, ...(Object.keys(filter).length === 0 ? {} : { filter }) };
}

/** A target with all of its strategies, one strategy alone, or a search of the section's own. */
function sectionSearch(
  search: PlanMemorySearch,
  { values, registry }: WorkerParts,
): { readonly provider: RetrievalSearchProvider; readonly target: string; readonly strategy: string | undefined } {
  if (search.kind === "component")
    return { provider: withoutStrategies(values.get(search.id) as RetrievalSearchProvider, search), target: "memory", strategy: undefined };
  const { target, strategy: only } = search;
  const provider: RetrievalSearchProvider = {
    search(input, context) {
      if (only !== undefined && input.strategy !== undefined && input.strategy !== only) {
        throw new RetrievalError("RETRIEVAL_STRATEGY_UNSUPPORTED", `Only the strategy "${only}" serves this search`);
      }
      return registry.resolve({ name: target }, input.strategy ?? only).search(input, context);
    },
  };
  return { provider, target, strategy: only };
}

/** A search that is written out has no strategies to choose from; only `remote` hands the word on. */
function withoutStrategies(
  search: RetrievalSearchProvider,
  { hasStrategies }: Extract<PlanMemorySearch, { readonly kind: "component" }>,
): RetrievalSearchProvider {
  if (hasStrategies) return search;
  return {
    search(input, context) {
      if (input.strategy !== undefined) throw new RetrievalError("RETRIEVAL_STRATEGY_UNSUPPORTED", "This search is written out and has no strategies");
      return search.search(input, context);
    },
  };
}

function mapOutput(
  kind: "hydrate" | "item" | "expression",
  at: { readonly store: MemoryStore; readonly scope: string | undefined; readonly memoryMap: Evaluate | undefined },
): MapOutput {
  const { store, scope, memoryMap } = at;
  if (kind === "item") return mapMemoryCandidates;
  if (memoryMap !== undefined)
    return ({ candidates }) => candidates.map((candidate) => memoryMap({ candidate, now: Date.now() }) as unknown as MemorySearchResult);
  return (output, context) => hydrate(output, { store, scope, context });
}

/** Completes candidates with one batched read, in the request's scope; what is gone meanwhile is left out. */
async function hydrate(
  { candidates, target }: RetrievalSearchOutput,
  { store, scope, context }: { readonly store: MemoryStore; readonly scope: string | undefined; readonly context: RetrievalExecutionContext | undefined },
): Promise<MemorySearchOutput> {
  const ids = candidates.flatMap(({ id }) => (id === undefined ? [] : [id]));
  if (ids.length === 0) return [];
  const filter = scope === undefined || target.namespace === undefined ? {} : { filter: { [scope]: target.namespace } };
  const items = new Map((await store.get({ ids, ...filter }, { signal: context?.signal, trace: context?.trace })).map((item) => [item.id, item]));
  const hits = candidates.flatMap((candidate): MemorySearchResult[] => {
    const memory = candidate.id === undefined ? undefined : items.get(candidate.id);
    if (memory === undefined) return [];
    return [{ memory, ...(candidate.score === undefined ? {} : { score: candidate.score }) }];
  });
  if (hits.length < candidates.length) context?.trace?.add({ degraded: "hydrate", gone: candidates.length - hits.length });
  return hits;
}

function contextWorker(compiled: CompiledPipeline, parts: WorkerParts): WorkerDefinition {
  const { context } = compiled.plan;
  const stateStore = context?.store === undefined ? undefined : (parts.values.get(context.store) as ContextStateStore);
  // Changes of one context wait for each other instead of refusing all but the first.
  const queue = stateStore && queueOf(stateStore, parts.config.context.queue?.maxPending);
  const rag = context?.rag;
  if (rag === undefined) return createContextWorker({ services: { stateStore, queue } });
  const { provider, target, strategy } = sectionSearch(rag.search, parts);
  const { namespace, filter } = compiled.rag;
  const written = namespace !== undefined || filter !== undefined;
  const ragStrategy = createRetrievalContextStrategy({
    provider,
    target: { name: target },
    strategy,
    defaults: parts.config.retrieval,
    mapInput: written
      ? (input) => ragRequest(input, { namespace, filter, target, readsCorpus: rag.readsCorpus, defaultLimit: parts.config.retrieval.searchLimit ?? 10 })
      : undefined,
  });
  return createContextWorker({ services: { stateStore, queue, ragStrategy } });
}

const queues = new WeakMap<ContextStateStore, { readonly maxPending: number | undefined; readonly queue: ContextOperationQueue }>();

/** One queue for each store: calls of a generation that ends and of the one that replaces it wait for each other as well. */
function queueOf(store: ContextStateStore, maxPending: number | undefined): ContextOperationQueue {
  const known = queues.get(store);
  if (known !== undefined && known.maxPending === maxPending) return known.queue;
  const queue = createContextOperationQueue({ maxPending });
  queues.set(store, { maxPending, queue });
  return queue;
}

function ragRequest(
  input: Parameters<NonNullable<Parameters<typeof createRetrievalContextStrategy>[0]["mapInput"]>>[0],
  at: {
    readonly namespace: Evaluate | undefined;
    readonly filter: Evaluate | undefined;
    readonly target: string;
    readonly readsCorpus: boolean;
    readonly defaultLimit: number;
  },
): RetrievalSearchInput {
  const strategy = input.strategy?.kind === "rag" ? input.strategy : undefined;
  if (strategy?.corpus !== undefined && !at.readsCorpus) throw new ContextError("INVALID_INPUT", "The pipeline's context.rag does not use a corpus");
  const names = { query: input.query, now: Date.now(), ...(strategy?.corpus === undefined ? {} : { corpus: strategy.corpus }) };
  const namespace = at.namespace?.(names) as string | undefined;
  const filter = at.filter?.(names) as Record<string, unknown> | undefined;
  return {
    query: { content: input.query },
    target: { name: at.target, ...(namespace === undefined ? {} : { namespace }) },
    ...(filter === undefined ? {} : { filter }),
    limit: Math.min(input.limit ?? at.defaultLimit, 10000),
    ...(strategy?.options === undefined ? {} : { options: strategy.options as Record<string, unknown> }),
  };
}
