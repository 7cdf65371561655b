import { isSlip, nearestNames } from "../../base/nearest-names.ts";
import type { RoleName } from "../../contracts/json-schema.ts";
import { createDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Fix, KeyNode, MappingEntry, MappingNode, SourceFile } from "../../document/document.ts";
import type { RegisteredKind } from "../../plugin/kind-registry.ts";
import { aRole } from "../model/a-role.ts";
import { firstLine } from "../model/first-line.ts";
import type { ComponentPlace, ShapeScope } from "./shape-scope.ts";

/** The entry that is the kind: the only one, or among several the one that is called like a kind. */
export function kindEntry(node: MappingNode, at: ComponentPlace, scope: ShapeScope): MappingEntry | undefined {
  const { entries } = node;
  const [first] = entries;
  if (first !== undefined && entries.length === 1) return first;
  const known = entries.find(({ key }) => at.roles.some((role) => scope.registry.kind(role, key.text) !== undefined));
  const extra = entries.find((entry) => entry !== (known ?? first));
  const span = extra?.key.span ?? firstLine(node.span, scope.file);
  scope.report(
    createDiagnostic("DITTO206", {
      file: scope.file,
      span,
      arguments: { place: at.label, count: entries.length },
      hint: kindHint(entries, { known, extra, at, scope }),
    }),
  );
  return known;
}

interface KindHint {
  readonly known: MappingEntry | undefined;
  readonly extra: MappingEntry | undefined;
  readonly at: ComponentPlace;
  readonly scope: ShapeScope;
}

function kindHint(entries: readonly MappingEntry[], { known, extra, at, scope }: KindHint): string {
  if (extra === undefined) return `write the kind as its only key, for example "${exampleKind(at, scope)}: { ... }"`;
  if (known === undefined) {
    const kinds = kindsWithKeys(
      entries.map(({ key }) => key.text),
      at,
      scope,
    );
    return kinds.length === 0
      ? `write the kind as its only key, for example "${exampleKind(at, scope)}: { ... }"`
      : `write the kind above its keys: ${alternatives(kinds)}`;
  }
  const schema = at.roles.map((role) => scope.registry.kind(role, known.key.text)).find((kind) => kind !== undefined)?.definition.schema;
  if (schema?.properties !== undefined && Object.hasOwn(schema.properties, extra.key.text)) return `"${extra.key.text}" belongs in "${known.key.text}"`;
  if (at.above?.keys.includes(extra.key.text) === true) return `"${extra.key.text}" belongs one level up, in ${at.above.label}`;
  return `"${extra.key.text}" is a component of its own, or belongs elsewhere`;
}

/** Kinds that fit the place and know all these keys. */
function kindsWithKeys(keys: readonly string[], at: ComponentPlace, scope: ShapeScope): string[] {
  const fitting = at.roles
    .flatMap((role) => scope.registry.kindsOf(role))
    .filter(({ definition }) => at.kinds === undefined || at.kinds.includes(definition.kind));
  const knowing = fitting.filter(({ definition }) => keys.every((key) => Object.hasOwn(definition.schema.properties ?? {}, key)));
  return knowing.map(({ definition }) => definition.kind);
}

