import type { NodeContract } from "./node-contract-map.ts";
import type { NodeResult } from "./node-result.ts";
import type { RuntimeClient } from "./runtime-client.ts";
import type { TraceSpan } from "./trace.ts";

/** What is asked. */
export interface RetrievalQuery {
  /** A text, a vector of numbers, or what the provider understands. */
  readonly content: unknown;
  readonly metadata?: Record<string, unknown> | undefined;
}

/** Where it is asked. Only `name` is resolved; the rest is handed on. */
export interface RetrievalTarget {
  readonly name: string;
  readonly type?: string | undefined;
  readonly namespace?: string | undefined;
  readonly metadata?: Record<string, unknown> | undefined;
}

/** One found item. */
export interface RetrievalCandidate {
  readonly id?: string | undefined;
  readonly content: unknown;
  /** Finite; its scale and direction are the provider's. */
  readonly score?: number | undefined;
  readonly source?: { readonly target?: string | undefined; readonly ref?: string | undefined } | undefined;
  readonly metadata?: Record<string, unknown> | undefined;
}

/** Input of `RETRIEVAL.SEARCH`. */
export interface RetrievalSearchInput {
  readonly query: RetrievalQuery;
  readonly target: RetrievalTarget;
  readonly strategy?: string | undefined;
  readonly filter?: Record<string, unknown> | undefined;
  /** 1..10000, by default 10. */
  readonly limit?: number | undefined;
  readonly options?: Record<string, unknown> | undefined;
}

/** Output of `RETRIEVAL.SEARCH`. */
export interface RetrievalSearchOutput {
  /** In the provider's order, at most `limit`. */
  readonly candidates: readonly RetrievalCandidate[];
  readonly strategy?: string | undefined;
  readonly target: RetrievalTarget;
  readonly metadata?: Record<string, unknown> | undefined;
}

/** Numbers that hold where neither request nor constructor names one. */
export interface RetrievalDefaults {
  /** 1..10000, built-in 10. */
  readonly searchLimit?: number | undefined;
  readonly embedding?:
    | {
        /** 1..2048, built-in 64. */
        readonly batchSize?: number | undefined;
        /** Positive safe integer, unset by default. */
        readonly dimensions?: number | undefined;
      }
    | undefined;
  readonly hybrid?:
    | {
        /** 1..10000, built-in 100. */
        readonly candidateLimit?: number | undefined;
        /** Positive safe integer, built-in 60. */
        readonly rrfK?: number | undefined;
      }
    | undefined;
  readonly rerank?:
    | {
        /** 1..10000, built-in 100. */
        readonly candidateLimit?: number | undefined;
      }
    | undefined;
}

/** Second argument of every provider. */
export interface RetrievalExecutionContext {
  readonly signal?: AbortSignal | undefined;
  readonly defaults?: RetrievalDefaults | undefined;
  /** The Runtime of the running call, for providers that delegate. */
  readonly runtime?: Pick<RuntimeClient, "invoke"> | undefined;
  readonly trace?: TraceSpan | undefined;
  /** Keeps the worker's slot until the promise settles, for work that outlives its answer. */
  readonly hold?: ((work: Promise<unknown>) => void) | undefined;
}

/** Finds candidates. */
export interface RetrievalSearchProvider {
  search(input: RetrievalSearchInput, context?: RetrievalExecutionContext): Promise<RetrievalSearchOutput>;
}

/** Finds the provider of a target and strategy. */
export interface RetrievalProviderRegistry {
  resolve(target: RetrievalTarget, strategy?: string): RetrievalSearchProvider;
}

/** Turns contents into vectors. */
export interface EmbeddingProvider {
  embed(
    input: { readonly contents: readonly unknown[]; readonly purpose: "query" | "document" },
    context?: RetrievalExecutionContext,
  ): Promise<readonly (readonly number[])[]>;
}

/** Orders candidates anew. */
export interface RerankProvider {
  rank(
    input: {
      readonly query: RetrievalQuery;
      readonly candidates: readonly RetrievalCandidate[];
      readonly limit: number;
      /** Where the candidates come from, for rerankers that look something up in the request's scope; an addition to the seeds' contract. */
      readonly target?: RetrievalTarget | undefined;
    },
    context?: RetrievalExecutionContext,
  ): Promise<readonly { readonly index: number; readonly score?: number | undefined }[]>;
}

declare module "./node-contract-map.ts" {
  interface NodeContractMap {
    "RETRIEVAL.SEARCH": NodeContract<RetrievalSearchInput, NodeResult<RetrievalSearchOutput>>;
  }
}
