import type { MemoryDefaults } from "./memory.ts";
import type { RetrievalDefaults } from "./retrieval.ts";

/** What the Sandbox allows; everything else is denied. */
export interface SandboxPolicy {
  readonly read?: boolean | undefined;
  readonly write?: boolean | undefined;
  readonly execute?: boolean | undefined;
  /** Exact names, or `*`. */
  readonly tools?: readonly string[] | undefined;
  /** Exact names, or `*`. */
  readonly mcp?: readonly string[] | undefined;
  /** Exact names, or `*`. */
  readonly skills?: readonly string[] | undefined;
  /** Exact origins such as `https://api.example.com`, or `*`. */
  readonly network?: readonly string[] | undefined;
}

/** Caps and rules of CONTEXT. */
export interface ContextPolicy {
  /** 1..1000000, built-in 65536. */
  readonly maxInlineBytes?: number | undefined;
  /** 1..1000000, built-in 256. */
  readonly maxItems?: number | undefined;
  /** 1..1000000, unset by default; SELECT and COMPRESS only. */
  readonly maxTokens?: number | undefined;
  /** Built-in `replace`. */
  readonly duplicate?: "replace" | "keep-first" | "reject" | undefined;
  /** Built-in `ignore`. */
  readonly missingRemoval?: "ignore" | "reject" | undefined;
}

/** Numbers and rules of the CONTEXT worker. */
export interface ContextDefaults {
  readonly policy?: ContextPolicy | undefined;
  readonly cache?: { readonly ttlMs?: number | undefined; readonly keyPrefix?: string | undefined } | undefined;
  readonly localCache?: { readonly ttlMs?: number | undefined; readonly maxEntries?: number | undefined } | undefined;
  readonly queue?: { readonly maxPending?: number | undefined } | undefined;
}

/** A deeply frozen snapshot of `ditto.yaml` and the environment. */
export interface RuntimeConfig {
  /** `development`, `production`, ...: `DITTO_RUNTIME_ENVIRONMENT`, built-in `development`. */
  readonly environment: string;
  /** Absolute folder that the Sandbox guards: `DITTO_RUNTIME_WORKSPACE`, built-in the working directory. */
  readonly workspace: string;
  /** 1..2147483647, built-in 30000. */
  readonly timeoutMs: number;
  /** Positive integer; unlimited when absent. */
  readonly graphConcurrency?: number;
  /** Positive integer, built-in 32. */
  readonly loopMaxIterations: number;
  readonly memory: MemoryDefaults;
  readonly retrieval: RetrievalDefaults;
  readonly context: ContextDefaults;
  readonly sandbox: SandboxPolicy;
}
