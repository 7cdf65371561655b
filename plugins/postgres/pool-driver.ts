import type { Pool, PoolClient } from "pg";
import { CollectionFault } from "../sql/collection-fault.ts";
import type { EngineCall, Row } from "../sql/engine/sql-engine.ts";
import type { Statement } from "../sql/sql.ts";
import { toBound } from "./bound-values.ts";
import { beginStatements, type PostgresDriver, type PostgresSession, type TransactionMode } from "./postgres-driver.ts";
import { cancelStatement } from "./cancel-statement.ts";
import { isConnectionLost, toFault } from "./postgres-failure.ts";
import { resultTypes } from "./result-types.ts";

/** How a pool is used. */
export interface PoolOptions {
  /** The database as the pipeline names it, for messages. */
  readonly shown: string;
  /** Longest wait for a connection. */
  readonly waitTimeoutMs: number;
  /** Longest time that reading takes at the server, which is told to end it then. */
  readonly statementTimeoutMs: number;
  /** False for an application's pool, which is never ended here. */
  readonly owned: boolean;
}

/** Runs statements over a pool of connections of `pg`. */
export class PoolDriver implements PostgresDriver {
  readonly shown: string;
  readonly #pool: Pool;
  readonly #options: PoolOptions;
  #closed: Promise<void> | undefined;

  constructor(pool: Pool, options: PoolOptions) {
    this.#pool = pool;
    this.#options = options;
    this.shown = options.shown;
    // A connection that is killed while nobody uses it tells so; without a listener that would end the process.
    pool.on("error", ignore);
  }

  async query(statement: Statement, { signal }: EngineCall = {}): Promise<readonly Row[]> {
    return await this.#onFresh({ signal, limited: true }, async (client) => await client.query(statement));
  }

  async readOnly(statement: Statement, { signal }: EngineCall = {}): Promise<readonly Row[]> {
    return await this.#onFresh({ signal, limited: true }, async (client) => {
      await client.command(beginStatements.read);
      const rows = await client.query(statement);
      // The answer does not wait for the end.
      client.last = client.command("COMMIT");
      return rows;
    });
  }

  async transaction<T>(mode: TransactionMode, work: (session: PostgresSession) => Promise<T>, { signal }: EngineCall = {}): Promise<T> {
    // Nothing is lost when it is the beginning that fails: a connection of the pool was dead, and the next one is tried.
    return await this.#onFresh({ signal, limited: mode !== "write", begin: beginStatements[mode] }, async (client) => {
      const result = await work(client);
      await client.command("COMMIT");
      return result;
    });
  }

  close(): Promise<void> {
    this.#closed ??= this.#options.owned ? this.#pool.end() : Promise.resolve();
    return this.#closed;
  }

  /**
   * Runs `work` on a connection. Where the first statement meets a connection that died in the pool, another one is taken, once.
   */
  async #onFresh<T>({ signal, limited, begin }: Borrowing, work: (client: BorrowedClient) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const client = await this.#borrow(signal, limited ? this.#options.statementTimeoutMs : undefined);
      try {
        if (begin !== undefined) await client.command(begin);
        const result = await work(client);
        void client.giveBack();
        return result;
      } catch (error) {
        const stale = attempt === 1 && client.answers === 0 && isConnectionLost(error);
        await client.abandon();
        signal?.throwIfAborted();
        if (!stale) throw toFault(error, this.shown);
      }
    }
  }

  async #borrow(signal: AbortSignal | undefined, timeoutMs: number | undefined): Promise<BorrowedClient> {
    signal?.throwIfAborted();
    if (this.#closed !== undefined) throw new CollectionFault("database", `${this.shown} is closed`);
    const { waitTimeoutMs } = this.#options;
    const asked = this.#pool.connect();
    const given = await firstOf(asked, { signal, timeoutMs: waitTimeoutMs }).catch((error: unknown) => {
      // It may come later, when nobody waits for it any more.
      asked.then((late) => late.release(), ignore);
      signal?.throwIfAborted();
      throw error === timedOut || this.#isFull() ? this.#exhausted(error) : toFault(error, this.shown);
    });
    return new BorrowedClient(given, { signal, timeoutMs });
  }

  #isFull(): boolean {
    return this.#pool.idleCount === 0 && this.#pool.totalCount >= (this.#pool.options.max ?? 10);
  }

  #exhausted(cause: unknown): CollectionFault {
    const seconds = this.#options.waitTimeoutMs / 1000;
    const { max = 10 } = this.#pool.options;
    const message = this.#isFull()
      ? `No connection to ${this.shown} became free within ${seconds} seconds; the pool has ${max}`
      : `${this.shown} cannot be reached within ${seconds} seconds`;
    return new CollectionFault(this.#isFull() ? "busy" : "database", message, { cause });
  }
}

