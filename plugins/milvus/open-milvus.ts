import type { Opened, OpenScope } from "@codesoul-co/ditto/plugin";
import type { MilvusClient } from "@zilliz/milvus2-sdk-node";
import { asMemory, CollectionFault } from "../sql/collection-fault.ts";
import { loadDriver } from "./load-driver.ts";
import type { MilvusConfiguration } from "./milvus-configuration.ts";
import { MilvusDatabase, type MilvusTimeouts } from "./milvus-database.ts";
import { milvusCodes } from "./milvus-failure.ts";

/**
 * Opens a connection; the server is not spoken to before the first call.
 *
 * @throws MemoryError `MILVUS_UNAVAILABLE` When the SDK is not installed.
 */
export async function openMilvus(configuration: MilvusConfiguration, scope: Pick<OpenScope, "name">): Promise<Opened<MilvusDatabase>> {
  return await asMemory(milvusCodes, async () => {
    const { address, token, user, password, database, tls, connectTimeoutMs = 10_000, timeoutMs = 30_000, loadTimeoutMs = 300_000 } = configuration;
    const { MilvusClient } = await loadDriver();
    const given = { address, token, username: user, password, database, ssl: tls === true ? true : undefined };
    const settings = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== ""));
    const opened = new MilvusDatabase({
      make: () => {
        const client = new MilvusClient({ ...settings, address, timeout: timeoutMs, logLevel: "error" });
        // It connects at once; who waits for it hears of a failure.
        client.connectPromise.catch(() => undefined);
        return { client, owned: true };
      },
      name: scope.name,
      identity: JSON.stringify([address, database ?? ""]),
      timeouts: { connectMs: connectTimeoutMs, callMs: timeoutMs, loadMs: loadTimeoutMs },
    });
    return {
      value: opened,
      close: async () => await opened.close(),
      check: async (signal) => {
        await asMemory(milvusCodes, async () => await opened.version({ signal }));
      },
    };
  });
}

/** Takes an application's client for a connection; it is never closed here. Anything else is for its users to judge. */
export function adoptMilvus(value: unknown, scope: Pick<OpenScope, "name">): unknown {
  if (!isClient(value)) return value;
  const known = adopted.get(value);
  if (known !== undefined) return known;
  adoptions += 1;
  const make = (): { readonly client: MilvusClient; readonly owned: boolean } => ({ client: value, owned: false });
  const database = new MilvusDatabase({ make, name: scope.name, identity: `adopted ${adoptions}`, timeouts: usualTimeouts });
  adopted.set(value, database);
  return database;
}

/**
 * The database in a collection's slot.
 *
 * @throws CollectionFault `database` For what is none.
 */
export function toMilvusDatabase(value: unknown, scope: Pick<OpenScope, "name">): MilvusDatabase {
  const database = adoptMilvus(value, scope);
  if (database instanceof MilvusDatabase) return database;
  throw new CollectionFault("database", "The database must be a milvus connection, or a client of @zilliz/milvus2-sdk-node");
}

const adopted = new WeakMap<MilvusClient, MilvusDatabase>();
let adoptions = 0;
const usualTimeouts: MilvusTimeouts = { connectMs: 10_000, callMs: 30_000, loadMs: 300_000 };

function isClient(value: unknown): value is MilvusClient {
  if (typeof value !== "object" || value === null) return false;
  const { connectPromise, search, upsert, loadCollectionSync } = value as Readonly<Record<string, unknown>>;
  return [search, upsert, loadCollectionSync].every((method) => typeof method === "function") && connectPromise instanceof Promise;
}
