import type {
  Opened,
  OpenScope,
  RetrievalCandidate,
  RetrievalExecutionContext,
  RetrievalSearchInput,
  RetrievalSearchOutput,
  RetrievalSearchProvider,
} from "@codesoul-co/ditto/plugin";
import { asMemory, asRetrieval, CollectionFault } from "../sql/collection-fault.ts";
import { readQueryText } from "../sql/collection/read-query.ts";
import type { Row } from "../sql/engine/sql-engine.ts";
import { type FieldType, fieldType, isWellFormed } from "../sql/field-type.ts";
import { allOf, type Condition, conditionSql, parseFilter } from "../sql/filter.ts";
import { joinSql, type Sql, sql, toStatement, trustedSql } from "../sql/sql.ts";
import { checkFulltext } from "./check-fulltext.ts";
import type { FulltextConfiguration } from "./fulltext-configuration.ts";
import type { MysqlDatabase } from "./mysql-database.ts";
import { integer, mysqlDialect } from "./mysql-dialect.ts";
import { mysqlCodes } from "./mysql-failure.ts";
import { toMysqlDatabase } from "./open-mysql.ts";

/**
 * Opens a full-text search over a table that an application keeps; the server is not spoken to before the first call.
 *
 * A query is words in natural language: no sign in it means anything to the server.
 *
 * @throws MemoryError `MYSQL_UNAVAILABLE` When what stands in `database` is no connection to a MySQL server.
 */
export async function openFulltext(configuration: FulltextConfiguration, scope: OpenScope): Promise<Opened<RetrievalSearchProvider>> {
  const database = await asMemory(mysqlCodes, async () => toMysqlDatabase(configuration.database, scope));
  const search = new Fulltext(configuration, database, scope.name);
  return {
    value: { search: async (input, context = {}) => await asRetrieval(async () => await search.search(input, context)) },
    check: async (signal) => await asMemory(mysqlCodes, async () => await checkFulltext(configuration, { database, scope, signal })),
  };
}

class Fulltext {
  readonly #written: FulltextConfiguration;
  readonly #database: MysqlDatabase;
  readonly #name: string;
  readonly #types: ReadonlyMap<string, FieldType>;

  constructor(written: FulltextConfiguration, database: MysqlDatabase, name: string) {
    this.#written = written;
    this.#database = database;
    this.#name = name;
    this.#types = new Map(Object.entries(written.fields ?? {}).map(([field, definition]) => [field, fieldType(definition)]));
  }

  async search(input: RetrievalSearchInput, context: RetrievalExecutionContext): Promise<RetrievalSearchOutput> {
    const text = readQueryText(input.query.content);
    const limit = input.limit ?? context.defaults?.searchLimit ?? 10;
    if (!Number.isInteger(limit) || limit < 1 || limit > 10_000) throw new CollectionFault("input", "limit must be an integer from 1 to 10000");
    const option = Object.keys(input.options ?? {})[0];
    if (option !== undefined) throw new CollectionFault("input", `This search has no option "${option}"`);
    const where = [...this.#scope(input.target.namespace), ...parseFilter(input.filter, this.#types).flatMap((condition) => this.#condition(condition))];
    const span = context.trace?.open("statement", this.#name, {});
    try {
      const statement = toStatement(this.#statement(text, where, limit), mysqlDialect.placeholder);
      const rows = await this.#database.read(statement, { signal: context.signal });
      span?.add({ rows: rows.length });
      span?.close();
      const candidates = rows.map((row) => this.#candidate(row));
      return { candidates, target: input.target, ...(input.strategy === undefined ? {} : { strategy: input.strategy }) };
    } catch (error) {
      span?.close(error);
      throw error;
    }
  }

  #statement(text: string, where: readonly Sql[], limit: number): Sql {
    const { table, columns, id, content = columns[0] ?? id, metadata = [] } = this.#written;
    const match = sql`MATCH(${joinSql(columns.map(columnOf), ", ")}) AGAINST (${text} IN NATURAL LANGUAGE MODE)`;
    const given = [columnOf(id), columnOf(content), ...metadata.map(columnOf)].map((column, index) => sql`${column} AS ${trustedSql(`c${index}`)}`);
    const order = sql`score DESC, ${columnOf(id)} ASC LIMIT ${integer(limit)}`;
    return sql`SELECT ${joinSql(given, ", ")}, ${match} AS score FROM ${mysqlDialect.identifier(table)} AS t WHERE ${allOf([match, ...where])} ORDER BY ${order}`;
  }

  #candidate(row: Row): RetrievalCandidate {
    const { metadata = [] } = this.#written;
    const kept = metadata.flatMap((name, index) => {
      const value = row[`c${index + 2}`];
      if (value === null || value === undefined) return [];
      // The server has no type of its own for truth.
      return [[name, this.#types.get(name)?.scalar === "boolean" ? value !== 0 : value] as const];
    });
    return {
      id: String(row.c0),
      content: row.c1 ?? "",
      score: Number(row.score),
      ...(metadata.length === 0 ? {} : { metadata: Object.fromEntries(kept) }),
    };
  }

  #scope(namespace: unknown): readonly Sql[] {
    const { namespace: column } = this.#written;
    if (column === undefined) {
      if (namespace === undefined) return [];
      throw new CollectionFault("input", "This search has no namespace, but the request carries one");
    }
    if (typeof namespace !== "string" || namespace === "" || !isWellFormed(namespace)) {
      throw new CollectionFault("input", `This search needs a namespace, the value of its column "${column}", as a non-empty string`);
    }
    return this.#exactly({ field: column, operator: "eq", values: [namespace] });
  }

  #condition(condition: Condition): readonly Sql[] {
    if (this.#types.get(condition.field)?.scalar === "string" && condition.operator !== "exists") return this.#exactly(condition);
    return [conditionSql(condition, columnOf(condition.field), mysqlDialect)];
  }

  /**
   * Compares texts byte by byte, whatever the column's collation takes for the same. The column's own comparison, which an index answers,
   * finds all of these rows and more.
   */
  #exactly(condition: Condition): readonly Sql[] {
    const column = columnOf(condition.field);
    const bytes = sql`CAST(CONVERT(${column} USING utf8mb4) AS BINARY)`;
    const narrowing = condition.operator === "eq" || condition.operator === "in";
    return [...(narrowing ? [conditionSql(condition, column, mysqlDialect)] : []), conditionSql(condition, bytes, mysqlDialect)];
  }
}

function columnOf(name: string): Sql {
  return sql`t.${mysqlDialect.identifier(name)}`;
}
