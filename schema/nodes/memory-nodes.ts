import type { JsonSchema } from "../../src/contracts/json-schema.ts";
import type { NodeSchema } from "../nodes.ts";
import { anything, closedObject, identifier, limit, openObject, successEnvelope, text } from "./parts.ts";

const memoryItem: JsonSchema = closedObject({ id: identifier, key: identifier, content: anything, metadata: openObject }, ["id", "content"]);
const memoryItems: JsonSchema = { type: "array", items: memoryItem };
const scope: JsonSchema = { ...openObject, description: "The scope, for a store that has one." };
const identifiers: JsonSchema = { type: "array", items: identifier, minItems: 1 };

/** The nodes of MEMORY. */
export const memoryNodes: Readonly<Record<string, NodeSchema>> = {
  "MEMORY.GET": {
    description: "Reads memories by id or key.",
    input: {
      ...closedObject({ ids: identifiers, keys: identifiers, filter: scope }),
      anyOf: [{ required: ["ids"] }, { required: ["keys"] }],
    },
    output: successEnvelope(memoryItems),
  },
  "MEMORY.QUERY": {
    description: "Lists memories by filter and order, page by page.",
    input: closedObject({
      filter: openObject,
      limit: limit("1 to 10000, by default 100."),
      cursor: identifier,
      orderBy: { type: "array", items: closedObject({ field: identifier, direction: { type: "string", enum: ["asc", "desc"] } }, ["field"]) },
    }),
    output: successEnvelope(closedObject({ items: memoryItems, nextCursor: text }, ["items"])),
  },
  "MEMORY.SEARCH": {
    description: "Finds memories by relevance.",
    input: closedObject({ query: anything, strategy: identifier, filter: openObject, limit: limit("1 to 10000, by default 10."), options: openObject }, [
      "query",
    ]),
    output: successEnvelope({
      type: "array",
      items: closedObject({ memory: memoryItem, score: { type: "number" }, metadata: openObject }, ["memory"]),
    }),
  },
  "MEMORY.WRITE": {
    description: "Creates memories.",
    input: closedObject(
      { memories: { type: "array", minItems: 1, items: closedObject({ key: identifier, content: anything, metadata: openObject }, ["content"]) } },
      ["memories"],
    ),
    output: successEnvelope(memoryItems),
  },
  "MEMORY.UPDATE": {
    description: "Replaces content or metadata of memories.",
    input: closedObject(
      {
        memories: { type: "array", minItems: 1, items: closedObject({ id: identifier, content: anything, metadata: openObject }, ["id"]) },
        filter: scope,
      },
      ["memories"],
    ),
    output: successEnvelope(memoryItems),
  },
  "MEMORY.DELETE": {
    description: "Removes memories by id.",
    input: closedObject({ ids: identifiers, filter: scope }, ["ids"]),
    output: successEnvelope(closedObject({ deleted: { type: "array", items: identifier } }, ["deleted"])),
  },
};
