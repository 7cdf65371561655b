import type { FieldPacket } from "mysql2";
import { CollectionFault } from "../sql/collection-fault.ts";
import type { DriverConnection, MysqlServer } from "./mysql-server.ts";

/** What a statement gave. */
export interface Answer {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly columns: readonly FieldPacket[];
}

/** A borrowed connection. It runs one statement at a time, and none after its call was given up. */
export class MysqlSession {
  readonly server: MysqlServer;
  /** Rejects when the connection is taken away from whoever waits for it. */
  readonly lost: Promise<never>;
  readonly #connection: DriverConnection;
  readonly #signal: AbortSignal | undefined;
  #broken = false;
  #ending = false;
  #reject: (reason: unknown) => void = () => undefined;

  constructor(connection: DriverConnection, given: { readonly server: MysqlServer; readonly signal: AbortSignal | undefined }) {
    this.#connection = connection;
    this.server = given.server;
    this.#signal = given.signal;
    this.lost = new Promise((_, reject) => {
      this.#reject = reject;
    });
    // Nobody may be waiting when it is taken away.
    this.lost.catch(() => undefined);
  }

  get threadId(): number {
    return this.#connection.threadId;
  }

  /** True when its transaction is being ended: what is asked to end then would be ended half. */
  get isEnding(): boolean {
    return this.#ending;
  }

  get config(): DriverConnection["config"] {
    return this.#connection.config;
  }

  /** Runs a prepared statement; its values are sent apart from its text. */
  async execute(text: string, values: readonly unknown[]): Promise<Answer> {
    this.#signal?.throwIfAborted();
    return await new Promise((resolve, reject) => {
      this.#connection.execute({ sql: text, values: values as unknown[], ...exactValues }, (error, rows, fields) => {
        if (error === null) resolve({ rows: Array.isArray(rows) ? (rows as Answer["rows"]) : [], columns: fields ?? [] });
        else reject(error);
      });
    });
  }

  /** Runs a statement of constant text. */
  async command(text: string): Promise<void> {
    this.#signal?.throwIfAborted();
    await this.#send(text);
  }

  /**
   * Tells whether a statement gives rows and writes nothing, without running it: what writes has no columns.
   *
   * It is kept prepared, so {@link execute} does not prepare it a second time.
   */
  async givesRows(text: string): Promise<boolean> {
    this.#signal?.throwIfAborted();
    return await new Promise((resolve, reject) => {
      this.#connection.prepare(text, (error, statement) => {
        if (error !== null) reject(error);
        else resolve((statement as unknown as { readonly columns: readonly unknown[] }).columns.length > 0);
      });
    });
  }

  /** Ends a transaction, also one whose call was given up. What cannot be ended here ends with the connection. */
  async end(how: "COMMIT" | "ROLLBACK"): Promise<void> {
    this.#ending = true;
    try {
      await this.#send(how);
    } catch (error) {
      this.#broken = true;
      if (how === "COMMIT") throw error;
    }
  }

  /** Takes the connection away: it is closed, and whoever waits for it hears so. */
  destroy(): void {
    this.#broken = true;
    this.#connection.destroy();
    this.#reject(new CollectionFault("database", "The connection was closed because its call was given up"));
  }

  /** Marks a connection that must not be used again. */
  discard(): void {
    this.#broken = true;
  }

  release(): void {
    if (this.#broken) this.#connection.destroy();
    else this.#connection.release();
  }

  #send(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#connection.query(text, (error) => (error === null ? resolve() : reject(error)));
    });
  }
}

/** No digit of a number is lost, and no date becomes that of another time zone. */
const exactValues = { supportBigNumbers: true, dateStrings: true } as const;