interface Borrowing {
  readonly signal: AbortSignal | undefined;
  /** Whether the time at the server is limited. */
  readonly limited: boolean;
  /** A statement before everything else. */
  readonly begin?: string | undefined;
}

/** A connection while it is out of the pool. */
class BorrowedClient implements PostgresSession {
  /** Statements that were answered. */
  answers = 0;
  /** A statement whose answer nobody waits for. */
  last: Promise<void> | undefined;
  readonly #client: PoolClient;
  readonly #signal: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout | undefined;
  #broken = false;
  #cancelling: Promise<void> | undefined;
  readonly #onAbort = (): void => {
    this.#cancelling ??= this.#cancel();
  };

  constructor(client: PoolClient, { signal, timeoutMs }: { readonly signal: AbortSignal | undefined; readonly timeoutMs: number | undefined }) {
    this.#client = client;
    this.#signal = signal;
    if (timeoutMs !== undefined) this.#timer = setTimeout(this.#onAbort, timeoutMs);
    client.on("error", this.#onError);
    signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  async query({ sql, parameters }: Statement): Promise<readonly Row[]> {
    this.#signal?.throwIfAborted();
    const { rows } = await this.#client.query<Row>({ text: sql, values: toBound(parameters), types });
    this.answers += 1;
    return rows;
  }

  async command(text: string): Promise<void> {
    await this.#client.query(text);
    this.answers += 1;
  }

  async giveBack(): Promise<void> {
    this.#stopWatching();
    try {
      await this.last;
    } catch {
      this.#broken = true;
    }
    await this.#release();
  }

  /** After a failure: what was begun is undone, and a connection that may be in any state does not go back. */
  async abandon(): Promise<void> {
    this.#stopWatching();
    await this.#cancelling;
    if (!this.#broken) {
      try {
        await this.#client.query("ROLLBACK");
      } catch {
        this.#broken = true;
      }
    }
    await this.#release();
  }

  #stopWatching(): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener("abort", this.#onAbort);
  }

  async #release(): Promise<void> {
    await this.#cancelling;
    this.#client.off("error", this.#onError);
    // A cancellation that was sent may still arrive: it must not meet the next borrower's statement.
    this.#client.release(this.#broken || this.#cancelling !== undefined);
  }

  readonly #onError = (): void => {
    this.#broken = true;
  };

  /** Ends what the server does for this connection. */
  async #cancel(): Promise<void> {
    try {
      await cancelStatement(this.#client);
    } catch {
      // The server cannot be told, so the connection itself ends, and with it what is waited for.
      this.#broken = true;
      (this.#client as unknown as { readonly connection?: { readonly stream: { destroy(): void } } }).connection?.stream.destroy();
    }
  }
}

const timedOut: unique symbol = Symbol("no connection in time");
const text: (value: string) => unknown = (value) => value;
const types = { getTypeParser: (type: number): ((value: string) => unknown) => resultTypes.get(type) ?? text };

function ignore(): void {
  // The next call on the connection tells.
}

/** The first of what is waited for, the end of the time, and the signal. */
async function firstOf<T>(promise: Promise<T>, { signal, timeoutMs }: { readonly signal: AbortSignal | undefined; readonly timeoutMs: number }): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(timedOut), timeoutMs);
    onAbort = () => reject(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, end]);
  } finally {
    clearTimeout(timer);
    if (onAbort !== undefined) signal?.removeEventListener("abort", onAbort);
  }
}
