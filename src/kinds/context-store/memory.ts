import { defineKind } from "../../plugin/define-plugin.ts";
import type { KindDefinition } from "../../plugin/plugin-definition.ts";
import { createInMemoryContextStore } from "../../worker/context/create-in-memory-context-store.ts";

interface MemoryStoreConfiguration {
  readonly ttlMs?: number;
  readonly maxEntries?: number;
}

/** Contexts kept in this process: `createInMemoryContextStore`. */
export const memoryContextStoreKind: KindDefinition<"context-store", MemoryStoreConfiguration> = defineKind({
  kind: "memory",
  role: "context-store",
  summary: "Keeps contexts in this process; they are gone when it ends, and stay when a pipeline is edited.",
  schema: {
    type: "object",
    additionalProperties: false,
    properties: {
      ttlMs: {
        type: "integer",
        minimum: 1,
        description: "Milliseconds after its last change at which a context is forgotten; `workers.context.localCache.ttlMs` unless said, built-in 3600000.",
      },
      maxEntries: {
        type: "integer",
        minimum: 1,
        description: "Contexts kept; beyond it the one unused for longest is forgotten. `workers.context.localCache.maxEntries` unless said, built-in 1000.",
      },
    },
  },
  example: {},
  // Opened, not created: what it holds must outlive an edit of the file.
  open: async ({ ttlMs, maxEntries }, { config }) => {
    const { localCache } = config.context;
    return { value: createInMemoryContextStore({ ttlMs: ttlMs ?? localCache?.ttlMs, maxEntries: maxEntries ?? localCache?.maxEntries }) };
  },
});
