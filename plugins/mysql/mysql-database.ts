import { setTimeout as sleep } from "node:timers/promises";
import type { SqlPort } from "@codesoul-co/ditto/plugin";
import { asRetrieval, CollectionFault } from "../sql/collection-fault.ts";
import type { EngineCall, Row, SqlReader } from "../sql/engine/sql-engine.ts";
import type { Statement } from "../sql/sql.ts";
import { exactRows, type PlainRow } from "./exact-rows.ts";
import { isDeadlock, isLost, toAuthorsFault, toFault } from "./mysql-failure.ts";
import type { MysqlPool } from "./mysql-pool.ts";
import type { MysqlSession } from "./mysql-session.ts";
import { limitedRead } from "./limited-read.ts";

/** A database of a MySQL or MariaDB server. Nothing is connected before the first call. */
export class MysqlDatabase implements SqlPort {
  readonly dialect = "mysql";
  readonly #pool: MysqlPool;
  readonly #statementTimeoutMs: number;

  constructor(pool: MysqlPool, { statementTimeoutMs }: { readonly statementTimeoutMs: number }) {
    this.#pool = pool;
    this.#statementTimeoutMs = statementTimeoutMs;
  }

  /** Runs one statement that reads. */
  async read(statement: Statement, { signal }: EngineCall = {}): Promise<readonly Row[]> {
    return await this.#told(async () => await this.#pool.use(async (session) => await this.#all(session, statement), signal));
  }

  /** Runs `work` on the state of one moment. */
  async snapshot<T>(work: (reader: SqlReader) => Promise<T>, { signal }: EngineCall = {}): Promise<T> {
    return await this.#told(
      async () =>
        await this.#pool.use(async (session) => {
          if (!session.server.isRepeatableRead) await session.command("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
          await session.command("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY");
          try {
            return await work({ all: async (statement) => await this.#all(session, statement) });
          } finally {
            // It wrote nothing, so there is nothing to keep.
            await session.end("ROLLBACK");
          }
        }, signal),
    );
  }

  /**
   * Runs `work` in a transaction that is written whole or not at all, again where the server gave it up for the sake of another one.
   */
  async write<T>(work: (session: MysqlSession) => Promise<T>, { signal }: EngineCall = {}): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#transaction(work, signal);
      } catch (error) {
        if (!isDeadlock(error) || attempt === mostAttempts) throw toFault(error, this.#pool.name);
      }
      await sleep(attempt * 5 * (0.5 + Math.random()), undefined, { signal });
    }
  }

  /** @see SqlPort */
  async query(text: string, values: readonly unknown[], { signal }: EngineCall = {}): Promise<readonly PlainRow[]> {
    return await asRetrieval(async () => {
      try {
        return await this.#pool.use(async (session) => {
          const statement = limitedRead(text, session.server, this.#statementTimeoutMs);
          if (statement === undefined || !(await session.givesRows(statement))) throw new CollectionFault("input", "The statement of a search must only read");
          return exactRows(await session.execute(statement, values.map(toBound)));
        }, signal);
      } catch (error) {
        throw toAuthorsFault(error, this.#pool.name);
      }
    });
  }

  /** Tells whether the server can be read. */
  async check(signal: AbortSignal): Promise<void> {
    await this.read({ sql: "SELECT 1", parameters: [] }, { signal });
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }

  async #all(session: MysqlSession, { sql, parameters }: Statement): Promise<readonly Row[]> {
    return exactRows(await session.execute(limitedRead(sql, session.server, this.#statementTimeoutMs) ?? sql, parameters)) as readonly Row[];
  }

  async #transaction<T>(work: (session: MysqlSession) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    let begun = false;
    const attempt = async (session: MysqlSession): Promise<T> => {
      await session.command("START TRANSACTION READ WRITE");
      begun = true;
      let result: T;
      try {
        result = await work(session);
        signal?.throwIfAborted();
      } catch (error) {
        await session.end("ROLLBACK");
        throw error;
      }
      await session.end("COMMIT");
      return result;
    };
    // A connection that dies before anything was begun is replaced; what dies later may be written or not, and is told.
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#pool.useOnce(attempt, signal);
      } catch (error) {
        if (begun || tries === mostAttempts || !isLost(error)) throw error;
      }
    }
  }

  async #told<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw toFault(error, this.#pool.name);
    }
  }
}

/** With each attempt, those who wait for one another have become fewer. */
const mostAttempts = 10;

function toBound(value: unknown): unknown {
  if (typeof value === "boolean") return Number(value);
  return typeof value === "object" && value !== null && !(value instanceof Uint8Array) ? JSON.stringify(value) : (value ?? null);
}
