import type { ContextStateStore } from "../../contracts/context-services.ts";
import { ContextError } from "../../contracts/context-error.ts";
import { defineKind } from "../../plugin/define-plugin.ts";
import type { KindDefinition, OpenScope } from "../../plugin/plugin-definition.ts";
import { createRedisContextStore, type IoredisClient, type NodeRedisClient } from "../../worker/context/create-redis-context-store.ts";

interface RedisStoreConfiguration {
  readonly ttlMs?: number;
  readonly keyPrefix?: string;
}

/** Contexts kept in an application's Redis: `createRedisContextStore`. */
export const redisContextStoreKind: KindDefinition<"context-store", RedisStoreConfiguration> = defineKind({
  kind: "redis",
  role: "context-store",
  summary: "Keeps contexts in Redis, for several processes; an application gives its client with `loadPipeline(file, { resources })`.",
  schema: {
    type: "object",
    additionalProperties: false,
    properties: {
      ttlMs: {
        type: "integer",
        minimum: 1,
        description: "Milliseconds after its last change at which a context is forgotten; `workers.context.cache.ttlMs` unless said, built-in 3600000.",
      },
      keyPrefix: { type: "string", description: "Stands before every key; `workers.context.cache.keyPrefix` unless said, built-in `ditto:context:`." },
    },
  },
  example: {},
  adopt: (client, configuration, scope): ContextStateStore => {
    if (isStore(client)) return client;
    if (!isClient(client)) throw new ContextError("STATE_STORE_UNAVAILABLE", "what the application gives is no client of node-redis or ioredis");
    return createRedisContextStore(client, options(configuration, scope));
  },
  open: async () => {
    throw new ContextError(
      "STATE_STORE_UNAVAILABLE",
      "it needs a connected client of node-redis or ioredis: loadPipeline(file, { resources: { NAME: client } })",
    );
  },
});

function options(
  { ttlMs, keyPrefix }: RedisStoreConfiguration,
  { config }: OpenScope,
): { readonly ttlMs?: number | undefined; readonly keyPrefix?: string | undefined } {
  const { cache } = config.context;
  return { ttlMs: ttlMs ?? cache?.ttlMs, keyPrefix: keyPrefix ?? cache?.keyPrefix };
}

function isStore(value: unknown): value is ContextStateStore {
  return typeof (value as Partial<ContextStateStore> | null)?.compareAndSet === "function";
}

function isClient(value: unknown): value is NodeRedisClient | IoredisClient {
  const { get, eval: evaluate } = (value ?? {}) as { readonly get?: unknown; readonly eval?: unknown };
  return typeof get === "function" && typeof evaluate === "function";
}