function alternatives(names: readonly string[]): string {
  const shown = names.slice(0, 4);
  return names.length > 4 ? `${shown.join(", ")} or another` : shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} or ${shown.at(-1)}`;
}

/** A kind that would fit, for a hint. */
export function exampleKind(at: ComponentPlace, scope: ShapeScope): string {
  return at.kinds?.[0] ?? scope.registry.kindsOf(at.roles[0] as RoleName)[0]?.definition.kind ?? "kind";
}

/** The kind of that name; a misspelt one is reported and judged as what was meant. */
export function findKind(key: KeyNode, { at, scope }: { readonly at: ComponentPlace; readonly scope: ShapeScope }): RegisteredKind | undefined {
  const { registry, file, report } = scope;
  const { text: kind, span } = key;
  const fitting = (name: string): RegisteredKind | undefined =>
    at.roles.map((role) => registry.kind(role, name)).find((found) => found !== undefined && (at.kinds === undefined || at.kinds.includes(name)));
  const found = fitting(kind);
  if (found !== undefined) return found;
  const [other] = registry.rolesOf(kind);
  const legal = at.kinds ?? [...new Set(at.roles.flatMap((role) => registry.kindsOf(role).map((entry) => entry.definition.kind)))];
  if (other !== undefined) {
    const hint = at.roles.includes(other) ? `only ${legal.join(", ")} fit here` : (elsewhere(other, at) ?? legalNames(legal));
    report(createDiagnostic("DITTO216", { file, span, arguments: { kind, found: aRole(other), place: at.label, role: roleOf(at) }, hint }));
    return undefined;
  }
  if (scope.failedPlugins.some((name) => kind === name || kind.startsWith(`${name}.`))) return undefined;
  const plugin = scope.unnamedPlugins.get(kind);
  if (plugin !== undefined) {
    report(createDiagnostic("DITTO607", { file, span, arguments: { kind, plugin }, hint: `add "${plugin}" to "plugins" in ditto.yaml` }));
    return undefined;
  }
  const suggestion = nearKind(kind, legal);
  const slip = suggestion !== undefined && isSlip(kind, suggestion);
  // A plugin's file does not say how its kinds are called.
  if (suggestion === undefined && scope.failedPlugins.length > 0) return undefined;
  const [only, ...more] = at.roles;
  const role = only === undefined || more.length > 0 ? "resource" : only.replace("-", " ");
  const owners = suggestion === undefined ? kindsWithKeys([kind], at, scope) : [];
  const hint = owners.length > 0 ? `"${kind}" is a key of ${alternatives(owners)}: write the kind above it` : legalNames(legal);
  report(
    createDiagnostic("DITTO205", {
      file,
      span,
      arguments: { role, kind },
      suggestion,
      fix: slip ? renameFix(key, suggestion, file) : undefined,
      hint: suggestion === undefined ? hint : undefined,
    }),
  );
  // A far name may be another kind altogether: it is suggested, and its keys are nobody's measure.
  return slip && suggestion !== undefined ? fitting(suggestion) : undefined;
}

/** The kind that was probably meant: near as a whole, and in each of its parts, for `acme.collection` is no slip of `sqlite.collection`. */
function nearKind(kind: string, legal: readonly string[]): string | undefined {
  const parts = kind.split(".");
  return nearestNames(kind, legal).find((name) => {
    const others = name.split(".");
    return others.length !== parts.length || others.every((other, index) => other === parts[index] || nearestNames(parts[index] ?? "", [other]).length > 0);
  });
}

/** What a place needs, in words; one of many roles is a resource. */
function roleOf({ roles }: ComponentPlace): string {
  return roles.length > 2 ? "a resource" : roles.map(aRole).join(" or ");
}

function elsewhere(role: RoleName, { roles }: ComponentPlace): string | undefined {
  if (role === "search" && roles.length > 2) return "searches are strategies of `targets`";
  return roles.length === 1 && roles[0] === "search" ? "what is opened is declared under `resources`" : undefined;
}

/** Renames a kind in place, its quotes kept. */
function renameFix(key: KeyNode, name: string | undefined, file: SourceFile): Fix | undefined {
  const at = name === undefined ? -1 : file.text.slice(key.span.start, key.span.end).indexOf(key.text);
  if (name === undefined || at === -1) return undefined;
  const start = key.span.start + at;
  return { title: `write "${name}"`, edits: [{ span: { start, end: start + key.text.length }, text: name }] };
}

function legalNames(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  return names.length > 8 ? `legal are ${names.slice(0, 8).join(", ")} and ${names.length - 8} more` : `legal are ${names.join(", ")}`;
}
