import type { JsonSchema } from "../../src/contracts/json-schema.ts";
import type { NodeSchema } from "../nodes.ts";
import { anything, closedObject, identifier, openObject, text } from "./parts.ts";

const reference: JsonSchema = closedObject({ uri: identifier, title: text, mediaType: text, metadata: openObject }, ["uri"]);
const message: JsonSchema = closedObject({ role: identifier, content: anything, name: text, metadata: openObject }, ["role", "content"]);
const item: JsonSchema = closedObject({ id: identifier, content: anything, source: reference, metadata: openObject }, ["id", "content"]);
const context: JsonSchema = closedObject({ items: { type: "array", items: item } }, ["items"]);
const scope: JsonSchema = { ...closedObject({ sessionId: identifier, turnId: identifier, invocationId: identifier }), minProperties: 1 };
const cap: JsonSchema = { type: "integer", minimum: 0, maximum: 1_000_000 };

/** An input that names its context: given whole, or kept under a scope. */
function located(properties: Readonly<Record<string, JsonSchema>>, required: readonly string[] = []): JsonSchema {
  return { ...closedObject({ context, scope, ...properties }, required), oneOf: [{ required: ["context"] }, { required: ["scope"] }] };
}

const strategy: JsonSchema = {
  oneOf: [
    closedObject({ kind: { type: "string", const: "default" } }, ["kind"]),
    closedObject({ kind: { type: "string", const: "provider" }, name: identifier, options: openObject }, ["kind", "name"]),
    closedObject({ kind: { type: "string", const: "rag" }, corpus: anything, options: openObject }, ["kind"]),
  ],
};

/** The nodes of CONTEXT. They give their data directly. */
export const contextNodes: Readonly<Record<string, NodeSchema>> = {
  "CONTEXT.LOAD": {
    description: "Makes a context of messages, references and items.",
    input: closedObject({ sources: { type: "array", items: { anyOf: [message, reference, item] } }, resolveReferences: { type: "boolean" }, scope }, [
      "sources",
    ]),
    output: context,
  },
  "CONTEXT.UPDATE": {
    description: "Removes, adds and takes in items.",
    input: located({
      removeIds: { type: "array", items: identifier },
      add: { type: "array", items: item },
      ingress: {
        type: "array",
        items: closedObject({ id: identifier, sourceNode: identifier, content: anything, reference, metadata: openObject }, ["id", "sourceNode", "content"]),
      },
    }),
    output: context,
  },
  "CONTEXT.SELECT": {
    description: "Chooses items for a purpose.",
    input: located({ purpose: { type: "string", enum: ["infer", "memory"] }, query: text, limit: cap, maxTokens: cap, strategy }, ["purpose"]),
    output: closedObject({ purpose: { type: "string", enum: ["infer", "memory"] }, context, selectedItemIds: { type: "array", items: identifier } }, [
      "purpose",
      "context",
      "selectedItemIds",
    ]),
  },
  "CONTEXT.COMPRESS": {
    description: "Removes items until a budget holds.",
    input: located({ maxItems: cap, maxTokens: cap }),
    output: context,
  },
};
