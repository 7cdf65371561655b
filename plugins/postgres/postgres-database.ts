import type { SqlPort } from "@codesoul-co/ditto/plugin";
import { asRetrieval, CollectionFault } from "../sql/collection-fault.ts";
import type { EngineCall, Row } from "../sql/engine/sql-engine.ts";
import type { SqlValue, Statement } from "../sql/sql.ts";
import { KeptVectors } from "../sql/vectors/kept-vectors.ts";
import { postgresDialect } from "./postgres-dialect.ts";
import type { PostgresDriver } from "./postgres-driver.ts";
import { codeOf } from "./postgres-failure.ts";

/** A database of PostgreSQL: what stands in slots of connections. */
export class PostgresDatabase implements SqlPort {
  readonly dialect = "postgres";
  readonly driver: PostgresDriver;
  /** True where the first write makes the tables. */
  readonly makesTables: boolean;
  /** Vectors of collections that are kept as bytes. */
  readonly keptVectors: KeptVectors = new KeptVectors(postgresDialect);

  constructor(driver: PostgresDriver, { makesTables }: { readonly makesTables: boolean }) {
    this.driver = driver;
    this.makesTables = makesTables;
  }

  async query(text: string, values: readonly unknown[], { signal }: EngineCall = {}): Promise<readonly Readonly<Record<string, unknown>>[]> {
    return await asRetrieval(async () => await this.readWritten({ sql: text, parameters: values.map(toValue) }, { signal }));
  }

  /**
   * Runs a statement that an author wrote out, or names of tables and columns that one did; it must only read.
   *
   * @throws CollectionFault `input` for a statement that writes, `database` for one that PostgreSQL refuses.
   */
  async readWritten(statement: Statement, call: EngineCall): Promise<readonly Row[]> {
    try {
      return await this.driver.readOnly(statement, call);
    } catch (error) {
      throw error instanceof CollectionFault ? asAuthors(error, this.driver.shown) : error;
    }
  }

  /** Tells whether the database answers. */
  async check(signal: AbortSignal): Promise<void> {
    await this.driver.query({ sql: "SELECT 1", parameters: [] }, { signal });
  }

  async close(): Promise<void> {
    await this.driver.close();
  }
}

/** PostgreSQL's own words where they name tables, columns and types only; where they may repeat a value, its code alone. */
function asAuthors(fault: CollectionFault, shown: string): CollectionFault {
  const { cause } = fault;
  const code = codeOf(cause);
  if (code === "25006") return new CollectionFault("input", "The statement of a search must only read", { cause });
  if (!/^42|^0A000$/.test(code) || !(cause instanceof Error)) return fault;
  return new CollectionFault("database", `${shown} refused the statement: ${cause.message}`, { cause });
}

function toValue(value: unknown): SqlValue {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "number" || value instanceof Uint8Array) return value;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
