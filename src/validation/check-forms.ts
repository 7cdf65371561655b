import { nearestName } from "../base/nearest-names.ts";
import type { JsonValue } from "../contracts/json.ts";
import type { JsonSchema } from "../contracts/json-schema.ts";
import type { DocumentNode, MappingNode } from "../document/document.ts";
import { describeSchema, describeSomeOf, joined } from "./describe-schema.ts";
import { isHole, joinWalk, type NodePlace, type NodeWalk, newWalk, owningSpan, report, shownSpan } from "./node-walk.ts";
import { followRef } from "./schema-at.ts";

/** What judging by several schemas at once needs. */
export interface FormsScope {
  readonly at: NodePlace;
  readonly walk: NodeWalk;
  /** Judges a node by one schema. */
  readonly check: (node: DocumentNode, schema: JsonSchema, at: NodePlace, walk: NodeWalk) => void;
}

/** Judges a node by the keywords that combine schemas. Of several possible forms, the one that was probably meant is reported. */
export function checkForms(node: DocumentNode, schema: JsonSchema, scope: FormsScope): void {
  for (const form of schema.allOf ?? []) scope.check(node, form, scope.at, scope.walk);
  if (schema.anyOf !== undefined) checkAnyOf(node, schema.anyOf, scope);
  if (schema.oneOf !== undefined) checkOneOf(node, schema.oneOf, scope);
  if (schema.not !== undefined) checkNot(node, schema.not, scope);
  if (schema.if !== undefined) checkIf(node, schema, scope);
}

function checkAnyOf(node: DocumentNode, forms: readonly JsonSchema[], scope: FormsScope): void {
  const trials = forms.map((form) => attempt(node, form, scope));
  const fitting = trials.find((trial) => trial.diagnostics.length === 0);
  if (fitting === undefined) reportForms(node, { forms, trials }, scope);
  else joinWalk(scope.walk, fitting);
}

function checkOneOf(node: DocumentNode, forms: readonly JsonSchema[], scope: FormsScope): void {
  const trials = forms.map((form) => attempt(node, form, scope));
  const fitting = trials.filter((trial) => trial.diagnostics.length === 0);
  const [first, second] = fitting;
  if (first === undefined) {
    reportForms(node, { forms, trials }, scope);
    return;
  }
  joinWalk(scope.walk, first);
  if (second === undefined || first.sawHole || second.sawHole) return;
  const keys = requiredKeys(forms);
  const present = node.kind === "mapping" ? keys?.flatMap((names) => names.filter((name) => entryKey(node, name) !== undefined)) : undefined;
  if (present !== undefined && present.length > 1) reportExclusive(node as MappingNode, present, scope);
  else report(scope.walk, "DITTO214", { span: shownSpan(node, scope.at.key, scope.walk), arguments: { place: scope.at.label } });
}

function checkNot(node: DocumentNode, schema: JsonSchema, scope: FormsScope): void {
  const trial = attempt(node, schema, scope);
  if (trial.diagnostics.length > 0 || trial.sawHole) return;
  const keys = schema.required ?? [];
  if (node.kind === "mapping" && keys.length > 1) {
    reportExclusive(node, keys, scope);
    return;
  }
  const hint = schema.enum === undefined ? undefined : `it cannot be ${describeSomeOf(schema.enum)}`;
  report(scope.walk, "DITTO214", { span: shownSpan(node, scope.at.key, scope.walk), arguments: { place: scope.at.label }, hint });
}

function checkIf(node: DocumentNode, schema: JsonSchema, scope: FormsScope): void {
  const trial = attempt(node, schema.if ?? {}, scope);
  if (trial.sawHole) return;
  const next = trial.diagnostics.length === 0 ? schema.then : schema.else;
  if (next !== undefined) scope.check(node, next, scope.at, scope.walk);
}

function attempt(node: DocumentNode, schema: JsonSchema, scope: FormsScope): NodeWalk {
  const trial = newWalk(scope.walk);
  scope.check(node, schema, scope.at, trial);
  return trial;
}

