import type { JsonValue } from "../../contracts/json.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { pointerSegments } from "../../document/find-node.ts";
import { splitTemplate } from "../../expression/split-template.ts";
import type { OutsideValue } from "../model/plan.ts";
import type { ResolvedComponent } from "../model/resolved.ts";
import type { ComponentShape } from "../model/shape.ts";
import type { References } from "./references.ts";
import { type HoleScope, resolveHole } from "./resolve-hole.ts";
import { slotName } from "./slot-name.ts";

/** What surrounds a component that is resolved. */
export interface ComponentScope {
  readonly scope: HoleScope;
  readonly references: References;
  readonly injected: boolean;
}

/** Follows a component's slots and fills its holes. */
export function resolveComponent(shape: ComponentShape, { scope, references, injected }: ComponentScope): ResolvedComponent {
  const slots = new Map<string, string>();
  for (const written of shape.slots) {
    const slot = slotName(written, scope);
    const id = slot === undefined ? undefined : references.slotId(slot, shape.target?.name);
    if (id !== undefined) slots.set(written.pointer, id);
  }
  const outside = new Map<string, OutsideValue>();
  const unresolved = new Set<string>();
  const constants: (readonly [pointer: string, value: JsonValue])[] = [];
  for (const hole of shape.holes) {
    // What an expression means in a kind that is not known is not known either.
    if (shape.registered === undefined && !isOutside(hole.node.text)) continue;
    const report = (diagnostic: Diagnostic): void => {
      unresolved.add(hole.pointer);
      scope.report(diagnostic);
    };
    const value = resolveHole(hole, { ...scope, noEnv: scope.noEnv || injected, report });
    if (value.kind === "value") constants.push([hole.pointer, value.value]);
    if (value.kind === "outside") outside.set(hole.pointer, { shown: value.shown, reveal: () => value.value });
  }
  const configuration = constants.reduce((tree, [pointer, value]) => put(tree, pointerSegments(pointer), value), shape.configuration);
  return { shape, configuration, slots, outside, unresolved, folder: scope.folder, injected };
}

function isOutside(text: string): boolean {
  return splitTemplate(text).parts.every((part) => part.kind !== "expression");
}

function put(tree: JsonValue, [key, ...rest]: readonly string[], value: JsonValue): JsonValue {
  if (key === undefined) return value;
  if (Array.isArray(tree)) return tree.map((item: JsonValue, index) => (String(index) === key ? put(item, rest, value) : item));
  const record = tree as Readonly<Record<string, JsonValue>>;
  return { ...record, [key]: put(record[key] ?? null, rest, value) };
}
