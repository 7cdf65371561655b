import { nearestNames } from "../../base/nearest-names.ts";
import type { JsonSchema, RoleName, SlotAnnotation } from "../../contracts/json-schema.ts";
import { createDiagnostic, type Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { DocumentNode, SourceFile, Span } from "../../document/document.ts";
import type { KindRegistry, RegisteredKind } from "../../plugin/kind-registry.ts";
import { validateNode } from "../../validation/validate-node.ts";
import { stringValue } from "../model/node-access.ts";
import type { ComponentShape, SlotFill, SlotShape } from "../model/shape.ts";
import { type FoundSlot, readConfiguration } from "./read-configuration.ts";

/** What surrounds a component that is being read. */
export interface ShapeScope {
  readonly registry: KindRegistry;
  readonly file: SourceFile;
  readonly report: (diagnostic: Diagnostic) => void;
  /** Kinds of plugins that come with the package but are not named in `ditto.yaml`, by kind. */
  readonly unnamedPlugins: ReadonlyMap<string, string>;
  /** Plugins that did not load, which was reported: their kinds are unknown without being wrong. */
  readonly failedPlugins: readonly string[];
  /** A search's target. */
  readonly target: { readonly name: string; readonly strategy: string } | undefined;
}

/** What is known about the place where a component stands. */
export interface ComponentPlace {
  readonly id: string;
  readonly name: string;
  /** The roles that fit, the likeliest first. */
  readonly roles: readonly RoleName[];
  /** Only these kinds. */
  readonly kinds?: readonly string[] | undefined;
  readonly label: string;
  /** In a chain: the step before, which is this one's search. */
  readonly before?: SlotFill | undefined;
}

/**
 * Reads a component: one key, its kind, whose value is its configuration.
 *
 * @returns The shape; undefined where it is no component at all, which is reported.
 */
export function shapeComponent(node: DocumentNode, at: ComponentPlace, scope: ShapeScope): ComponentShape | undefined {
  if (node.kind !== "mapping") return wrongForm(node, at, scope);
  const [entry, second] = node.entries;
  if (entry === undefined || second !== undefined) {
    const span = second?.key.span ?? firstLine(node.span, scope.file);
    const hint = second === undefined ? `write the kind as its only key, for example "${exampleKind(at, scope)}: { ... }"` : `"${second.key.text}" belongs below "${entry?.key.text ?? ""}", or is a component of its own`;
    scope.report(createDiagnostic("DITTO206", { file: scope.file, span, arguments: { place: at.label, count: node.entries.length }, hint }));
    if (entry === undefined) return undefined;
  }
  const kind = entry.key.text;
  const registered = findKind(kind, entry.key.span, { at, scope });
  const schema = registered === undefined ? undefined : chained(registered.definition.schema, at, { kind, span: entry.key.span, scope });
  if (schema !== undefined) {
    for (const diagnostic of validateNode(entry.value, schema, { file: scope.file, place: kind, key: entry.key })) scope.report(diagnostic);
  }
  const parts = readConfiguration(entry.value, schema, kind);
  return {
    id: at.id,
    name: at.name,
    role: registered?.definition.role ?? (at.roles.length === 1 ? at.roles[0] : undefined),
    kind,
    registered,
    file: scope.file,
    place: { file: scope.file, span: entry.key.span },
    node: entry.value,
    configuration: parts.value,
    slots: shapeSlots(parts.slots, { at, scope }),
    places: parts.places,
    holes: parts.holes,
    target: scope.target,
  };
}

function wrongForm(node: DocumentNode, at: ComponentPlace, scope: ShapeScope): undefined {
  const found = node.kind === "sequence" ? "a list" : stringValue(node) === undefined ? "a single value" : `"${stringValue(node)}"`;
  const hint = `write a component, for example "${exampleKind(at, scope)}: { ... }"`;
  scope.report(createDiagnostic("DITTO201", { file: scope.file, span: firstLine(node.span, scope.file), arguments: { place: at.label, expected: "a component", found }, hint }));
  return undefined;
}

function exampleKind(at: ComponentPlace, scope: ShapeScope): string {
  return at.kinds?.[0] ?? scope.registry.kindsOf(at.roles[0] as RoleName)[0]?.definition.kind ?? "kind";
}

function findKind(kind: string, span: Span, { at, scope }: { readonly at: ComponentPlace; readonly scope: ShapeScope }): RegisteredKind | undefined {
  const { registry, file, report } = scope;
  for (const role of at.roles) {
    const found = registry.kind(role, kind);
    if (found !== undefined && (at.kinds === undefined || at.kinds.includes(kind))) return found;
  }
  const others = registry.rolesOf(kind);
  const legal = at.kinds ?? at.roles.flatMap((role) => registry.kindsOf(role).map((entry) => entry.definition.kind));
  if (others.length > 0) {
    const role = at.roles.join(" or ");
    const hint = others.includes(at.roles[0] as RoleName) ? `only ${legal.join(", ")} fit here` : undefined;
    report(createDiagnostic("DITTO216", { file, span, arguments: { kind, found: String(others[0]), place: at.label, role }, hint: hint ?? legalNames(legal) }));
    return undefined;
  }
  if (scope.failedPlugins.some((name) => kind === name || kind.startsWith(`${name}.`))) return undefined;
  const plugin = scope.unnamedPlugins.get(kind);
  if (plugin !== undefined) {
    report(createDiagnostic("DITTO607", { file, span, arguments: { kind, plugin }, hint: `add "${plugin}" to "plugins" in ditto.yaml` }));
    return undefined;
  }
  const [suggestion] = nearestNames(kind, legal);
  const role = at.roles.length === 1 ? String(at.roles[0]) : "resource";
  report(createDiagnostic("DITTO205", { file, span, arguments: { role, kind }, suggestion, hint: suggestion === undefined ? legalNames(legal) : undefined }));
  return undefined;
}

function legalNames(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  return names.length > 8 ? `legal are ${names.slice(0, 8).join(", ")} and ${names.length - 8} more` : `legal are ${names.join(", ")}`;
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

function shapeSlots(found: readonly FoundSlot[], { at, scope }: { readonly at: ComponentPlace; readonly scope: ShapeScope }): SlotShape[] {
  const slots: SlotShape[] = [];
  let before: SlotFill | undefined;
  for (const slot of found) {
    const fill = fillSlot(slot, { at, scope, before: slot.step === undefined ? undefined : before });
    if (slot.step !== undefined) before = fill;
    if (fill !== undefined) slots.push({ pointer: slot.pointer, annotation: slot.annotation, label: slot.label, fill });
  }
  if (at.before !== undefined) slots.push({ pointer: "/search", annotation: { role: "search" }, label: "search", fill: at.before });
  return slots;
}

function fillSlot(slot: FoundSlot, { at, scope, before }: { readonly at: ComponentPlace; readonly scope: ShapeScope; readonly before: SlotFill | undefined }): SlotFill | undefined {
  const { node, annotation } = slot;
  const { file } = scope;
  if (slot.impliedName !== undefined) return { kind: "name", name: slot.impliedName, place: { file, span: firstLine(node.span, file) } };
  const name = stringValue(node);
  if (name !== undefined && before === undefined) return { kind: "name", name, place: { file, span: node.span } };
  const component = shapeComponent(
    node,
    { id: `${at.id}${slot.pointer}`, name: lastStep(slot.pointer), roles: rolesFor(annotation), kinds: annotation.kinds, label: slot.label, before },
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

function firstLine(span: Span, file: SourceFile): Span {
  const end = file.text.indexOf("\n", span.start);
  return { start: span.start, end: end === -1 ? span.end : Math.max(span.start, Math.min(span.end, end)) };
}
