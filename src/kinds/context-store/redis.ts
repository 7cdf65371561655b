import type { ContextStateStore } from "../../contracts/context-services.ts";
import { ContextError } from "../../contracts/context-error.ts";
import { defineKind } from "../../plugin/define-plugin.ts";
import type { KindDefinition, OpenScope } from "../../plugin/plugin-definition.ts";
import { createRedisContextStore, type IoredisClient, type NodeRedisClient } from "../../worker/context/create-redis-context-store.ts";

interface RedisStoreConfiguration {
  readonly url?: string;
  readonly timeoutMs: number;
  readonly ttlMs?: number;
  readonly keyPrefix?: string;
}

/** Contexts kept in an application's Redis: `createRedisContextStore`. */
export const redisContextStoreKind: KindDefinition<"context-store", RedisStoreConfiguration> = defineKind({
  kind: "redis",
  role: "context-store",
  summary: "Keeps contexts in Redis, for several processes. An application may give its own client with `loadPipeline(file, { resources })`.",
  schema: {
    type: "object",
    additionalProperties: false,
    properties: {
      url: {
        type: "string",
        minLength: 1,
        description: "Such as redis://127.0.0.1:6379/0, or rediss:// for TLS; not needed where an application gives its client.",
      },
      timeoutMs: { type: "integer", minimum: 1, maximum: 2147483647, default: 5000, description: "Milliseconds that connecting, or one command, may take." },
      ttlMs: {
        type: "integer",
        minimum: 1,
        description: "Milliseconds after its last change at which a context is forgotten; `workers.context.cache.ttlMs` unless said, built-in 3600000.",
      },
      keyPrefix: { type: "string", description: "Stands before every key; `workers.context.cache.keyPrefix` unless said, built-in `ditto:context:`." },
    },
  },
  example: { url: "${env:REDIS_URL}" },
  adopt: (client, configuration, scope): ContextStateStore => {
    if (isStore(client)) return client;
    if (!isClient(client)) throw new ContextError("STATE_STORE_UNAVAILABLE", "what the application gives is no client of node-redis or ioredis");
    return createRedisContextStore(client, options(configuration, scope));
  },
  open: async (configuration, scope) => {
    const { url, timeoutMs } = configuration;
    if (url === undefined)
      throw new ContextError("STATE_STORE_UNAVAILABLE", "it needs a url, or an application's client: loadPipeline(file, { resources: { NAME: client } })");
    const { RedisConnection } = await import("./redis-connection.ts");
    const connection = connected(() => new RedisConnection({ url, timeoutMs }));
    return { value: createRedisContextStore(connection, options(configuration, scope)), check: () => answered(connection), close: () => connection.close() };
  },
});

/** The URL may hold a password: nothing of it is told. */
function connected<T>(connect: () => T): T {
  try {
    return connect();
  } catch (cause) {
    throw new ContextError("STATE_STORE_UNAVAILABLE", "its url must be redis://host:port/database, or rediss:// for TLS", { cause });
  }
}

async function answered(connection: { ping(): Promise<void> }): Promise<void> {
  try {
    await connection.ping();
  } catch (cause) {
    throw new ContextError("STATE_STORE_UNAVAILABLE", "the Redis server does not answer", { cause });
  }
}

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
