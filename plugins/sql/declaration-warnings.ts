import type { FactWarning } from "@codesoul-co/ditto/plugin";
import type { WrittenCollection } from "./collection-configuration.ts";
import { describeType, encodeField, fieldType } from "./field-type.ts";

/** What is wrong in a collection's declaration beyond what its schema can say. */
export function declarationWarnings({ fields = {}, namespace }: Pick<WrittenCollection, "fields" | "namespace">): readonly FactWarning[] {
  const warnings: FactWarning[] = [];
  if (namespace !== undefined && Object.hasOwn(fields, namespace)) {
    warnings.push({
      pointer: `/fields/${namespace}`,
      severity: "error",
      message: `"${namespace}" is the namespace, which is a string field already`,
      hint: "Leave it out of the fields.",
    });
  }
  for (const [name, definition] of Object.entries(fields)) {
    const type = fieldType(definition);
    if (definition.format !== undefined && definition.type !== "string") {
      warnings.push({ pointer: `/fields/${name}/format`, severity: "error", message: "A format is for strings only" });
    }
    if (definition.items !== undefined && definition.type !== "array") {
      warnings.push({ pointer: `/fields/${name}/items`, severity: "error", message: "Items are for arrays only" });
    }
    if (definition.default !== undefined && encodeField(type, definition.default) === undefined) {
      warnings.push({ pointer: `/fields/${name}/default`, severity: "error", message: `The default must be ${describeType(type)}` });
    }
  }
  return warnings;
}
