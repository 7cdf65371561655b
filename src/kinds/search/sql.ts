import { isRecord } from "../../base/is-record.ts";
import type { ComponentFacts } from "../../contracts/component-facts.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";
import type { RetrievalCandidate, RetrievalSearchInput } from "../../contracts/retrieval.ts";
import { RetrievalError } from "../../contracts/retrieval-error.ts";
import type { SqlPort } from "../../contracts/sql-port.ts";
import { defineKind } from "../../plugin/define-plugin.ts";
import type { DescribeScope, Evaluate, KindDefinition } from "../../plugin/plugin-definition.ts";
import { createSqlSearchProvider, type SqlStatement } from "../../retrieval/providers/sql.ts";
import { candidateSchema } from "../candidate-schema.ts";
import { type SearchOptions, searchOptionSchemas, withSearchOptions } from "../search-options.ts";
import { checkSql } from "../sql/check-statement.ts";
import { readSqlFilter, type SqlFieldType, takesList } from "../sql/sql-filter.ts";
import { type StatementParts, StatementWriter, statementParts } from "../sql/statement-parts.ts";

interface SqlConfiguration extends SearchOptions {
  readonly database: SqlPort;
  readonly statement: string;
  readonly filter?: Readonly<Record<string, SqlFieldType>>;
  readonly where?: Readonly<Record<string, string>>;
  readonly row: Evaluate;
}

const scalarTypes = ["string", "number", "integer", "boolean"] as const;
const format: JsonSchema = { enum: ["date-time", "date"], description: "What a text must be." };

/** A statement written out: `createSqlSearchProvider`. */
export const sqlKind: KindDefinition<"search", SqlConfiguration> = defineKind({
  kind: "sql",
  role: "search",
  summary: "Searches with an SQL statement that is written out; its named parameters are always bound.",
  schema: {
    type: "object",
    additionalProperties: false,
    required: ["database", "statement", "row"],
    properties: {
      database: { description: "The connection that runs it.", "x-ditto-slot": { role: "connection" } },
      statement: {
        type: "string",
        minLength: 1,
        description: "One statement with `:query`, `:limit` and, where it can be narrowed, `:namespace` and `:filters`; ordered and limited at its top level.",
      },
      filter: {
        type: "object",
        description: "The fields that a request's filter may name, with their types.",
        additionalProperties: {
          type: "object",
          required: ["type"],
          additionalProperties: false,
          properties: {
            type: { enum: [...scalarTypes, "array"] },
            format,
            items: { type: "object", required: ["type"], additionalProperties: false, properties: { type: { enum: [...scalarTypes] }, format } },
          },
        },
      },
      where: {
        type: "object",
        description: "What each `field.operator` means, as a condition with `:value`; a list is so many parameters: `status IN (:value)`.",
        additionalProperties: { type: "string", minLength: 1 },
      },
      row: { ...candidateSchema, description: "The candidate that a row is.", "x-ditto-place": { sees: ["row"] } },
      ...searchOptionSchemas,
    },
  },
  example: {
    database: "db",
    statement: "SELECT id, content, score FROM notes WHERE content LIKE '%' || :query || '%' ORDER BY score DESC, id LIMIT :limit",
    row: { id: "${ row.id }", content: "${ row.content }", score: "${ row.score }" },
  },
  describe: describeSql,
  create: (configuration, scope) => {
    const { row } = configuration;
    const database = requirePort(configuration.database);
    const prepare = statementMaker(configuration, database.dialect);
    const provider = createSqlSearchProvider<Readonly<Record<string, unknown>>>({
      prepare,
      query: ({ text, values }, context) => database.query(text, values, { signal: context?.signal }),
      mapRow: (found) => row({ row: found }) as unknown as RetrievalCandidate,
    });
    return withSearchOptions(provider, { ...configuration, step: scope.name });
  },
});

function describeSql(configuration: unknown, scope: DescribeScope): ComponentFacts {
  const settings = isRecord(configuration) ? configuration : {};
  const { statement, filter, where } = settings;
  const connection = scope.slot("/database");
  const database: ComponentFacts["warnings"] =
    connection === undefined || connection.sql !== undefined
      ? []
      : [{ pointer: "/database", severity: "error", message: "this connection runs no SQL", hint: "name one of an SQL engine, such as a `sqlite` one" }];
  const written =
    typeof statement === "string"
      ? checkSql(
          { statement, filter: recordOf<SqlFieldType>(filter, isRecord), where: recordOf<string>(where, (text) => typeof text === "string") },
          connection?.sql,
        )
      : [];
  return { reaches: [undefined], warnings: [...database, ...written] };
}

function recordOf<T>(value: unknown, fits: (item: unknown) => boolean): Readonly<Record<string, T>> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(Object.entries(value).filter(([, item]) => fits(item))) as Readonly<Record<string, T>>;
}

/** An application's own object may stand in for the connection. */
function requirePort(database: SqlPort): SqlPort {
  if (typeof database?.query === "function" && typeof database.dialect === "string") return database;
  throw new RetrievalError("RETRIEVAL_PROVIDER_UNAVAILABLE", "The connection runs no SQL: it has no dialect and query");
}

/** Makes what turns a request into a statement; the texts are taken apart once. */
function statementMaker({ statement, filter = {}, where = {} }: SqlConfiguration, dialect: SqlPort["dialect"]): (input: RetrievalSearchInput) => SqlStatement {
  const parts = statementParts(statement, dialect);
  const conditions = new Map(Object.entries(where).map(([key, text]) => [key, statementParts(text, dialect)] as const));
  const [scoped, filtered] = [parts.names.includes("namespace"), parts.names.includes("filters")];
  return (input) => {
    const { namespace } = input.target;
    if (scoped && namespace === undefined) throw refuse("This search needs a namespace");
    if (!scoped && namespace !== undefined) throw refuse("This search has no :namespace, so it takes none");
    if (!filtered && input.filter !== undefined) throw refuse("This search has no :filters, so it takes no filter");
    const asked = readSqlFilter(input.filter, filter).map(({ key, value }) => {
      const condition = conditions.get(key);
      if (condition === undefined) throw refuse(`This search has no condition for the filter "${key}"; there are ${[...conditions.keys()].join(", ")}`);
      return { condition, value, list: takesList(key.slice(key.lastIndexOf(".") + 1)) };
    });
    const writer = new StatementWriter(dialect);
    const values: Readonly<Record<string, unknown>> = { query: input.query.content, namespace, limit: input.limit };
    for (const [index, text] of parts.texts.entries()) {
      const name = parts.names[index];
      writer.write(text);
      if (name === "filters") writeConditions(writer, asked);
      else if (name !== undefined) writer.bind(values[name]);
    }
    return { text: writer.text, values: writer.values };
  };
}

/** Each stands in brackets on lines of its own: a comment at its end ends with it. */
function writeConditions(
  writer: StatementWriter,
  asked: readonly { readonly condition: StatementParts; readonly value: unknown; readonly list: boolean }[],
): void {
  if (asked.length === 0) {
    writer.write("TRUE");
    return;
  }
  for (const [index, { condition, value, list }] of asked.entries()) {
    writer.write(index === 0 ? "((" : "\n) AND (");
    for (const [position, text] of condition.texts.entries()) {
      writer.write(text);
      if (position >= condition.names.length) continue;
      if (list) writer.bindAll(value as readonly unknown[]);
      else writer.bind(value);
    }
  }
  writer.write("\n))");
}

function refuse(message: string): RetrievalError {
  return new RetrievalError("RETRIEVAL_INVALID_INPUT", message);
}
