import type { JsonSchema } from "../../src/contracts/json-schema.ts";
import { type TypeOptions, typeOfSchema } from "../../src/validation/type-of-schema.ts";
import { nodeSchemas } from "../nodes.ts";

/** CONTEXT holds JSON only. */
const contextOptions: TypeOptions = { anything: "JsonValue", openObject: "JsonObject" };

/** Writes the types of the nodes' inputs and outputs as their schemas have them; a type test holds them against the contracts. */
export function nodeTypes(): string {
  const types = Object.entries(nodeSchemas).flatMap(([name, { input, output }]) => {
    const options = name.startsWith("CONTEXT.") ? contextOptions : {};
    return [
      `export type ${typeName(name)}Input = ${typeOfSchema(input, options)};`,
      `export type ${typeName(name)}Output = ${typeOfSchema(unwrapped(output), options)};`,
    ];
  });
  return [
    "// Written by `npm run generate` from schema/nodes.",
    'import type { JsonObject, JsonValue } from "../../src/contracts/json.ts";',
    "",
    ...types,
    "",
  ].join("\n");
}

function typeName(node: string): string {
  return node
    .split(".")
    .map((part) => part.charAt(0) + part.slice(1).toLowerCase())
    .join("");
}

/** What stands in the envelope of a successful operation. */
function unwrapped(output: JsonSchema): JsonSchema {
  return output.properties?.executionId === undefined ? output : (output.properties.output ?? {});
}
