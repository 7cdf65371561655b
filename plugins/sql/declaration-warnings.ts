import type { FactWarning } from "@codesoul-co/ditto/plugin";
import type { WrittenCollection } from "./collection-configuration.ts";
import { describeType, encodeField, fieldType } from "./field-type.ts";

const types: readonly string[] = ["string", "number", "integer", "boolean", "array"];

/** What is wrong in a collection's declaration beyond what its schema can say. */
export function declarationWarnings({ fields = {}, namespace }: Pick<WrittenCollection, "fields" | "namespace">): readonly FactWarning[] {
  const warnings: FactWarning[] = [...unreadable({ fields, namespace })];
  if (namespace !== undefined && Object.hasOwn(fields, namespace)) {
    warnings.push({
      pointer: `/fields/${namespace}`,
      severity: "error",
      message: `"${namespace}" is the namespace, which is a string field already`,
      hint: "Leave it out of the fields.",
    });
  }
  for (const [name, definition] of Object.entries(fields)) {
    // An unknown type is told of by the schema.
    if (!types.includes(definition.type)) continue;
    const type = fieldType(definition);
    if (typeof definition.format === "string" && definition.type !== "string") {
      warnings.push({ pointer: `/fields/${name}/format`, severity: "error", message: "A format is for strings only" });
    }
    if (definition.items !== undefined && definition.type !== "array") {
      warnings.push({ pointer: `/fields/${name}/items`, severity: "error", message: "Items are for arrays only" });
    }
    if (definition.default !== undefined && definition.default !== null && encodeField(type, definition.default) === undefined) {
      warnings.push({ pointer: `/fields/${name}/default`, severity: "error", message: `The default must be ${describeType(type)}` });
    }
  }
  return warnings;
}

/** What expressions and filters are checked by must be known before anything opens; a value from outside is `null` here. */
function* unreadable({ fields = {}, namespace }: Pick<WrittenCollection, "fields" | "namespace">): Generator<FactWarning> {
  const pointers = Object.entries(fields).flatMap(([name, { type, format, items, required }]) => [
    ...(type === null ? [`/fields/${name}/type`] : []),
    ...(format === null ? [`/fields/${name}/format`] : []),
    ...(required === null ? [`/fields/${name}/required`] : []),
    ...(items?.type === null ? [`/fields/${name}/items/type`] : []),
    ...(items?.format === null ? [`/fields/${name}/items/format`] : []),
  ]);
  for (const pointer of namespace === null ? ["/namespace", ...pointers] : pointers) {
    yield {
      pointer,
      severity: "error",
      message: "This cannot come from outside: expressions and filters are checked by it",
      hint: "Write it in the file, or take it from vars.",
    };
  }
}
