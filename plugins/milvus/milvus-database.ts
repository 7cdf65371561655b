import { setTimeout } from "node:timers/promises";
import type { MilvusClient } from "@zilliz/milvus2-sdk-node";
import { CollectionFault } from "../sql/collection-fault.ts";
import { collectionNotFound, collectionNotLoaded, hasCode, isSuccess, refusedFault, statusOf, toFault } from "./milvus-failure.ts";

/** Options of every call. */
export interface MilvusCall {
  readonly signal?: AbortSignal | undefined;
}

/** A row as the server gives it: whole numbers of 64 bits are texts. */
export type MilvusRow = Readonly<Record<string, unknown>>;

/** Which rows of a collection are read, and what of them. */
export interface MilvusQuery {
  readonly collection: string;
  readonly filter: string;
  readonly fields: readonly string[];
  /** At most 16384. */
  readonly limit: number;
}

/** One search of one vector. */
export interface MilvusSearch extends MilvusQuery {
  readonly field: string;
  readonly vector: readonly number[] | Readonly<Record<number, number>>;
  readonly metric: "COSINE" | "IP";
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

/** A found row. */
export interface MilvusHit extends MilvusRow {
  readonly score: number;
}

/** Most rows that one answer can have. */
export const largestWindow = 16_384;

/** How long the server may take. */
export interface MilvusTimeouts {
  readonly connectMs: number;
  readonly callMs: number;
  readonly loadMs: number;
}

type Made = { readonly client: MilvusClient; readonly owned: boolean };

/**
 * A Milvus server as collections use it. Whatever a call does (a failed status, a thrown object, a type error of the driver), it ends
 * as a `CollectionFault`, within its time. A collection that is not loaded, as after a restart, is loaded and asked again.
 */
export class MilvusDatabase {
  /** Equal for the connections of one process that lead to the same place. */
  readonly identity: string;
  readonly #name: string;
  readonly #timeouts: MilvusTimeouts;
  readonly #make: () => Made;
  #made: Made | undefined;
  #ready: Promise<void> | undefined;
  #version: Promise<readonly [number, number]> | undefined;

  constructor(given: { readonly make: () => Made; readonly name: string; readonly identity: string; readonly timeouts: MilvusTimeouts }) {
    this.#make = given.make;
    this.#name = given.name;
    this.identity = given.identity;
    this.#timeouts = given.timeouts;
  }

