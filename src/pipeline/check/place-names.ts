import type { ComponentFacts } from "../../contracts/component-facts.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";

const openObject: JsonSchema = { type: "object", additionalProperties: true };

/** What the names of the language's places hold, where nothing better is known. */
const usual: Readonly<Record<string, JsonSchema>> = {
  query: { type: "object", properties: { content: {}, metadata: openObject }, required: ["content"], additionalProperties: false },
  filter: openObject,
  limit: { type: "integer" },
  target: {
    type: "object",
    properties: { name: { type: "string" }, type: { type: "string" }, namespace: { type: "string" }, metadata: openObject },
    required: ["name"],
    additionalProperties: false,
  },
  candidate: {},
  candidates: { type: "array", items: {} },
  call: {},
  response: {},
  row: {},
  content: {},
  metadata: openObject,
  contents: { type: "array", items: {} },
  purpose: { enum: ["query", "document"] },
  corpus: {},
  input: {},
  output: {},
};

/** Places whose results are kept, or read from what is kept: time has no say there. */
const timeless: ReadonlySet<string> = new Set(["content", "row"]);

const now: JsonSchema = { type: "number" };
const anything: JsonSchema = {};

/** The names that a component's place sees, with what is known about each. */
export function placeNames(sees: readonly string[], facts: ComponentFacts): Readonly<Record<string, JsonSchema>> {
  const names: Record<string, JsonSchema> = sees.some((name) => timeless.has(name)) ? {} : { now };
  for (const name of sees) names[name] = facts.names?.[name] ?? usual[name] ?? anything;
  return names;
}
