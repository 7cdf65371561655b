import type { NodeContract } from "./node-contract-map.ts";
import type { NodeResult } from "./node-result.ts";
import type { RuntimeClient } from "./runtime-client.ts";
import type { TraceSpan } from "./trace.ts";

/** One stored memory. */
export interface MemoryItem {
  /** Given by the store; never empty. */
  readonly id: string;
  /** The application's own name for it, unique within a scope. */
  readonly key?: string;
  readonly content: unknown;
  readonly metadata?: Record<string, unknown>;
}

/** A memory to be created. */
export interface MemoryDraft {
  readonly key?: string | undefined;
  readonly content: unknown;
  readonly metadata?: Record<string, unknown> | undefined;
}

/** One hit of a memory search. */
export interface MemorySearchResult {
  readonly memory: MemoryItem;
  /** Finite; its scale and direction are the plugin's. */
  readonly score?: number;
  readonly metadata?: Record<string, unknown>;
}

/** Input of `MEMORY.GET`. */
export interface MemoryGetInput {
  readonly ids?: readonly string[] | undefined;
  readonly keys?: readonly string[] | undefined;
  /** The scope, for a store that has one; an addition to the seeds' contract. */
  readonly filter?: Record<string, unknown> | undefined;
}

/** Input of `MEMORY.QUERY`. */
export interface MemoryQueryInput {
  readonly filter?: Record<string, unknown> | undefined;
  /** 1..10000, by default 100. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the page before, for the same filter and order. */
  readonly cursor?: string | undefined;
  readonly orderBy?: readonly { readonly field: string; readonly direction?: "asc" | "desc" | undefined }[] | undefined;
}

/** Input of `MEMORY.SEARCH`. */
export interface MemorySearchInput {
  readonly query: unknown;
  readonly strategy?: string | undefined;
  readonly filter?: Record<string, unknown> | undefined;
  /** 1..10000, by default 10. */
  readonly limit?: number | undefined;
  readonly options?: Record<string, unknown> | undefined;
}

/** Input of `MEMORY.WRITE`. */
export interface MemoryWriteInput {
  readonly memories: readonly MemoryDraft[];
}

/** A partial update: a member that is present is replaced as a whole, one that is absent stays. */
export interface MemoryUpdateEntry {
  readonly id: string;
  readonly content?: unknown;
  readonly metadata?: Record<string, unknown> | undefined;
}

/** Input of `MEMORY.UPDATE`. */
export interface MemoryUpdateInput {
  readonly memories: readonly MemoryUpdateEntry[];
  /** The scope, for a store that has one; an addition to the seeds' contract. */
  readonly filter?: Record<string, unknown> | undefined;
}

/** Input of `MEMORY.DELETE`. */
export interface MemoryDeleteInput {
  readonly ids: readonly string[];
  /** The scope, for a store that has one; an addition to the seeds' contract. */
  readonly filter?: Record<string, unknown> | undefined;
}

export type MemoryGetOutput = readonly MemoryItem[];
export interface MemoryQueryOutput {
  readonly items: readonly MemoryItem[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
}
export type MemorySearchOutput = readonly MemorySearchResult[];
export type MemoryWriteOutput = readonly MemoryItem[];
export type MemoryUpdateOutput = readonly MemoryItem[];
export interface MemoryDeleteOutput {
  /** The ids that this call removed. */
  readonly deleted: readonly string[];
}

/** Second argument of every method of a store or search. */
export interface MemoryCallOptions {
  readonly signal?: AbortSignal | undefined;
  /** The Runtime of the running call; a worker gives it, an application rarely does. */
  readonly runtime?: Pick<RuntimeClient, "invoke"> | undefined;
  readonly trace?: TraceSpan | undefined;
  /** Keeps the worker's slot until the promise settles, for work that outlives its answer. */
  readonly hold?: ((work: Promise<unknown>) => void) | undefined;
}

/** Where memories are kept: implemented by a storage plugin. */
export interface MemoryStore {
  get(input: MemoryGetInput, options?: MemoryCallOptions): Promise<MemoryGetOutput>;
  query(input: MemoryQueryInput, options?: MemoryCallOptions): Promise<MemoryQueryOutput>;
  write(input: MemoryWriteInput, options?: MemoryCallOptions): Promise<MemoryWriteOutput>;
  update(input: MemoryUpdateInput, options?: MemoryCallOptions): Promise<MemoryUpdateOutput>;
  delete(input: MemoryDeleteInput, options?: MemoryCallOptions): Promise<MemoryDeleteOutput>;
}

/** What finds memories by relevance. */
export interface MemorySearchProvider {
  search(input: MemorySearchInput, options?: MemoryCallOptions): Promise<MemorySearchOutput>;
}

/** What a MEMORY worker is made of: a store, and a search that replaces the store's own. */
export interface MemoryResources {
  readonly store: MemoryStore & Partial<MemorySearchProvider>;
  readonly search?: MemorySearchProvider | undefined;
}

/** Limits that hold where a request names none. */
export interface MemoryDefaults {
  /** 1..10000, built-in 100. */
  readonly queryLimit?: number | undefined;
  /** 1..10000, built-in 10. */
  readonly searchLimit?: number | undefined;
}

declare module "./node-contract-map.ts" {
  interface NodeContractMap {
    "MEMORY.GET": NodeContract<MemoryGetInput, NodeResult<MemoryGetOutput>>;
    "MEMORY.QUERY": NodeContract<MemoryQueryInput, NodeResult<MemoryQueryOutput>>;
    "MEMORY.SEARCH": NodeContract<MemorySearchInput, NodeResult<MemorySearchOutput>>;
    "MEMORY.WRITE": NodeContract<MemoryWriteInput, NodeResult<MemoryWriteOutput>>;
    "MEMORY.UPDATE": NodeContract<MemoryUpdateInput, NodeResult<MemoryUpdateOutput>>;
    "MEMORY.DELETE": NodeContract<MemoryDeleteInput, NodeResult<MemoryDeleteOutput>>;
  }
}
