import type { EngineCall, Row } from "../sql/engine/sql-engine.ts";
import type { Statement } from "../sql/sql.ts";

/** What a transaction is for: reading, all on the state of one moment, or writing. */
export type TransactionMode = "read" | "snapshot" | "write";

/** A session inside a transaction; nothing may be kept of it. */
export interface PostgresSession {
  query(statement: Statement): Promise<readonly Row[]>;
}

/**
 * How statements reach PostgreSQL: over a pool of connections, or in this process.
 *
 * Every method throws `CollectionFault` for what the database does, and the signal's own reason where that ended the call.
 */
export interface PostgresDriver {
  /** The database as the pipeline names it, for messages. */
  readonly shown: string;
  /** Runs one statement on its own. */
  query(statement: Statement, call?: EngineCall): Promise<readonly Row[]>;
  /** Runs `work` in a transaction, which ends with it. */
  transaction<T>(mode: TransactionMode, work: (session: PostgresSession) => Promise<T>, call?: EngineCall): Promise<T>;
  /** Runs one statement in a transaction of its own that only reads. */
  readOnly(statement: Statement, call?: EngineCall): Promise<readonly Row[]>;
  close(): Promise<void>;
}

/** What begins a transaction. */
export const beginStatements: Readonly<Record<TransactionMode, string>> = {
  read: "BEGIN READ ONLY",
  snapshot: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
  write: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE",
};
