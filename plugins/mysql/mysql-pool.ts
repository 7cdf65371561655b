import type { ConnectionOptions, Pool } from "mysql2";
import { CollectionFault } from "../sql/collection-fault.ts";
import { loadDriver } from "./load-driver.ts";
import { isInterrupted, isLost } from "./mysql-failure.ts";
import { type DriverConnection, readServer } from "./mysql-server.ts";
import { MysqlSession } from "./mysql-session.ts";

/** A pool of mysql2 and how it is used. */
export interface PoolGiven {
  readonly pool: Pool;
  /** False for a pool that an application handed in: it is never closed, and its connections keep their settings. */
  readonly owned: boolean;
  /** The connection's name in the pipeline, for messages. */
  readonly name: string;
  readonly waitTimeoutMs: number;
}

/** Lends connections: no call waits for ever, what is given up ends at the server too, and what is broken is replaced. */
export class MysqlPool {
  readonly #given: PoolGiven;
  #closed = false;

  constructor(given: PoolGiven) {
    this.#given = given;
  }

  get name(): string {
    return this.#given.name;
  }

  /**
   * Runs `work` with a connection of its own.
   *
   * Where the connection turns out to be gone, `work` runs again with another one, so it must not have written anything that lasts.
   *
   * @throws The signal's reason when it ended the call.
   */
  async use<T>(work: (session: MysqlSession) => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.useOnce(work, signal);
      } catch (error) {
        if (!isLost(error) || attempt === mostAttempts) throw error;
      }
    }
  }

  /** The same for what must not run twice. */
  async useOnce<T>(work: (session: MysqlSession) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const session = await this.#borrow(signal);
    const stopping = stopWhenGivenUp(session, signal);
    try {
      return await Promise.race([work(session), session.lost]);
    } catch (error) {
      if (isLost(error)) session.discard();
      if (signal?.aborted === true && (isInterrupted(error) || isLost(error) || error instanceof CollectionFault)) throw signal.reason;
      throw error;
    } finally {
      // Whoever borrows the connection next must not be hit by what was meant for this call.
      await stopping();
      session.release();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (!this.#given.owned) return;
    await new Promise<void>((resolve) => {
      // What cannot be said goodbye to is gone all the same.
      this.#given.pool.end(() => resolve());
    });
  }

  async #borrow(signal: AbortSignal | undefined): Promise<MysqlSession> {
    const { name, owned } = this.#given;
    const connection = await this.#connect(signal);
    try {
      return new MysqlSession(connection, { server: await readServer(connection, { owned, name }), signal });
    } catch (error) {
      if (isLost(error)) connection.destroy();
      else connection.release();
      throw error;
    }
  }

  #connect(signal: AbortSignal | undefined): Promise<DriverConnection> {
    const { pool, name, waitTimeoutMs } = this.#given;
    if (this.#closed) throw new CollectionFault("database", `The connection "${name}" is closed`);
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      let waits = true;
      const settle = (done: () => void): void => {
        waits = false;
        clearTimeout(timer);
        signal?.removeEventListener("abort", giveUp);
        done();
      };
      const giveUp = (): void => settle(() => reject(signal?.reason));
      const timer = setTimeout(() => {
        settle(() => reject(new CollectionFault("busy", `No connection of "${name}" became free within ${waitTimeoutMs / 1000} seconds`)));
      }, waitTimeoutMs);
      signal?.addEventListener("abort", giveUp, { once: true });
      pool.getConnection((error, connection) => {
        if (!waits) {
          // It came too late for this call, and is the next one's.
          if (error === null) connection.release();
          return;
        }
        settle(() => (error === null ? resolve(watched(connection)) : reject(error)));
      });
    });
  }
}

/** A pool whose connections all died at once has to be emptied first. */
const mostAttempts = 4;
/** How long a statement has to end when the server was asked to end it. */
const graceMs = 5_000;

const watchedConnections = new WeakSet<DriverConnection>();

/** The driver emits an error for each connection that dies; without anybody who listens the process would end. */
function watched(connection: DriverConnection): DriverConnection {
  if (!watchedConnections.has(connection)) {
    connection.on("error", () => undefined);
    watchedConnections.add(connection);
  }
  return connection;
}

/**
 * Ends the session's statement at the server when the signal says so.
 *
 * @returns To be called when the work is over: waits until nothing is under way any more.
 */
function stopWhenGivenUp(session: MysqlSession, signal: AbortSignal | undefined): () => Promise<void> {
  if (signal === undefined) return async () => undefined;
  let killing: Promise<void> | undefined;
  let grace: NodeJS.Timeout | undefined;
  const stop = (): void => {
    grace = setTimeout(() => session.destroy(), graceMs);
    if (session.isEnding) return;
    killing = killQuery(session).catch(() => session.destroy());
  };
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  return async () => {
    signal.removeEventListener("abort", stop);
    clearTimeout(grace);
    await killing;
  };
}

/** Only another connection can end a statement; it is not of the pool, which can be exhausted just then. */
async function killQuery({ config, threadId }: MysqlSession): Promise<void> {
  const { host, port, socketPath, user, password, ssl } = config as ConnectionOptions;
  const address = Object.fromEntries(Object.entries({ host, port, socketPath, user, password, ssl }).filter(([, value]) => value !== undefined));
  const connection = (await loadDriver()).createConnection({ ...address, connectTimeout: graceMs });
  try {
    await new Promise<void>((resolve, reject) => {
      connection.on("error", reject);
      connection.query(`KILL QUERY ${threadId}`, (error) => (error === null ? resolve() : reject(error)));
    });
  } finally {
    connection.destroy();
  }
}
