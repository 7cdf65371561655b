import type {
  MemoryCallOptions,
  MemoryDefaults,
  MemoryDeleteInput,
  MemoryDeleteOutput,
  MemoryGetInput,
  MemoryGetOutput,
  MemoryQueryInput,
  MemoryQueryOutput,
  MemoryResources,
  MemorySearchInput,
  MemorySearchOutput,
  MemoryUpdateInput,
  MemoryUpdateOutput,
  MemoryWriteInput,
  MemoryWriteOutput,
} from "../../contracts/memory.ts";
import type { InputOf, OutputOf } from "../../contracts/node-contract-map.ts";
import type { NodeResult } from "../../contracts/node-result.ts";

/** What `createMemory` and `createMemoryWorker` take. */
export interface MemoryOptions extends MemoryResources {
  /** Limits where a request names none. They are read once, and they are no caps: a request may ask for more. */
  readonly defaults?: MemoryDefaults | undefined;
  /** Calls that a worker runs at once: a positive integer, unlimited by default. The SDK does not read it. */
  readonly concurrency?: number | undefined;
}

/** The six nodes of MEMORY. */
export type MemoryNode = "MEMORY.GET" | "MEMORY.QUERY" | "MEMORY.SEARCH" | "MEMORY.WRITE" | "MEMORY.UPDATE" | "MEMORY.DELETE";

/** The third argument of `execute`: call options, and limits that hold where neither request nor `defaults` names one. */
export type MemoryExecuteOptions = MemoryDefaults & MemoryCallOptions;

/** MEMORY without a Runtime. Every method answers with a NodeResult; a failure is a status, not an exception. */
export interface Memory {
  /** Runs a node by its name; an unknown one gives `UNKNOWN_NODE`. */
  execute<N extends MemoryNode>(node: N, input: InputOf<N>, options?: MemoryExecuteOptions): Promise<OutputOf<N>>;
  /** Reads records by id and key, those of `ids` first, each once; what does not exist is left out. */
  get(input: MemoryGetInput, options?: MemoryCallOptions): Promise<NodeResult<MemoryGetOutput>>;
  /** Lists records page by page; filter, order and cursor are the store's own language. */
  query(input: MemoryQueryInput, options?: MemoryCallOptions): Promise<NodeResult<MemoryQueryOutput>>;
  /** Finds records by relevance, in the search's order. */
  search(input: MemorySearchInput, options?: MemoryCallOptions): Promise<NodeResult<MemorySearchOutput>>;
  /** Creates records; the store gives the ids. */
  write(input: MemoryWriteInput, options?: MemoryCallOptions): Promise<NodeResult<MemoryWriteOutput>>;
  /** Replaces the given fields of records; `metadata` is replaced as a whole. */
  update(input: MemoryUpdateInput, options?: MemoryCallOptions): Promise<NodeResult<MemoryUpdateOutput>>;
  /** Deletes records and tells which ones were there. */
  delete(input: MemoryDeleteInput, options?: MemoryCallOptions): Promise<NodeResult<MemoryDeleteOutput>>;
}
