import type { JsonSchema, RoleName, SlotAnnotation } from "../../contracts/json-schema.ts";
import { createDiagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import type { DocumentNode, KeyNode, MappingEntry, Span } from "../../document/document.ts";
import type { KindRegistry } from "../../plugin/kind-registry.ts";
import { describeNode } from "../../validation/describe-schema.ts";
import type { KeysAbove } from "../../validation/node-walk.ts";
import { validateNode } from "../../validation/validate-node.ts";
import { firstLine } from "../model/first-line.ts";
import { renameKeys } from "../model/rename-keys.ts";
import type { ComponentShape, SlotFill, SlotShape } from "../model/shape.ts";
import { exampleKind, findKind, kindEntry } from "./find-kind.ts";
import { type FoundSlot, readConfiguration } from "./read-configuration.ts";
import { reportReservedNames } from "./reserved-names.ts";
import type { ComponentPlace, ShapeScope } from "./shape-scope.ts";

/**
 * Reads a component: one key, its kind, whose value is its configuration.
 *
 * @returns The shape; undefined where it is no component at all, which is reported.
 */
export function shapeComponent(node: DocumentNode, at: ComponentPlace, scope: ShapeScope): ComponentShape | undefined {
  if (node.kind !== "mapping") return wrongForm(node, at, scope);
  const entry = kindEntry(node, at, scope);
  if (entry === undefined) return undefined;
  const registered = findKind(entry.key, { at, scope });
  const kind = registered?.definition.kind ?? entry.key.text;
  const schema = registered === undefined ? undefined : chained(registered.definition.schema, at, { kind, span: entry.key.span, scope });
  const { node: configuration, sound } = schema === undefined ? { node: entry.value, sound: false } : judged(entry, schema, { kind, at, scope });
  const parts = readConfiguration(configuration, schema, kind);
  const keys = Object.keys(schema?.properties ?? {});
  return {
    id: at.id,
    name: at.name,
    role: registered?.definition.role ?? (at.roles.length === 1 ? at.roles[0] : undefined),
    kind,
    registered,
    sound: sound && parts.readable,
    file: scope.file,
    place: { file: scope.file, span: entry.key.span },
    node: configuration,
    configuration: parts.value,
    slots: shapeSlots(parts.slots, { at, scope, above: { label: kind, keys } }),
    places: parts.places,
    holes: parts.holes,
    target: scope.target,
  };
}

/** Judges a configuration by its kind's schema, and gives it with misspelt keys called what was meant. */
function judged(
  entry: MappingEntry,
  schema: JsonSchema,
  { kind, at, scope }: { readonly kind: string; readonly at: ComponentPlace; readonly scope: ShapeScope },
): { readonly node: DocumentNode; readonly sound: boolean } {
  const { file, report } = scope;
  const meant = new Map<KeyNode, string>();
  const options = {
    file,
    place: kind,
    key: entry.key,
    above: at.above,
    kindTakes: kindTakesIn(scope.registry),
    onMisspelt: (key: KeyNode, name: string) => meant.set(key, name),
  };
  const found = validateNode(entry.value, schema, options);
  for (const diagnostic of found) report(diagnostic);
  const node = renameKeys(entry.value, meant);
  reportReservedNames(node, { schema, file, report });
  return { node, sound: !hasErrors(found) };
}

function kindTakesIn(registry: KindRegistry): (role: RoleName, kind: string, key: string) => boolean {
  return (role, kind, key) => Object.hasOwn(registry.kind(role, kind)?.definition.schema.properties ?? {}, key);
}

function wrongForm(node: DocumentNode, at: ComponentPlace, scope: ShapeScope): undefined {
  if (node.kind === "scalar" && node.unreadable === true) return undefined;
  const found = describeNode(node);
  const chained = at.before === undefined ? undefined : "only the first step can be a name; each later one says what it does with the step before";
  const misplaced = at.named === true && at.above?.keys.includes(at.name) === true;
  const hint =
    chained ??
    (misplaced ? `"${at.name}" belongs one level up, in ${at.above?.label ?? ""}` : `write a component, for example "${exampleKind(at, scope)}: { ... }"`);
  scope.report(
    createDiagnostic("DITTO201", { file: scope.file, span: shownSpan(node, at, scope), arguments: { place: at.label, expected: "a component", found }, hint }),
  );
  return undefined;
}

function shownSpan(node: DocumentNode, at: ComponentPlace, { file }: ShapeScope): Span {
  return node.span.end > node.span.start ? firstLine(node.span, file) : (at.key?.span ?? node.span);
}

/** A step of a chain gets its `search` from the step before, so it must have that slot and must not fill it. */
function chained(schema: JsonSchema, at: ComponentPlace, found: { readonly kind: string; readonly span: Span; readonly scope: ShapeScope }): JsonSchema {
  if (at.before === undefined) return schema;
  const { search, ...properties } = schema.properties ?? {};
  if (search?.["x-ditto-slot"] === undefined) {
    const finding = `"${found.kind}" takes no search, so it can only be the first step`;
    found.scope.report(createDiagnostic("DITTO217", { file: found.scope.file, span: found.span, arguments: { finding } }));
    return schema;
  }
  return { ...schema, properties, required: (schema.required ?? []).filter((key) => key !== "search") };
}

interface Within {
  readonly at: ComponentPlace;
  readonly scope: ShapeScope;
  /** The configuration that holds the slots. */
  readonly above: KeysAbove;
}

function shapeSlots(found: readonly FoundSlot[], { at, scope, above }: Within): SlotShape[] {
  const slots: SlotShape[] = [];
  let before: SlotFill | undefined;
  for (const slot of found) {
    const fill = fillSlot(slot, { at, scope, above, before: slot.step === undefined ? undefined : before });
    if (slot.step !== undefined) before = fill;
    if (fill !== undefined) slots.push({ pointer: slot.pointer, annotation: slot.annotation, label: slot.label, fill });
  }
  if (at.before !== undefined) slots.push({ pointer: "/search", annotation: { role: "search" }, label: "search", fill: at.before });
  return slots;
}

function fillSlot(slot: FoundSlot, { at, scope, above, before }: Within & { readonly before: SlotFill | undefined }): SlotFill | undefined {
  const { node, annotation } = slot;
  const { file } = scope;
  if (slot.impliedName !== undefined) return { kind: "name", name: slot.impliedName, place: { file, span: slot.key?.span ?? firstLine(node.span, file) } };
  if (node.kind === "scalar" && typeof node.value === "string" && before === undefined)
    return { kind: "name", name: node.value, place: { file, span: node.span }, node };
  const component = shapeComponent(
    node,
    {
      id: `${at.id}${slot.pointer}`,
      name: lastStep(slot.pointer),
      roles: rolesFor(annotation),
      kinds: annotation.kinds,
      label: slot.label,
      key: slot.key,
      above,
      before,
    },
    scope,
  );
  return component === undefined ? undefined : { kind: "component", component };
}

/** A collection is also a memory store. */
export function rolesFor(annotation: SlotAnnotation): readonly RoleName[] {
  return annotation.role === "memory-store" ? ["memory-store", "collection"] : [annotation.role];
}

function lastStep(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf("/") + 1);
}
