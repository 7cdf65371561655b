import type { SqlDialectName } from "../../contracts/sql-port.ts";
import { readSql } from "./read-sql.ts";

/** A text of SQL as texts with parameters between them: one text more than there are names. */
export interface StatementParts {
  readonly texts: readonly string[];
  readonly names: readonly string[];
}

/** Cuts a text at its parameters. */
export function statementParts(text: string, dialect: SqlDialectName): StatementParts {
  const texts: string[] = [];
  const names: string[] = [];
  let from = 0;
  for (const token of readSql(text, dialect).tokens) {
    if (token.kind !== "parameter") continue;
    texts.push(text.slice(from, token.start));
    names.push(token.name);
    from = token.end;
  }
  // A semicolon at the end says nothing, and some drivers refuse it.
  texts.push(text.slice(from).replace(/;\s*$/, ""));
  return { texts, names };
}

/** Writes a statement: values become parameters of the dialect, pieces are set in. */
export class StatementWriter {
  readonly values: unknown[] = [];
  #text = "";
  readonly #dialect: SqlDialectName;

  constructor(dialect: SqlDialectName) {
    this.#dialect = dialect;
  }

  get text(): string {
    return this.#text;
  }

  write(text: string): this {
    this.#text += text;
    return this;
  }

  /** Binds a value; lists and objects are bound as JSON. */
  bind(value: unknown): this {
    this.values.push(typeof value === "object" && value !== null ? JSON.stringify(value) : value);
    this.#text += this.#dialect === "postgres" ? `$${this.values.length}` : "?";
    return this;
  }

  /** Binds each of several values, with commas between them. */
  bindAll(values: readonly unknown[]): this {
    for (const [index, value] of values.entries()) {
      if (index > 0) this.write(", ");
      this.bind(value);
    }
    return this;
  }
}
