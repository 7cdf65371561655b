import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { SqlPort } from "@codesoul-co/ditto/plugin";
import type { Database } from "better-sqlite3";
import { asRetrieval, CollectionFault } from "../sql/collection-fault.ts";
import type { Statement } from "../sql/sql.ts";
import { SqliteConnection } from "./sqlite-connection.ts";
import type { NearestRequest, NearestRow, Row, SqliteExecutor, Writer } from "./sqlite-executor.ts";
import { busyFault, isBusy, toFault } from "./sqlite-failure.ts";
import { ReadPool } from "./read-pool.ts";
import { runWritten } from "./run-written.ts";
import type { ReadTask } from "./thread-messages.ts";
import { findNearest } from "./find-nearest.ts";
import type { VectorIndex } from "../sql/vectors/vector-index.ts";

/** Where a database is. */
export interface SqliteLocation {
  /** Absolute path, or `:memory:`. */
  readonly file: string;
  /** The file as the pipeline names it, for messages. */
  readonly shown: string;
  /** Threads that read, and where their code is; without them reading happens on this thread. */
  readonly threads?: { readonly threads: number; readonly threadFile: string } | undefined;
}

interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

interface ReadOptions extends CallOptions {
  /** What takes microseconds stays on this thread. */
  readonly light?: boolean | undefined;
}

/** A row as an author's statement gives it. */
type WrittenRow = Readonly<Record<string, unknown>>;

/**
 * A SQLite file, opened at the first call that needs it.
 *
 * Reading never makes anything: a file that does not exist reads as empty. Statements run on this thread, or those that read in
 * threads of their own. Where another
 * process holds the lock, the call waits without holding up the thread, 15 seconds at most.
 */
export class SqliteDatabase implements SqliteExecutor, SqlPort {
  readonly dialect = "sqlite";
  readonly #location: SqliteLocation;
  readonly #pool: ReadPool | undefined;
  readonly #indexes = new Map<string, VectorIndex>();
  #connection: SqliteConnection | undefined;
  #writable = false;
  #owned = true;
  #closed = false;
  #writes = 0;

  constructor(location: SqliteLocation) {
    const { file, shown, threads } = location;
    this.#location = location;
    this.#pool = threads === undefined || file === memoryFile ? undefined : new ReadPool({ file, shown, ...threads, here: (task) => this.#readHere(task) });
  }

  /** Wraps a database that an application opened; it stays the application's, and is never closed here. */
  static of(database: Database): SqliteDatabase {
    const known = wrapped.get(database);
    if (known !== undefined) return known;
    const wrapper = new SqliteDatabase({ file: database.name, shown: database.name });
    wrapper.#connection = new SqliteConnection(database);
    wrapper.#owned = false;
    wrapped.set(database, wrapper);
    return wrapper;
  }

  async read(statements: readonly Statement[], options: ReadOptions = {}): Promise<readonly (readonly Row[])[] | undefined> {
    return await this.#read({ kind: "read", statements }, options);
  }

  async nearest(request: NearestRequest, options: CallOptions = {}): Promise<readonly NearestRow[] | undefined> {
    return await this.#read({ kind: "nearest", request }, options);
  }

