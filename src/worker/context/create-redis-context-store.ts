import { randomUUID } from "node:crypto";
import { ContextError } from "../../contracts/context-error.ts";
import type { ContextState, ContextStateStore } from "../../contracts/context-services.ts";
import { readPositiveInteger } from "./read-positive-integer.ts";
import { scopeKey } from "./scope-key.ts";

/** What a client of node-redis (4 and later) has. */
export interface NodeRedisClient {
  get(key: string): Promise<unknown>;
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/** What a client of ioredis has. */
export interface IoredisClient {
  get(key: string): Promise<unknown>;
  eval(script: string, keyCount: number, ...keysAndArguments: string[]): Promise<unknown>;
  /** Tells it from the other one. */
  defineCommand(name: string, definition: { lua: string }): void;
}

/** Options of {@link createRedisContextStore}. */
export interface RedisContextStoreOptions {
  /** Milliseconds after its last change at which a context is forgotten: a positive integer, built-in 3600000. */
  readonly ttlMs?: number | undefined;
  /** Stands before every key, built-in `ditto:context:`. */
  readonly keyPrefix?: string | undefined;
}

/**
 * Keeps contexts in the application's Redis, for several processes.
 *
 * Each scope is one key, so it works in a cluster; a change is one script that the server runs as one step. The client stays the
 * application's: it is neither connected nor closed here.
 *
 * @param client A connected client of node-redis or ioredis, or an object with the same two methods.
 * @param options `ttlMs` and `keyPrefix`.
 * @throws ContextError `INVALID_INPUT` for an option out of range.
 * @example
 * ```ts
 * const stateStore = createRedisContextStore(await createClient({ url }).connect(), { ttlMs: 600_000 });
 * const context = createContext({ services: { stateStore } });
 * ```
 */
export function createRedisContextStore(client: NodeRedisClient | IoredisClient, options: RedisContextStoreOptions = {}): ContextStateStore {
  const ttlMs = readPositiveInteger(options.ttlMs ?? 3_600_000, "ttlMs");
  const { keyPrefix = "ditto:context:" } = options;
  if (typeof keyPrefix !== "string") throw new ContextError("INVALID_INPUT", "keyPrefix must be a text");
  return Object.freeze<ContextStateStore>({
    get: async (scope, call) => {
      call?.signal?.throwIfAborted();
      return parseState(await client.get(keyPrefix + scopeKey(scope)));
    },
    compareAndSet: async (scope, expectedVersion, next, call) => {
      call?.signal?.throwIfAborted();
      const value = `${randomUUID()}:${JSON.stringify(next)}`;
      const reply = await evaluate(client, keyPrefix + scopeKey(scope), [expectedVersion ?? "", value, String(ttlMs)]);
      return Number(reply) === 1;
    },
  });
}

/** The value is `version:context`; an empty expected version means that there must be none. */
const compareAndSetScript = `
local current = redis.call("GET", KEYS[1])
if ARGV[1] == "" then
  if current then return 0 end
elseif not current or string.sub(current, 1, #ARGV[1] + 1) ~= ARGV[1] .. ":" then
  return 0
end
redis.call("SET", KEYS[1], ARGV[2], "PX", ARGV[3])
return 1
`;

function evaluate(client: NodeRedisClient | IoredisClient, key: string, args: string[]): Promise<unknown> {
  if ("defineCommand" in client) return client.eval(compareAndSetScript, 1, key, ...args);
  return client.eval(compareAndSetScript, { keys: [key], arguments: args });
}

function parseState(value: unknown): ContextState | undefined {
  if (value === null || value === undefined) return undefined;
  const text = value instanceof Uint8Array ? Buffer.from(value).toString("utf8") : String(value);
  const colon = text.indexOf(":");
  try {
    if (colon > 0) return { version: text.slice(0, colon), context: JSON.parse(text.slice(colon + 1)) };
  } catch (cause) {
    throw new ContextError("INVALID_STATE", "The stored context is not JSON", { cause });
  }
  throw new ContextError("INVALID_STATE", "The stored value is no context");
}
