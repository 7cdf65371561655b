import type { ScalarNode } from "../../document/document.ts";
import { type SplitTemplate, splitTemplate, type TemplatePart } from "../../expression/split-template.ts";

/**
 * Cuts a scalar into literal text, expressions and values from outside.
 *
 * A block scalar (`|`, `>`) ends with a line break unless it says otherwise; around the only expression or value in it, white space is
 * no text, so that `where: |` keeps the expression's type as `where: >-` does.
 *
 * @param node The scalar.
 */
export function splitScalar(node: ScalarNode): SplitTemplate {
  const split = splitTemplate(node.text);
  if (node.style !== "literal" && node.style !== "folded") return split;
  const parts = split.parts.filter((part) => !isBlank(part));
  return parts.length === 1 && parts[0]?.kind !== "text" ? { parts, problems: split.problems } : split;
}

function isBlank(part: TemplatePart): boolean {
  return part.kind === "text" && part.text.trim() === "";
}
