import type { ComponentFacts, Evaluate, FactWarning, FieldDefinition, JsonSchema } from "@codesoul-co/ditto/plugin";

/** A search of a collection that an application keeps. */
export interface MilvusSearchConfiguration {
  readonly database: unknown;
  readonly collection: string;
  readonly vectorField: string;
  readonly outputFields: readonly string[];
  readonly namespace?: string | undefined;
  readonly fields?: Readonly<Record<string, FieldDefinition>> | undefined;
  readonly metric?: Metric | undefined;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly row: Evaluate;
}

/** How an index compares vectors. */
export type Metric = "COSINE" | "IP" | "L2" | "BM25" | "HAMMING" | "JACCARD";

/** A name that can stand in an expression as it is. */
const name: JsonSchema = { type: "string", pattern: "^[A-Za-z_][A-Za-z0-9_]*$", maxLength: 255 };
const scalar: JsonSchema = { type: "string", enum: ["string", "number", "integer", "boolean"] };

/** The schema of its configuration. */
export const milvusSearchSchema: JsonSchema = {
  type: "object",
  required: ["database", "collection", "vectorField", "outputFields", "row"],
  additionalProperties: false,
  properties: {
    database: { description: "The connection that runs it.", "x-ditto-slot": { role: "connection", kinds: ["milvus"] } },
    collection: { ...name, description: "The collection, or an alias of it." },
    vectorField: {
      ...name,
      description: "The dense field to search by a vector, or a field whose function (BM25, an embedding) the server feeds with the query's text.",
    },
    outputFields: { description: "The fields that come back.", type: "array", items: name, minItems: 1, uniqueItems: true },
    namespace: { ...name, description: "The field that is the scope: each request needs its value, and no other row is ever seen." },
    fields: {
      description: "The fields that a filter may name, with their types.",
      type: "object",
      propertyNames: name,
      additionalProperties: {
        type: "object",
        required: ["type"],
        additionalProperties: false,
        properties: {
          type: { type: "string", enum: ["string", "number", "integer", "boolean", "array"] },
          items: {
            description: "The type of an array's items; strings unless said.",
            type: "object",
            required: ["type"],
            additionalProperties: false,
            properties: { type: scalar },
          },
        },
      },
    },
    metric: {
      description: "The metric that the index must have; whatever it has unless said.",
      type: "string",
      enum: ["COSINE", "IP", "L2", "BM25", "HAMMING", "JACCARD"],
    },
    params: { description: "Search parameters of the index, such as `{ ef: 64 }` or `{ nprobe: 16 }`.", type: "object" },
    row: {
      description:
        "The candidate that a row is. `row` has the output fields, `id` (the primary key as a text), `score` (more is better) and `distance` (as the server gave it).",
      type: "object",
      required: ["content"],
      additionalProperties: false,
      properties: {
        id: { type: "string", minLength: 1 },
        content: {},
        score: { type: "number" },
        source: { type: "object", additionalProperties: false, properties: { target: { type: "string" }, ref: { type: "string" } } },
        metadata: { type: "object", additionalProperties: true },
      },
      "x-ditto-place": { sees: ["row"] },
    },
  },
};

/** What is known without opening. */
export function milvusSearchFacts({ namespace, fields = {} }: MilvusSearchConfiguration): ComponentFacts {
  const warnings: FactWarning[] = [];
  if (typeof namespace === "string" && Object.hasOwn(fields, namespace)) {
    const message = `"${namespace}" is the namespace, which a filter cannot name`;
    warnings.push({ pointer: `/fields/${namespace}`, severity: "error", message, hint: "Leave it out of the fields." });
  }
  return { reaches: [undefined], warnings };
}