/** Of the forms that a node does not meet, reports the one that it comes closest to; where none is closer, names them all. */
function reportForms(node: DocumentNode, tried: { readonly forms: readonly JsonSchema[]; readonly trials: readonly NodeWalk[] }, scope: FormsScope): void {
  const { at, walk } = scope;
  const keys = requiredKeys(tried.forms);
  if (keys !== undefined && node.kind === "mapping") {
    const names = joined(keys.map((group) => group.map((key) => `"${key}"`).join(" with ")));
    report(walk, "DITTO222", { span: owningSpan(node, at.key, walk), arguments: { place: at.label, keys: names } });
    return;
  }
  const forms = tried.forms.map((form) => followRef(form, walk.root));
  const closest = closestTrials(node, forms, tried.trials);
  if (closest.length === 1 && closest[0] !== undefined) {
    joinWalk(walk, closest[0]);
    return;
  }
  const choice = closest.length === 0 ? choiceOf(node, forms) : undefined;
  if (choice !== undefined) {
    scope.check(choice.node, { enum: choice.values }, { ...at, label: choice.label ?? at.label }, walk);
    return;
  }
  const phrases = joined([...new Set(forms.map(describeSchema))]);
  report(walk, "DITTO212", { span: shownSpan(node, at.key, walk), arguments: { place: at.label, forms: phrases } });
}

/** Of the forms that fit the node's type and its fixed members, the walks with the fewest findings. */
function closestTrials(node: DocumentNode, forms: readonly JsonSchema[], trials: readonly NodeWalk[]): readonly NodeWalk[] {
  const close = trials.filter((_, index) => isNear(node, forms[index] ?? {}));
  const fewest = Math.min(...close.map((trial) => trial.diagnostics.length));
  return close.filter((trial) => trial.diagnostics.length === fewest);
}

function isNear(node: DocumentNode, form: JsonSchema): boolean {
  const types = [form.type ?? []].flat();
  if (node.kind === "sequence") return types.length === 0 ? form.enum === undefined : types.includes("array");
  if (node.kind === "scalar") return form.enum === undefined && form.const === undefined && types.includes(node.value === null ? "null" : typeof node.value);
  if (types.length > 0 && !types.includes("object")) return false;
  return (
    form.enum === undefined &&
    node.entries.every(({ key, value }) => {
      const fixed = form.properties?.[key.text]?.const;
      return fixed === undefined || isHole(value) || (value.kind === "scalar" && value.value === fixed);
    })
  );
}

/** Where only fixed values would fit: a text among several, or the member that tells forms of a mapping apart. */
function choiceOf(
  node: DocumentNode,
  forms: readonly JsonSchema[],
): { readonly node: DocumentNode; readonly values: readonly JsonValue[]; readonly label?: string } | undefined {
  if (node.kind === "scalar") {
    const values = forms.flatMap((form) => form.enum ?? (form.const === undefined ? [] : [form.const]));
    const near = nearestName(
      node.text,
      values.filter((value) => typeof value === "string"),
    );
    return near === undefined ? undefined : { node, values };
  }
  if (node.kind !== "mapping") return undefined;
  for (const { key, value } of node.entries) {
    const values = forms.map((form) => form.properties?.[key.text]?.const);
    if (values.every((fixed) => fixed !== undefined)) return { node: value, values: [...new Set(values)], label: key.text };
  }
  return undefined;
}

/** The keys of forms that only ask for keys; undefined for any other. */
function requiredKeys(forms: readonly JsonSchema[]): readonly (readonly string[])[] | undefined {
  const groups = forms.map((form) => (Object.keys(form).every((keyword) => keyword === "required") ? form.required : undefined));
  return groups.every((group) => group !== undefined) ? groups : undefined;
}

function reportExclusive(node: MappingNode, keys: readonly string[], { at, walk }: FormsScope): void {
  const written = node.entries.filter((entry) => keys.includes(entry.key.text)).map((entry) => entry.key);
  const [first, second] = written;
  if (first === undefined || second === undefined) return;
  const related = [{ file: walk.file, span: first.span, note: `"${first.text}" stands here` }];
  report(walk, "DITTO213", { span: second.span, arguments: { key: second.text, other: first.text, place: at.label }, related });
}

function entryKey(node: MappingNode, name: string): string | undefined {
  return node.entries.find((entry) => entry.key.text === name)?.key.text;
}
