import type { ComponentFacts, FactWarning } from "../../contracts/component-facts.ts";
import { createDiagnostic } from "../../diagnostics/diagnostic.ts";
import { nodeAt } from "../../document/find-node.ts";
import type { PlanComponent, PlanTemplate } from "../model/plan.ts";
import type { ResolvedComponent } from "../model/resolved.ts";
import type { CheckScope } from "./check-scope.ts";
import { checkTemplate } from "./check-template.ts";
import { placeNames } from "./place-names.ts";
import { readTemplate } from "./read-template.ts";

/**
 * Judges a component: what its kind says of its configuration, and every expression in it.
 *
 * @param component Everything in its slots was judged before.
 * @param known Facts of the components judged so far, by id.
 */
export function checkComponent(component: ResolvedComponent, { known, scope }: { readonly known: ReadonlyMap<string, ComponentFacts>; readonly scope: CheckScope }): PlanComponent {
  const { shape, slots } = component;
  const slotFacts = (pointer: string): ComponentFacts | undefined => {
    const id = slots.get(pointer);
    return id === undefined ? undefined : known.get(id);
  };
  const facts = shape.registered?.definition.describe?.(component.configuration, { name: shape.name, slot: slotFacts }) ?? {};
  for (const warning of facts.warnings ?? []) reportWarning(warning, { component, scope });

  const templates = new Map<string, PlanTemplate>();
  for (const place of shape.places) {
    const template = readTemplate(place.node, { file: shape.file, label: place.label, report: scope.report });
    templates.set(place.pointer, { template, annotation: place.annotation, schema: place.schema, label: place.label });
    checkTemplate(template, {
      names: { vars: scope.varsSchema(shape.file), ...placeNames(place.annotation.sees, facts) },
      functions: scope.functions,
      schema: place.schema,
      label: place.label,
      report: scope.report,
      uses: scope.uses, atRunTime: scope.atRunTime,
    });
  }
  return {
    id: shape.id,
    name: shape.name,
    role: shape.role ?? "connection",
    kind: shape.kind,
    registered: shape.registered,
    place: shape.place,
    folder: component.folder,
    configuration: component.configuration,
    slots,
    templates,
    outside: component.outside,
    target: shape.target,
    facts,
  };
}

function reportWarning(warning: FactWarning, { component, scope }: { readonly component: ResolvedComponent; readonly scope: CheckScope }): void {
  const { shape } = component;
  const found = nodeAt(shape.node, warning.pointer);
  scope.report(
    createDiagnostic(warning.severity === "error" ? "DITTO217" : "DITTO218", {
      file: shape.file,
      span: warning.pointer === "" ? shape.place.span : (found?.entry?.key.span ?? found?.node.span ?? shape.place.span),
      arguments: { finding: warning.message },
      hint: warning.hint,
    }),
  );
}
