import type { JsonValue } from "../../contracts/json.ts";
import { createDiagnostic, type Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { SourceFile } from "../../document/document.ts";
import type { PlanMemorySearch, PlanTarget } from "../model/plan.ts";
import type { Resolved, ResolvedComponent } from "../model/resolved.ts";
import type { ComponentShape, SlotFill } from "../model/shape.ts";
import type { SectionShape, Validated } from "../model/validated.ts";
import { References } from "./references.ts";
import { resolveComponent } from "./resolve-component.ts";
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

/** Follows every name to what it means and reads what comes from outside. */
export function resolve(validated: Validated, options: ResolveOptions): { readonly resolved: Resolved; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const { assembled } = validated;
  reportUnknownInjected(validated, { ...options, report });
  const vars = resolveVars(assembled, { overrides: options.vars, report });
  const references = new References(validated, report);
  const targets = resolveTargets(validated, references);

  const components: ResolvedComponent[] = [];
  const add = (shape: ComponentShape, outsideAllowed: boolean): void => {
    const nested = shape.slots.flatMap(({ fill }) => (fill.kind === "component" ? [fill.component] : []));
    for (const inner of nested) add(inner, outsideAllowed);
    const injected = shape.id === `resources.${shape.name}` && options.injected.has(shape.name);
    const folder = assembled.folders.get(shape.file) ?? "";
    components.push(resolveComponent(shape, { ...options, references, vars, folder, outsideAllowed, injected, report }));
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
    memory: memorySection(validated.memory, references),
    context: validated.context && {
      store: slotId(validated.context, "store", references),
      ragSearch: searchSlot(validated.context, "rag/search", references),
    },
    used: references.used,
  };
  return { resolved, diagnostics };
}

function reportUnknownInjected(validated: Validated, { injected, report }: Pick<ResolveOptions, "injected"> & { readonly report: (diagnostic: Diagnostic) => void }): void {
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

function memorySection(section: SectionShape | undefined, references: References): Resolved["memory"] {
  if (section === undefined) return undefined;
  return { store: slotId(section, "store", references), search: searchSlot(section, "search", references) };
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
  if (fill.kind === "component") return { kind: "component", id: fill.component.id };
  const found = references.search(fill, { sibling: undefined });
  return found === undefined ? undefined : { kind: "target", target: found.target, strategy: fill.name.includes("/") ? found.strategy : undefined };
}
