import type { JsonSchema } from "../../src/contracts/json-schema.ts";
import { describeSchema } from "../../src/validation/describe-schema.ts";
import { followRef } from "../../src/validation/schema-at.ts";

/**
 * Writes the keys of an object's schema as a Markdown table, those of nested objects after their own.
 *
 * @param schema The schema of an object.
 */
export function keyTable(schema: JsonSchema): string {
  const rows = [...keyRows(schema, { path: "", root: schema })];
  if (rows.length === 0) return "No keys.\n";
  return ["| key | must be | |", "| --- | --- | --- |", ...rows.map((row) => `| ${row.join(" | ")} |`), ""].join("\n");
}

/** Text that stands in a cell of a table. */
function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

interface Table {
  readonly path: string;
  readonly root: JsonSchema;
}

function* keyRows(schema: JsonSchema, { path, root }: Table): Generator<readonly string[]> {
  for (const [name, written] of Object.entries(schema.properties ?? {})) {
    const member = followRef(written, root);
    const below = path === "" ? name : `${path}.${name}`;
    const required = schema.required?.includes(name) === true;
    yield [`\`${below}\``, cell(`${phrase(member)}${required ? ", required" : ""}`), cell(remark(member))];
    yield* nestedRows(member, { path: below, root });
  }
}

function* nestedRows(schema: JsonSchema, { path, root }: Table): Generator<readonly string[]> {
  yield* keyRows(schema, { path, root });
  if (typeof schema.additionalProperties === "object") yield* nestedRows(followRef(schema.additionalProperties, root), { path: `${path}.NAME`, root });
  if (schema.items !== undefined && !Array.isArray(schema.items)) yield* nestedRows(followRef(schema.items as JsonSchema, root), { path: `${path}[]`, root });
}

function phrase(schema: JsonSchema): string {
  return schema["x-ditto-place"] === undefined ? describeSchema(schema) : `${describeSchema(schema)}, or an expression`;
}

function remark(schema: JsonSchema): string {
  const sees = schema["x-ditto-place"]?.sees ?? [];
  const parts = [
    schema.description,
    sees.length === 0 ? undefined : `Expressions see ${sees.map((name) => `\`${name}\``).join(", ")}.`,
    schema.default === undefined ? undefined : `Default: \`${JSON.stringify(schema.default)}\`.`,
    schema["x-ditto-note"],
  ];
  return parts.filter((part) => part !== undefined).join(" ");
}
