import type { FieldDefinition, JsonSchema, RetrievalCandidate, RetrievalExecutionContext, RetrievalSearchInput } from "@codesoul-co/ditto/plugin";
import { CollectionFault } from "../sql/collection-fault.ts";
import type { Row } from "../sql/engine/sql-engine.ts";
import { allOf, type Condition, parseFilter } from "../sql/filter.ts";
import { type FieldType, fieldType } from "../sql/field-type.ts";
import { joinSql, type Sql, sql, trustedSql, valueList } from "../sql/sql.ts";
import { postgresDialect } from "./postgres-dialect.ts";

/** A table that is there already, as searches of it are told of it. */
export interface ExistingTable {
  readonly schema?: string | undefined;
  readonly table: string;
  readonly id: string;
  readonly content: string;
  readonly metadata?: readonly string[] | undefined;
  readonly namespace?: string | undefined;
  readonly fields?: Readonly<Record<string, FieldDefinition>> | undefined;
}

const column: JsonSchema = { type: "string", minLength: 1, maxLength: 63 };

/** What configurations of such searches have in common. */
export const existingTableSchema: Readonly<Record<string, JsonSchema>> = {
  database: { description: "The database that has it.", "x-ditto-slot": { role: "connection", kinds: ["postgres"] } },
  schema: { ...column, description: "Its schema; the first of the search path that has it unless said." },
  table: { ...column, description: "The table or view." },
  id: { ...column, description: "The column of ids, which are texts outside.", default: "id" },
  content: { ...column, description: "The column of what a candidate holds.", default: "content" },
  metadata: { description: "Columns that become metadata.", type: "array", items: column },
  namespace: { ...column, description: "The column that is the scope: every request needs it, and it is compared for equality." },
  fields: {
    description: "Columns that filters may name, with their types.",
    type: "object",
    additionalProperties: {
      type: "object",
      required: ["type"],
      additionalProperties: false,
      properties: {
        type: { enum: ["string", "number", "integer", "boolean", "array"] },
        format: { enum: ["date-time", "date"] },
        items: { type: "object", required: ["type"], additionalProperties: false, properties: { type: { enum: ["string", "number", "integer", "boolean"] } } },
      },
    },
  },
};

/** The table, called `t`. */
export function tableSql({ schema, table }: ExistingTable): Sql {
  return trustedSql(`${schema === undefined ? "" : `${quoted(schema)}.`}${quoted(table)} AS t`);
}

/** What a candidate is made of. */
export function candidateColumns({ id, content, metadata = [] }: ExistingTable): Sql {
  const more = metadata.map((name, index) => trustedSql(`t.${quoted(name)} AS metadata${index}`));
  return joinSql([trustedSql(`t.${quoted(id)}::text AS id`), trustedSql(`t.${quoted(content)} AS content`), ...more], ", ");
}

/** The order of rows with equal scores. */
export function idOrder({ id }: ExistingTable): Sql {
  return trustedSql(`t.${quoted(id)}::text COLLATE "C"`);
}

/** A request, checked. */
export interface ExistingRequest {
  readonly where: readonly Sql[];
  readonly limit: number;
}

/** @throws CollectionFault `input` or `filter` For what the table is not declared to answer. */
export function readRequest(table: ExistingTable, input: RetrievalSearchInput, context: RetrievalExecutionContext): ExistingRequest {
  const limit = input.limit ?? context.defaults?.searchLimit ?? 10;
  if (!Number.isInteger(limit) || limit < 1 || limit > 10_000) throw new CollectionFault("input", "limit must be an integer from 1 to 10000");
  const option = Object.keys(input.options ?? {})[0];
  if (option !== undefined) throw new CollectionFault("input", `This search has no option "${option}"`);
  const { namespace } = input.target;
  if (table.namespace === undefined && namespace !== undefined) throw new CollectionFault("input", "This search has no namespace, but the request carries one");
  if (table.namespace !== undefined && (typeof namespace !== "string" || namespace === "")) throw new CollectionFault("input", "This search needs a namespace");
  const types = new Map(Object.entries(table.fields ?? {}).map(([name, definition]) => [name, fieldType(definition)] as const));
  const conditions = parseFilter(input.filter, types).map((condition) => conditionOf(condition, types.get(condition.field)));
  const scope = table.namespace === undefined ? [] : [sql`${trustedSql(`t.${quoted(table.namespace)}::text`)} = ${namespace as string}`];
  return { where: [...scope, ...conditions], limit };
}

/** All of these together. */
export function whereSql(pieces: readonly Sql[]): Sql {
  return allOf(pieces);
}

/** A row as a candidate. */
export function existingCandidate(table: ExistingTable, row: Row, { score, target }: { readonly score: number; readonly target: string }): RetrievalCandidate {
  const metadata = (table.metadata ?? []).map((name, index) => [name, row[`metadata${index}`] as unknown] as const).filter(([, value]) => value !== null);
  return {
    id: String(row.id),
    content: row.content as unknown,
    score,
    source: { target },
    ...(metadata.length === 0 ? {} : { metadata: Object.fromEntries(metadata) }),
  };
}

/** A condition on a column as its table has it: instants and booleans are not kept there as collections keep them. */
function conditionOf({ field, operator, values }: Condition, type: FieldType | undefined): Sql {
  const name = trustedSql(`t.${quoted(field)}`);
  if (operator === "exists") return values[0] === 1 ? sql`${name} IS NOT NULL` : sql`${name} IS NULL`;
  const bound = values.map((value) => valueSql(value, type));
  if (operator === "any") return sql`${name}::text[] && ARRAY[${valueList(values)}]::text[]`;
  if (operator === "all") return sql`${name}::text[] @> ARRAY[${valueList(values)}]::text[]`;
  if (operator === "in") return sql`${name} IN (${joinSql(bound, ", ")})`;
  const isText = type?.scalar === "string" && operator !== "eq" && operator !== "ne";
  return sql`${name}${isText ? trustedSql('::text COLLATE "C"') : sql``} ${trustedSql(signs[operator])} ${bound[0] ?? trustedSql("NULL")}`;
}

const signs = { eq: "=", ne: "<>", gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;

function valueSql(value: string | number, type: FieldType | undefined): Sql {
  switch (type?.scalar) {
    case "boolean":
      return trustedSql(value === 1 ? "TRUE" : "FALSE");
    case "date-time":
      return sql`${`${value}Z`}::timestamptz`;
    case "date":
      return sql`${String(value).slice(0, 10)}::date`;
    default:
      return sql`${value}`;
  }
}

function quoted(name: string): string {
  return postgresDialect.identifier(name).texts.join("");
}
