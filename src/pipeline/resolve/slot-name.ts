import { createDiagnostic } from "../../diagnostics/diagnostic.ts";
import { splitScalar } from "../model/split-scalar.ts";
import { aRole } from "../model/a-role.ts";
import type { SlotShape } from "../model/shape.ts";
import { type HoleScope, isOutside, resolveHole } from "./resolve-hole.ts";

/**
 * Reads the name in a slot, which may be a constant: `database: ${ vars.database }`.
 *
 * @returns The slot with the name that is meant; undefined where there is none, which is reported.
 */
export function slotName(slot: SlotShape, scope: HoleScope): SlotShape | undefined {
  const { fill } = slot;
  if (fill.kind === "component" || fill.node === undefined || !fill.name.includes("${")) return slot;
  const { node } = fill;
  if (splitScalar(node).parts.some(isOutside)) {
    const hint = "name one that is declared, and let that one take the value from outside";
    scope.report(createDiagnostic("DITTO324", { ...fill.place, arguments: { found: `the name of ${aRole(slot.annotation.role)}` }, hint }));
    return undefined;
  }
  const found = resolveHole({ pointer: slot.pointer, schema: { type: "string" }, label: slot.label, node }, scope);
  return found.kind === "value" ? { ...slot, fill: { ...fill, name: String(found.value) } } : undefined;
}
