import type { PGlite } from "@electric-sql/pglite";
import { CollectionFault } from "../sql/collection-fault.ts";
import type { EngineCall, Row } from "../sql/engine/sql-engine.ts";
import type { Statement } from "../sql/sql.ts";
import { toBound } from "./bound-values.ts";
import type { PostgresDriver, PostgresSession, TransactionMode } from "./postgres-driver.ts";
import { toFault } from "./postgres-failure.ts";
import { resultTypes } from "./result-types.ts";

/**
 * Runs statements on PostgreSQL in this process. There is one session: calls come one after the other, and a signal is heard before a
 * statement and after it, for nothing can interrupt one.
 */
export class PgliteDriver implements PostgresDriver {
  readonly shown: string;
  readonly #open: () => Promise<PGlite>;
  readonly #owned: boolean;
  #database: Promise<PGlite> | undefined;
  #closed = false;

  /** @param open Opens the database; it is called at the first call that needs it. */
  constructor(open: () => Promise<PGlite>, { shown, owned }: { readonly shown: string; readonly owned: boolean }) {
    this.shown = shown;
    this.#open = open;
    this.#owned = owned;
  }

  async query(statement: Statement, call: EngineCall = {}): Promise<readonly Row[]> {
    return await this.#run(call, async (database) => await ask(database, statement));
  }

  async readOnly(statement: Statement, call: EngineCall = {}): Promise<readonly Row[]> {
    return await this.transaction("read", async (session) => await session.query(statement), call);
  }

  async transaction<T>(mode: TransactionMode, work: (session: PostgresSession) => Promise<T>, call: EngineCall = {}): Promise<T> {
    return await this.#run(
      call,
      async (database) =>
        await database.transaction(async (transaction) => {
          if (mode !== "write")
            await transaction.exec(mode === "read" ? "SET TRANSACTION READ ONLY" : "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
          return await work({
            query: async (statement) => {
              call.signal?.throwIfAborted();
              return await ask(transaction, statement);
            },
          });
        }),
    );
  }

  async close(): Promise<void> {
    this.#closed = true;
    const database = this.#database;
    this.#database = undefined;
    if (this.#owned && database !== undefined) await (await database).close();
  }

  async #run<T>({ signal }: EngineCall, work: (database: PGlite) => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    if (this.#closed) throw new CollectionFault("database", `${this.shown} is closed`);
    try {
      this.#database ??= this.#open();
      const result = await work(await this.#database);
      signal?.throwIfAborted();
      return result;
    } catch (error) {
      signal?.throwIfAborted();
      throw toFault(error, this.shown);
    }
  }
}

const parsers = Object.fromEntries(resultTypes);

async function ask(database: Pick<PGlite, "query">, { sql, parameters }: Statement): Promise<readonly Row[]> {
  return (await database.query<Row>(sql, toBound(parameters), { parsers })).rows;
}
