import type { ConformanceCase } from "./conformance-case.ts";
import { memoryChangeCases } from "./memory-change-cases.ts";
import { memoryReadCases } from "./memory-read-cases.ts";
import { memoryScopeCases } from "./memory-scope-cases.ts";
import type { MemoryStoreSubject } from "./memory-store-subject.ts";

/**
 * What every `MemoryStore` must do.
 *
 * Capabilities: `scope` (rows belong to a scope, which every call names), `atomic` (a batch is written whole or not at all),
 * `unique-keys` (a key that is taken is refused).
 */
export const memoryStoreCases: readonly ConformanceCase<MemoryStoreSubject>[] = [...memoryReadCases, ...memoryChangeCases, ...memoryScopeCases];
