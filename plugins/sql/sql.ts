/** What can be bound to a statement. Ids, keys and scopes are always strings, so that no engine makes numbers of them. */
export type SqlValue = string | number | Uint8Array | null;

/** A piece of SQL with the values that belong to it: text is never made of values. */
export interface Sql {
  /** One more than there are values; the values stand between them. */
  readonly texts: readonly string[];
  readonly values: readonly SqlValue[];
}

/** A statement as an engine takes it. It is plain data, so that it can be handed to another thread. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
}

/**
 * Writes SQL: values become parameters, other pieces are set in.
 *
 * @example
 * ```ts
 * sql`SELECT id FROM ${dialect.identifier("kb")} WHERE scope = ${scope}`
 * ```
 */
export function sql(texts: TemplateStringsArray, ...parts: readonly (Sql | SqlValue)[]): Sql {
  const builder = new SqlBuilder(texts[0] ?? "");
  for (const [index, part] of parts.entries()) {
    if (isSql(part)) builder.piece(part);
    else builder.value(part);
    builder.text(texts[index + 1] ?? "");
  }
  return builder.done();
}

/** Takes a text as SQL. Only for texts that this program itself wrote, or quoted. */
export function trustedSql(text: string): Sql {
  return { texts: [text], values: [] };
}

/** Puts pieces behind each other; no pieces give an empty piece. */
export function joinSql(pieces: readonly Sql[], separator: string): Sql {
  const builder = new SqlBuilder("");
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) builder.text(separator);
    builder.piece(piece);
  }
  return builder.done();
}

/** Values as a list of parameters, `?, ?, ?`. */
export function valueList(values: readonly SqlValue[]): Sql {
  return joinSql(
    values.map((value) => sql`${value}`),
    ", ",
  );
}

/**
 * Makes the statement of an engine.
 *
 * @param placeholder Text of the parameter at a position, counted from 1: `?`, `$1`.
 */
export function toStatement(piece: Sql, placeholder: (position: number) => string): Statement {
  let text = piece.texts[0] ?? "";
  for (const [index] of piece.values.entries()) text += placeholder(index + 1) + (piece.texts[index + 1] ?? "");
  return { sql: text, parameters: piece.values };
}

class SqlBuilder {
  readonly #texts: string[];
  readonly #values: SqlValue[] = [];

  constructor(first: string) {
    this.#texts = [first];
  }

  text(text: string): void {
    this.#texts[this.#texts.length - 1] += text;
  }

  value(value: SqlValue): void {
    this.#values.push(value);
    this.#texts.push("");
  }

  piece(piece: Sql): void {
    for (const [index, text] of piece.texts.entries()) {
      this.text(text);
      const value = piece.values[index];
      if (value !== undefined) this.value(value);
    }
  }

  done(): Sql {
    return { texts: this.#texts, values: this.#values };
  }
}

function isSql(part: Sql | SqlValue): part is Sql {
  return typeof part === "object" && part !== null && "texts" in part;
}
