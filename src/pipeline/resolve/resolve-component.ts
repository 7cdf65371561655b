import type { JsonValue } from "../../contracts/json.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { splitTemplate } from "../../expression/split-template.ts";
import type { OutsideValue } from "../model/plan.ts";
import type { ResolvedComponent } from "../model/resolved.ts";
import type { ComponentShape } from "../model/shape.ts";
import type { References } from "./references.ts";
import { resolveHole } from "./resolve-hole.ts";
import type { ResolvedVars } from "./resolve-vars.ts";

/** What surrounds a component that is resolved. */
export interface ComponentScope {
  readonly references: References;
  readonly vars: ResolvedVars;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly noEnv: boolean;
  readonly folder: string;
  readonly outsideAllowed: boolean;
  readonly injected: boolean;
  readonly report: (diagnostic: Diagnostic) => void;
}

/** Follows a component's slots and fills its holes. */
export function resolveComponent(shape: ComponentShape, scope: ComponentScope): ResolvedComponent {
  const slots = new Map<string, string>();
  for (const slot of shape.slots) {
    const id = scope.references.slotId(slot, shape.target?.name);
    if (id !== undefined) slots.set(slot.pointer, id);
  }
  const outside = new Map<string, OutsideValue>();
  let configuration = shape.configuration;
  for (const hole of shape.holes) {
    // What an expression means in a kind that is not known is not known either.
    if (shape.registered === undefined && !isOutside(hole.node.text)) continue;
    const value = resolveHole(hole, {
      ...scope,
      file: shape.file,
      vars: scope.vars.values.get(shape.file) ?? {},
      varSchemas: scope.vars.schemas.get(shape.file) ?? {},
      noEnv: scope.noEnv || scope.injected,
    });
    if (value.kind === "value") configuration = put(configuration, hole.pointer, value.value);
    if (value.kind === "outside") outside.set(hole.pointer, { shown: value.shown, reveal: () => value.value });
  }
  return { shape, configuration, slots, outside, folder: scope.folder, injected: scope.injected };
}

function isOutside(text: string): boolean {
  return splitTemplate(text).parts.every((part) => part.kind !== "expression");
}

function put(tree: JsonValue, pointer: string, value: JsonValue): JsonValue {
  const [, first, ...rest] = pointer.split("/");
  if (first === undefined) return value;
  const key = first.replaceAll("~1", "/").replaceAll("~0", "~");
  const inner = rest.length === 0 ? "" : `/${rest.join("/")}`;
  if (Array.isArray(tree)) return tree.map((item: JsonValue, index) => (String(index) === key ? put(item, inner, value) : item));
  const record = tree as Readonly<Record<string, JsonValue>>;
  return { ...record, [key]: put(record[key] ?? null, inner, value) };
}
