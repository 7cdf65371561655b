import type { ScalarNode } from "../../document/document.ts";
import type { ExpressionPart, Template } from "./template.ts";

/** Every expression of a template, with the scalar that holds it. */
export function* expressionsOf(template: Template): Generator<{ readonly part: ExpressionPart; readonly node: ScalarNode }> {
  switch (template.kind) {
    case "constant":
      return;
    case "expression":
      yield { part: template.expression, node: template.node };
      return;
    case "text":
      for (const part of template.parts) if (typeof part !== "string") yield { part, node: template.node };
      return;
    case "list":
      for (const item of template.items) yield* expressionsOf(item);
      return;
    case "map":
      for (const { value } of template.entries) yield* expressionsOf(value);
  }
}
