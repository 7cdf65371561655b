import type { ComponentFacts, FactWarning } from "../../contracts/component-facts.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";
import { createDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { ScalarNode, Span } from "../../document/document.ts";
import { nodeAt } from "../../document/find-node.ts";
import { spanInSource } from "../../document/offset-in-source.ts";
import { member } from "../model/node-access.ts";
import { readsMember } from "../model/reads-member.ts";
import { soundSchema } from "../model/sound-schema.ts";
import type { PlanComponent, PlanTemplate } from "../model/plan.ts";
import type { ResolvedComponent } from "../model/resolved.ts";
import { checkAddress } from "./check-address.ts";
import { checkChoice } from "./check-choice.ts";
import type { CheckScope } from "./check-scope.ts";
import { checkTemplate } from "./check-template.ts";
import { jsonSchemaOf } from "./json-schema-of.ts";
import { placeNames } from "./place-names.ts";
import { expressionsOf } from "../model/expressions-of.ts";
import { readTemplate } from "./read-template.ts";

/**
 * Judges a component: what its kind says of its configuration, and every expression in it.
 *
 * @param component Everything in its slots was judged before.
 * @param known Facts of the components judged so far, by id.
 */
export function checkComponent(
  component: ResolvedComponent,
  { known, scope }: { readonly known: ReadonlyMap<string, ComponentFacts>; readonly scope: CheckScope },
): PlanComponent {
  const { shape, slots } = component;
  const slotFacts = (pointer: string): ComponentFacts | undefined => {
    const id = slots.get(pointer);
    return (id === undefined ? undefined : known.get(id)) ?? unknownFacts(component, pointer);
  };
  const facts = describe(component, { slotFacts, scope });
  for (const pointer of facts.addresses ?? []) checkAddress(pointer, { component, scope });
  checkSchemas(component, scope);

  const templates = new Map<string, PlanTemplate>();
  for (const place of shape.places) {
    const template = readTemplate(place.node, { file: shape.file, label: place.label, report: scope.report });
    const schema = facts.expects?.[place.pointer] ?? place.schema;
    const planned: PlanTemplate = { template, annotation: place.annotation, schema, label: place.label };
    templates.set(place.pointer, planned);
    let faulty = false;
    checkTemplate(template, {
      names: { vars: scope.varsSchema(shape.file), ...placeNames(place.annotation.sees, facts) },
      functions: scope.functions,
      schema,
      label: place.label,
      report: (diagnostic) => {
        faulty ||= diagnostic.severity === "error";
        scope.report(diagnostic);
      },
      uses: scope.uses,
      atRunTime: scope.atRunTime,
    });
    const choice = facts.choices?.[place.pointer];
    if (choice !== undefined && !faulty) checkChoice(planned, { choice, scope });
  }
  for (const warning of facts.warnings ?? []) if (applies(warning, templates)) reportWarning(warning, { component, scope });
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

/** What stands in a slot although nothing is known of it, which was reported: a model unlike any other is better than none at all. */
function unknownFacts({ shape }: ResolvedComponent, pointer: string): ComponentFacts | undefined {
  const slot = shape.slots.find((filled) => filled.pointer === pointer);
  return slot?.annotation.role === "embedding" ? { embedding: { model: `unknown, for ${shape.id}` } } : undefined;
}

/** Asks the kind; it may stumble over a configuration that is not what its schema asks for, which was reported. */
function describe(
  { shape, configuration }: ResolvedComponent,
  { slotFacts, scope }: { readonly slotFacts: (pointer: string) => ComponentFacts | undefined; readonly scope: CheckScope },
): ComponentFacts {
  const { registered, file, place } = shape;
  try {
    const facts = registered?.definition.describe?.(configuration, { name: shape.name, slot: slotFacts }) ?? {};
    return isSettled(shape) ? facts : soundFacts(facts);
  } catch (error) {
    if (registered === undefined || !isSettled(shape)) return {};
    const problem = `its "describe" throws ${error instanceof Error ? error.name : "something that is no error"}`;
    scope.report(createDiagnostic("DITTO608", { file, span: place.span, arguments: { kind: shape.kind, plugin: registered.plugin.name, problem } }));
    return {};
  }
}

/** Whether the configuration is what its schema asks for, and all of it known. */
function isSettled({ sound, holes, registered }: ResolvedComponent["shape"]): boolean {
  const ownSchemas = Object.values(registered?.definition.schema.properties ?? {}).some((property) => property["x-ditto-schema"] === true);
  return sound && holes.length === 0 && !ownSchemas;
}

/** Facts that a kind made of a faulty configuration, or of schemas of the author's. */
function soundFacts(facts: ComponentFacts): ComponentFacts {
  const all = (schemas: Readonly<Record<string, JsonSchema>>): Readonly<Record<string, JsonSchema>> =>
    Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, soundSchema(schema)]));
  return {
    ...facts,
    ...(facts.candidate === undefined ? {} : { candidate: soundSchema(facts.candidate) }),
    ...(facts.result === undefined ? {} : { result: soundSchema(facts.result) }),
    ...(facts.names === undefined ? {} : { names: all(facts.names) }),
    ...(facts.expects === undefined ? {} : { expects: all(facts.expects) }),
  };
}

/** JSON Schemas of the author's own, such as what a call gives. */
function checkSchemas({ shape }: ResolvedComponent, scope: CheckScope): void {
  for (const [key, property] of Object.entries(shape.registered?.definition.schema.properties ?? {})) {
    if (property["x-ditto-schema"] === true) jsonSchemaOf(member(shape.node, key), { file: shape.file, label: key, report: scope.report });
  }
}

/** A finding may be about one member that an expression reads, and about nothing where it does not. */
function applies({ pointer, reads }: FactWarning, templates: ReadonlyMap<string, PlanTemplate>): boolean {
  if (reads === undefined) return true;
  const found = templates.get(pointer);
  return found !== undefined && [...expressionsOf(found.template)].some(({ part: { parsed } }) => parsed !== undefined && readsMember(parsed, reads));
}

function reportWarning(warning: FactWarning, { component, scope }: { readonly component: ResolvedComponent; readonly scope: CheckScope }): void {
  const { shape, unresolved } = component;
  // What is wrong there was reported, and the kind was told of nothing.
  if (unresolved.has(warning.pointer)) return;
  const { suggestion } = warning;
  const found = nodeAt(shape.node, warning.pointer);
  // That nothing is written was reported.
  if (found?.node.kind === "scalar" && found.node.value === null) return;
  const within = warning.span !== undefined && found?.node.kind === "scalar" ? spanWithin(found.node, warning.span) : undefined;
  const whole = warning.pointer === "" ? shape.place.span : (found?.entry?.key.span ?? found?.node.span ?? shape.place.span);
  scope.report(
    createDiagnostic(warning.severity === "error" ? "DITTO217" : "DITTO218", {
      file: shape.file,
      span: within ?? whole,
      arguments: { finding: warning.message },
      hint: warning.hint,
      suggestion,
      fix: suggestion === undefined || within === undefined ? undefined : { title: `write "${suggestion}"`, edits: [{ span: within, text: suggestion }] },
    }),
  );
}

/** A text that was put together of expressions has no places of its own. */
function spanWithin(node: ScalarNode, span: Span): Span | undefined {
  return node.text.includes("${") ? undefined : spanInSource(node, span);
}