  async write<T>(work: (writer: Writer) => T, { signal }: CallOptions = {}): Promise<T> {
    const result = await this.#attempt(signal, (connection) => ({ value: connection.transaction(() => work(connection)) }), "write");
    this.#writes += 1;
    if (this.#writes >= firstStatistics && Number.isInteger(Math.log2(this.#writes))) this.#whenFree(refreshStatistics);
    // Only reading can find no file.
    return (result as { readonly value: T }).value;
  }

  async query(text: string, values: readonly unknown[], { signal }: CallOptions = {}): Promise<readonly WrittenRow[]> {
    return await asRetrieval(async () => {
      const rows = await this.written(text, values, { signal });
      if (rows !== undefined) return rows;
      // A collection is made by its first write; the tables of a written statement are somebody's, and must be there.
      throw new CollectionFault("database", `The SQLite file "${this.#location.shown}" does not exist; its path starts at the pipeline's folder`);
    });
  }

  /**
   * Runs a statement that an author wrote out.
   *
   * @returns Undefined where the file does not exist.
   * @throws CollectionFault
   */
  async written(text: string, values: readonly unknown[], options: CallOptions = {}): Promise<readonly WrittenRow[] | undefined> {
    return await this.#read({ kind: "written", text, values }, options);
  }

  /** Tells whether the file can be read; one that does not exist can. */
  async check(signal: AbortSignal): Promise<void> {
    await this.read([{ sql: "SELECT count(*) FROM sqlite_master", parameters: [] }], { signal });
  }

  async close(): Promise<void> {
    // What reads in threads would keep the file from standing alone.
    if (this.#pool !== undefined) await this.#pool.close();
    if (this.#writes > 0) this.#whenFree(refreshStatistics);
    // At rest the file stands alone, so that it can also be read where nothing may be written beside it.
    if (this.#writes > 0) this.#whenFree((database) => database.pragma("journal_mode = DELETE"));
    if (this.#owned) this.#connection?.database.close();
    this.#connection = undefined;
    this.#closed = true;
    this.#indexes.clear();
  }

  async #read<T>(task: ReadTask, { signal, light = false }: ReadOptions): Promise<T | undefined> {
    // What a task gives is told by its kind.
    return (await (this.#pool === undefined || light ? this.#readHere(task, signal) : this.#pool.run(task, signal))) as T | undefined;
  }

  #readHere(task: ReadTask, signal?: AbortSignal | undefined): Promise<unknown> {
    return this.#attempt<unknown>(signal, (connection) => {
      switch (task.kind) {
        case "read": {
          const [only] = task.statements;
          if (task.statements.length === 1 && only !== undefined) return [connection.all(only)];
          return connection.snapshot(() => task.statements.map((statement) => connection.all(statement)));
        }
        case "nearest":
          return connection.snapshot(() => findNearest(connection, this.#indexes, task.request));
        case "written":
          return runWritten(connection.database, task.text, task.values);
      }
    });
  }

  /** Does what is only worth it where nobody is in the way. */
  #whenFree(work: (database: Database) => unknown): void {
    if (!this.#owned || this.#connection === undefined) return;
    try {
      work(this.#connection.database);
    } catch (error) {
      if (!isBusy(error)) throw toFault(error, this.#location.shown);
    }
  }

  async #attempt<T>(signal: AbortSignal | undefined, work: (connection: SqliteConnection) => T, purpose: "read" | "write" = "read"): Promise<T | undefined> {
    const Driver = this.#connection === undefined ? await loadDriver() : undefined;
    const start = performance.now();
    for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      signal?.throwIfAborted();
      try {
        const connection = this.#connect(Driver, purpose);
        return connection === undefined ? undefined : work(connection);
      } catch (error) {
        if (!isBusy(error)) throw toFault(error, this.#location.shown);
        if (performance.now() - start > longestWaitMs) throw busyFault(this.#location.shown, longestWaitMs, error);
      }
      await sleep(pauseMs * (0.5 + Math.random()), undefined, { signal });
    }
  }

  #connect(Driver: DriverClass | undefined, purpose: "read" | "write"): SqliteConnection | undefined {
    const { file, shown } = this.#location;
    if (this.#closed) throw new CollectionFault("database", `The SQLite file "${shown}" is closed`);
    if (this.#connection === undefined && Driver !== undefined) {
      if (file !== memoryFile) {
        if (purpose === "read" && !existsSync(file)) return undefined;
        if (purpose === "write") mkdirSync(dirname(file), { recursive: true });
      }
      this.#connection = open(Driver, file);
    }
    if (purpose === "write" && !this.#writable && this.#owned) {
      this.#connection?.database.pragma("journal_mode = WAL");
      this.#writable = true;
    }
    return this.#connection;
  }
}

/**
 * The database in a collection's slot: one that this plugin opened, or one of better-sqlite3 that an application handed in.
 *
 * @throws CollectionFault `database` For anything else.
 */
export function toSqliteDatabase(value: unknown): SqliteDatabase {
  if (value instanceof SqliteDatabase) return value;
  if (isDriverDatabase(value)) return SqliteDatabase.of(value);
  throw new CollectionFault("database", "The database must be a sqlite connection, or a Database of better-sqlite3");
}

/** Tells whether a value is a Database of better-sqlite3. */
export function isDriverDatabase(value: unknown): value is Database {
  return (
    typeof value === "object" &&
    value !== null &&
    ["prepare", "exec", "pragma", "transaction"].every((name) => typeof (value as Readonly<Record<string, unknown>>)[name] === "function")
  );
}

type DriverClass = new (file: string, options: { readonly timeout: number }) => Database;

/** The file of a database that is kept nowhere. */
export const memoryFile = ":memory:";
/** From this write on, statistics are refreshed each time the number of writes has doubled. */
const firstStatistics = 16;
const longestWaitMs = 15_000;
const longestPauseMs = 50;
/** What SQLite itself waits, which holds up the thread. */
const blockingWaitMs = 5;
const wrapped = new WeakMap<Database, SqliteDatabase>();

async function loadDriver(): Promise<DriverClass> {
  return (await import("better-sqlite3")).default;
}

function open(Driver: DriverClass, file: string): SqliteConnection {
  const database = new Driver(file, { timeout: blockingWaitMs });
  try {
    // FULL: what was answered as written is on the disk, also after a power cut.
    database.pragma("synchronous = FULL");
    database.pragma("cache_size = -65536");
    return new SqliteConnection(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Lets SQLite count anew what it chooses indexes by; without, it walks whole tables in the order that is asked for. */
function refreshStatistics(database: Database): void {
  database.pragma("analysis_limit = 1000");
  database.pragma("optimize = 0x10002");
}
