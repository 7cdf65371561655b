import type { JsonSchema } from "../../src/contracts/json-schema.ts";
import type { NodeSchema } from "../nodes.ts";
import { anything, closedObject, identifier, limit, openObject, successEnvelope, text } from "./parts.ts";

const target: JsonSchema = closedObject({ name: identifier, type: identifier, namespace: identifier, metadata: openObject }, ["name"]);

/** A candidate as nothing but its form is known. */
const candidateSchema: JsonSchema = closedObject(
  { id: identifier, content: anything, score: { type: "number" }, source: closedObject({ target: text, ref: text }), metadata: openObject },
  ["content"],
);

/** The nodes of RETRIEVAL. */
export const retrievalNodes: Readonly<Record<string, NodeSchema>> = {
  "RETRIEVAL.SEARCH": {
    description: "Finds candidates in a target.",
    input: closedObject(
      {
        query: closedObject({ content: anything, metadata: openObject }, ["content"]),
        target,
        strategy: identifier,
        filter: openObject,
        limit: limit("1 to 10000, by default 10."),
        options: openObject,
      },
      ["query", "target"],
    ),
    output: successEnvelope(
      closedObject({ candidates: { type: "array", items: candidateSchema }, strategy: text, target, metadata: openObject }, ["candidates", "target"]),
    ),
  },
};