  /** Major and minor version of the server. */
  async version(call: MilvusCall = {}): Promise<readonly [number, number]> {
    this.#version ??= this.#call("Asking for the version", (client) => client.getVersion(), call).then((answer) => {
      const [, major = "0", minor = "0"] = /(\d+)\.(\d+)/.exec(String((answer as { version?: unknown }).version)) ?? [];
      return [Number(major), Number(minor)] as const;
    });
    try {
      return await this.#version;
    } catch (error) {
      this.#version = undefined;
      throw error;
    }
  }

  async hasCollection(collection: string, call: MilvusCall = {}): Promise<boolean> {
    const answer = await this.#call(
      `Looking for collection "${collection}"`,
      (client) => client.hasCollection({ collection_name: collection, ...this.#limit }),
      call,
    );
    return Boolean((answer as { value?: unknown }).value);
  }

  /**
   * Reads rows; those that were written before are among them.
   *
   * @returns Undefined where there is no such collection.
   */
  async query({ collection, filter, fields, limit }: MilvusQuery, call: MilvusCall = {}): Promise<readonly MilvusRow[] | undefined> {
    const request = { collection_name: collection, filter, output_fields: [...fields], limit, consistency_level: strong, ...this.#limit };
    const answer = await this.#loaded(`Reading collection "${collection}"`, collection, (client) => client.query(request as never), call);
    return answer === undefined ? undefined : ((answer as { data?: readonly MilvusRow[] }).data ?? []);
  }

  /** Counts rows; undefined where there is no such collection. */
  async count(collection: string, filter: string, call: MilvusCall = {}): Promise<number | undefined> {
    const request = { collection_name: collection, filter, output_fields: ["count(*)"], consistency_level: strong, ...this.#limit };
    const answer = await this.#loaded(`Counting in collection "${collection}"`, collection, (client) => client.query(request as never), call);
    return answer === undefined ? undefined : Number((answer as { data?: readonly MilvusRow[] }).data?.[0]?.["count(*)"] ?? 0);
  }

  /** Searches; undefined where there is no such collection. */
  async search(search: MilvusSearch, call: MilvusCall = {}): Promise<readonly MilvusHit[] | undefined> {
    const { collection, field, vector, metric, filter, fields, limit, params } = search;
    const request = {
      collection_name: collection,
      anns_field: field,
      data: [vector],
      limit,
      metric_type: metric,
      output_fields: [...fields],
      consistency_level: strong,
      ...(filter === "" ? {} : { filter }),
      ...(params === undefined ? {} : { params }),
      ...this.#limit,
    };
    const answer = await this.#loaded(`Searching collection "${collection}"`, collection, (client) => client.search(request as never), call);
    if (answer === undefined) return undefined;
    const { results } = answer as { results?: unknown };
    if (!Array.isArray(results)) throw new CollectionFault("database", `Searching collection "${collection}" gave no list of results`);
    return results as readonly MilvusHit[];
  }

  /** Runs one call of the SDK as it is; for searches of collections that an application keeps. */
  async run<T>(what: string, collection: string, work: (client: MilvusClient, timeout: number) => Promise<T>, call: MilvusCall = {}): Promise<T | undefined> {
    return (await this.#loaded(what, collection, (client) => work(client, this.#timeouts.callMs), call)) as T | undefined;
  }

  /** Writes rows, in place of those with the same primary key. */
  async upsert(collection: string, rows: readonly MilvusRow[], call: MilvusCall = {}): Promise<void> {
    if (rows.length === 0) return;
    const request = { collection_name: collection, data: rows, ...this.#limit };
    const answer = await this.#loaded(`Writing to collection "${collection}"`, collection, (client) => client.upsert(request as never), call);
    if (answer === undefined) throw gone(collection);
  }

  /** Removes the rows that meet an expression. */
  async remove(collection: string, filter: string, call: MilvusCall = {}): Promise<void> {
    const request = { collection_name: collection, filter, ...this.#limit };
    const answer = await this.#loaded(`Removing from collection "${collection}"`, collection, (client) => client.delete(request as never), call);
    if (answer === undefined) throw gone(collection);
  }

  /** Makes a collection with its indexes, and loads it. */
  async create(
    definition: { readonly collection: string; readonly fields: readonly object[]; readonly indexes: readonly object[] },
    call: MilvusCall = {},
  ): Promise<void> {
    const { collection, fields, indexes } = definition;
    const what = `Making collection "${collection}"`;
    const request = { collection_name: collection, fields, consistency_level: strong, ...this.#limit };
    await this.#call(what, (client) => client.createCollection(request as never), call);
    for (const index of indexes)
      await this.#call(what, (client) => client.createIndex({ collection_name: collection, ...index, timeout: this.#timeouts.loadMs } as never), call);
    await this.#load(collection, call);
  }

  async drop(collection: string, call: MilvusCall = {}): Promise<void> {
    if (await this.hasCollection(collection, call)) {
      await this.#call(`Dropping collection "${collection}"`, (client) => client.dropCollection({ collection_name: collection, ...this.#limit }), call);
    }
  }

  async close(): Promise<void> {
    const made = this.#made;
    this.#made = undefined;
    this.#ready = undefined;
    if (made?.owned === true) await made.client.closeConnection();
  }

  get #limit(): { readonly timeout: number } {
    return { timeout: this.#timeouts.callMs };
  }

  async #load(collection: string, call: MilvusCall): Promise<void> {
    const what = `Loading collection "${collection}"`;
    const request = { collection_name: collection, timeout: this.#timeouts.loadMs };
    await this.#call(what, (client) => client.loadCollection(request), { ...call, timeoutMs: this.#timeouts.loadMs });
    const until = performance.now() + this.#timeouts.loadMs;
    for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, 1_000)) {
      const { state } = (await this.#call(what, (client) => client.getLoadState({ collection_name: collection, ...this.#limit }), call)) as { state?: unknown };
      if (state === "LoadStateLoaded") return;
      if (performance.now() > until) throw new CollectionFault("database", `${what} took too long`);
      await setTimeout(pauseMs, undefined, call.signal === undefined ? {} : { signal: call.signal });
    }
  }

  /** Runs a call on a collection. Where it is not loaded it is loaded; where it is not there, the answer is undefined. */
  async #loaded(what: string, collection: string, work: (client: MilvusClient) => Promise<unknown>, call: MilvusCall): Promise<unknown> {
    for (let attempt = 0; ; attempt += 1) {
      const answer = await this.#attempt(what, work, call).catch(async (error: unknown) => {
        // The driver stumbles over collections that are not there, in more than one way.
        if (!(error instanceof CollectionFault) || error.kind !== "database" || unreachable(error)) throw error;
        if (await this.hasCollection(collection, call)) throw error;
        return undefined;
      });
      const status = statusOf(answer);
      if (status === undefined) {
        if (answer === undefined) return undefined;
        throw new CollectionFault("database", `${what} gave no status`);
      }
      if (isSuccess(status)) return answer;
      if (hasCode(status, collectionNotFound)) return undefined;
      if (!hasCode(status, collectionNotLoaded) || attempt > 0) {
        if (!(await this.hasCollection(collection, call))) return undefined;
        throw refusedFault(what, status);
      }
      await this.#load(collection, call);
    }
  }

  /** Runs a call that has to succeed. */
  async #call(
    what: string,
    work: (client: MilvusClient) => Promise<unknown>,
    call: MilvusCall & { readonly timeoutMs?: number | undefined },
  ): Promise<unknown> {
    const answer = await this.#attempt(what, work, call);
    const status = statusOf(answer);
    if (status === undefined) throw new CollectionFault("database", `${what} gave no status`);
    if (!isSuccess(status)) throw refusedFault(what, status);
    return answer;
  }

  async #attempt(
    what: string,
    work: (client: MilvusClient) => Promise<unknown>,
    { signal, timeoutMs = this.#timeouts.callMs }: MilvusCall & { readonly timeoutMs?: number | undefined },
  ): Promise<unknown> {
    signal?.throwIfAborted();
    const shown = `${what} on "${this.#name}"`;
    try {
      const client = await bounded(this.#connected(), { timeoutMs: this.#timeouts.connectMs, signal });
      return await bounded(work(client), { timeoutMs: timeoutMs + graceMs, signal });
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason;
      throw toFault(error, shown);
    }
  }

  /** The client, connected; a connection that failed is tried anew by the next call. */
  async #connected(): Promise<MilvusClient> {
    this.#made ??= this.#make();
    const { client } = this.#made;
    this.#ready ??= Promise.resolve(client.connectPromise).then(() => undefined);
    try {
      await this.#ready;
    } catch (error) {
      if (this.#made?.client === client && this.#made.owned) {
        this.#made = undefined;
        void client.closeConnection().catch(() => undefined);
      }
      this.#ready = undefined;
      throw error;
    }
    return client;
  }
}

/** What was written by anybody before is read, at a price of up to 200 ms on a server of several nodes. */
const strong = "Strong";
/** The driver ends calls itself; this is for the case that it does not. */
const graceMs = 2_000;

function gone(collection: string): CollectionFault {
  return new CollectionFault("missing", `The Milvus collection "${collection}" is gone: \`ditto setup FILE --apply\` makes it`);
}

/** gRPC's numbers for a server that cannot be reached, or is too slow, or turns the user away. */
function unreachable(error: CollectionFault): boolean {
  const cause = error.cause;
  const code = typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined;
  return code === 4 || code === 7 || code === 14 || code === 16;
}

/** Waits for work, but no longer than this. */
async function bounded<T>(work: Promise<T>, { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined }): Promise<T> {
  let stop = (): void => undefined;
  const ended = new Promise<never>((_, reject) => {
    const late = globalThis.setTimeout(() => reject(Object.assign(new Error("The server did not answer in time"), { code: 4 })), timeoutMs);
    const leave = (): void => reject(signal?.reason);
    signal?.addEventListener("abort", leave, { once: true });
    stop = () => {
      clearTimeout(late);
      signal?.removeEventListener("abort", leave);
    };
  });
  try {
    return await Promise.race([work, ended]);
  } finally {
    stop();
  }
}
