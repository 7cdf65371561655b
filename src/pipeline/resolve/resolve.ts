import type { JsonValue } from "../../contracts/json.ts";
import { createDiagnostic, type Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { SourceFile } from "../../document/document.ts";
import type { PlanMemorySearch, PlanTarget } from "../model/plan.ts";
import type { Resolved, ResolvedComponent } from "../model/resolved.ts";
import type { ComponentShape, SlotFill } from "../model/shape.ts";
import type { SectionShape, Validated } from "../model/validated.ts";
import { fillSections } from "./fill-sections.ts";
import { References } from "./references.ts";
import { resolveComponent } from "./resolve-component.ts";
import type { HoleScope } from "./resolve-hole.ts";
import { resolveVars } from "./resolve-vars.ts";
import { sortComponents } from "./sort-components.ts";

/** What a pipeline is resolved with. */
export interface ResolveOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Leaves values from outside unread: `validate --no-env`, and profiles that are not chosen. */
  readonly noEnv: boolean;
  /** Values that replace those of the main file's `vars`. */
  readonly vars: Readonly<Record<string, JsonValue>>;
  /** Names of resources that the application gives. */
  readonly injected: ReadonlySet<string>;
}

/** What resolving gave. */
export interface ResolveResult {
  readonly resolved: Resolved;
  readonly diagnostics: readonly Diagnostic[];
  /** Absolute paths of the files whose text stands for a value. */
  readonly reads: readonly string[];
}

/** Follows every name to what it means and reads what comes from outside. */
export function resolve(written: Validated, options: ResolveOptions): ResolveResult {
  const diagnostics: Diagnostic[] = [];
  const reads = new Set<string>();
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const { assembled } = written;
  reportUnknownInjected(written, { ...options, report });
  const vars = resolveVars(assembled, { overrides: options.vars, report });
  const scopes = { inside: new Map<SourceFile, HoleScope>(), outside: new Map<SourceFile, HoleScope>() };
  const makeScope = (file: SourceFile, outsideAllowed: boolean): HoleScope => ({
    file,
    folder: assembled.folders.get(file) ?? "",
    vars: vars.values.get(file) ?? {},
    varSchemas: vars.schemas.get(file) ?? {},
    env: options.env,
    noEnv: options.noEnv,
    outsideAllowed,
    report,
    reads: (path) => void reads.add(path),
  });
  const scopeFor = (file: SourceFile, outsideAllowed: boolean): HoleScope => {
    const known = outsideAllowed ? scopes.outside : scopes.inside;
    const scope = known.get(file) ?? makeScope(file, outsideAllowed);
    known.set(file, scope);
    return scope;
  };
  const validated = fillSections(written, (file) => scopeFor(file, false));
  const references = new References(validated, report);
  const targets = resolveTargets(validated, references);

  const components: ResolvedComponent[] = [];
  const add = (shape: ComponentShape, outsideAllowed: boolean): void => {
    for (const { fill } of shape.slots) if (fill.kind === "component") add(fill.component, outsideAllowed);
    const injected = shape.id === `resources.${shape.name}` && options.injected.has(shape.name);
    components.push(resolveComponent(shape, { scope: scopeFor(shape.file, outsideAllowed), references, injected }));
  };
  for (const shape of validated.resources.values()) add(shape, true);
  for (const target of validated.targets.values()) for (const { component } of target.strategies.values()) if (component !== undefined) add(component, false);
  for (const shape of sectionComponents([validated.memory, validated.context])) add(shape, false);

  const resolved: Resolved = {
    validated,
    vars: vars.values,
    components: sortComponents(components, report),
    resources: Object.fromEntries([...validated.resources.values()].map((shape) => [shape.name, shape.id])),
    targets,
    memory: validated.memory && { store: slotId(validated.memory, "store", references), search: searchSlot(validated.memory, "search", references) },
    context: validated.context && { store: slotId(validated.context, "store", references), ragSearch: searchSlot(validated.context, "rag/search", references) },
    used: references.used,
  };
  return { resolved, diagnostics, reads: [...reads] };
}

function reportUnknownInjected(
  validated: Validated,
  { injected, report }: Pick<ResolveOptions, "injected"> & { readonly report: (diagnostic: Diagnostic) => void },
): void {
  const file: SourceFile = validated.assembled.main;
  for (const name of injected) {
    if (!validated.resources.has(name)) report(createDiagnostic("DITTO322", { file, span: { start: 0, end: 0 }, arguments: { name } }));
  }
}

function resolveTargets(validated: Validated, references: References): Record<string, PlanTarget> {
  const targets: Record<string, PlanTarget> = {};
  for (const target of validated.targets.values()) {
    const chosen = references.defaultOf(target);
    const strategies = [...target.strategies].flatMap(([name, { component }]) => (component === undefined ? [] : [[name, component.id] as const]));
    targets[target.name] = { default: chosen ?? "", strategies: Object.fromEntries(strategies) };
  }
  return targets;
}

function sectionComponents(sections: readonly (SectionShape | undefined)[]): ComponentShape[] {
  return sections.flatMap((section) => [...(section?.slots.values() ?? [])].flatMap(({ fill }) => (fill.kind === "component" ? [fill.component] : [])));
}

function slotId(section: SectionShape, key: string, references: References): string | undefined {
  const slot = section.slots.get(key);
  return slot === undefined ? undefined : references.slotId(slot, undefined);
}

/** A target as a whole, one of its strategies, or a component. */
function searchSlot(section: SectionShape, key: string, references: References): PlanMemorySearch | undefined {
  const slot = section.slots.get(key);
  if (slot === undefined) return undefined;
  const fill: SlotFill = slot.fill;
  if (fill.kind === "component") return { kind: "component", id: fill.component.id, hasStrategies: fill.component.kind === "remote" };
  const found = references.search(fill, { sibling: undefined });
  return found === undefined ? undefined : { kind: "target", target: found.target, strategy: fill.name.includes("/") ? found.strategy : undefined };
}
