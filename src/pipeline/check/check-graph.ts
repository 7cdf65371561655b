import { identifierPattern } from "../../../schema/patterns.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";
import { createDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { DocumentNode, MappingNode } from "../../document/document.ts";
import { entryOf } from "../../document/find-node.ts";
import { reservedNames } from "../../expression/functions/function-table.ts";
import type { Named } from "../model/assembled.ts";
import { member, stringValue } from "../model/node-access.ts";
import type { PlanGraph, PlanNode, PlanTemplate } from "../model/plan.ts";
import { templateNames } from "../model/template-names.ts";
import { checkTemplate } from "./check-template.ts";
import { checkRepeat } from "./check-repeat.ts";
import type { CheckScope } from "./check-scope.ts";
import { nodeContract } from "./node-contract.ts";
import { jsonSchemaOf } from "./json-schema-of.ts";
import { expressionsOf } from "../model/expressions-of.ts";
import { readTemplate } from "./read-template.ts";
import { sortNodes, type UnsortedNode } from "./sort-nodes.ts";

const graphPlace = { sees: ["input"] } as const;

/** Judges a graph: its nodes, their order, and every expression in it. */
export function checkGraph(named: Named, scope: CheckScope): PlanGraph | undefined {
  if (named.node.kind !== "mapping") return undefined;
  const { node, file } = named;
  const input = jsonSchemaOf(member(node, "input"), { file, label: "input", report: scope.report }) ?? {};
  const unsorted = readNodes(node, { named, scope });
  const sorted = sortNodes(unsorted, { file, ids: new Set(nodeIds(node)), report: scope.report });
  const known: Record<string, JsonSchema> = { vars: scope.varsSchema(file), now: { type: "number" }, input };
  const optional: string[] = [];
  const reserved = new Set(Object.keys(known));
  for (const id of nodeIds(node)) if (!reserved.has(id)) known[id] = {};

  const nodes: PlanNode[] = [];
  for (const item of sorted) {
    const judged = checkNode(item, { names: known, optional, named, scope });
    // A node that is called like what every graph sees was reported, and is not what its readers mean.
    if (!reserved.has(item.id)) known[item.id] = judged.result;
    if (item.when !== undefined || item.allowFailure) optional.push(item.id);
    nodes.push(judged.node);
  }
  // What waits in a circle was reported; the rest is judged with it being dynamic.
  const done = new Set(sorted.map(({ id }) => id));
  for (const item of unsorted) if (!done.has(item.id)) checkNode(item, { names: known, optional, named, scope });

  const output = member(node, "output");
  if (output === undefined) return undefined;
  const names = { names: known, optionalNames: optional };
  const planOutput = template(output, { label: "output", schema: {} }, { named, scope });
  const result = checkTemplate(planOutput.template, {
    ...names,
    functions: scope.functions,
    schema: {},
    label: "output",
    report: scope.report,
    uses: scope.uses,
    atRunTime: scope.atRunTime,
  });
  reportUnread(unsorted, { output: planOutput, named, scope });
  if (member(node, "repeat") !== undefined)
    checkRepeat(named.name, { input, output: result, file, span: entryOf(node, "output")?.key.span ?? output.span, scope });
  const repeat = readRepeat(node, { named, scope, names: { vars: scope.varsSchema(file), now: { type: "number" }, input, output: result } });
  return { name: named.name, input, nodes, output: planOutput, result, repeat, place: { file, span: named.key.span } };
}

/** A value has no effect but to be read. */
function reportUnread(nodes: readonly UnsortedNode[], { output, named, scope }: Within & { readonly output: PlanTemplate }): void {
  const parts = [output, ...nodes.flatMap(({ template: body, when }) => (when === undefined ? [body] : [body, when]))];
  // What cannot be read as an expression may name anything.
  if (parts.some((part) => [...expressionsOf(part.template)].some(({ part: { parsed } }) => parsed === undefined))) return;
  const read = new Set([...templateNames(output.template), ...nodes.flatMap(({ reads }) => reads)]);
  for (const { id, key, node } of nodes) {
    if (node === undefined && !read.has(id) && isReadable(id))
      scope.report(createDiagnostic("DITTO508", { file: named.file, span: key.span, arguments: { id } }));
  }
}

/** What expressions cannot name was reported as such. */
function isReadable(id: string): boolean {
  return new RegExp(identifierPattern, "u").test(id) && !reservedNames.has(id) && !["input", "vars", "now"].includes(id);
}

interface Within {
  readonly named: Named;
  readonly scope: CheckScope;
}

function template(node: DocumentNode, what: { readonly label: string; readonly schema: JsonSchema }, { named, scope }: Within): PlanTemplate {
  const read = readTemplate(node, { file: named.file, label: what.label, report: scope.report });
  return { template: read, annotation: graphPlace, schema: what.schema, label: what.label };
}

/** Every name under `nodes`, also of what is no node: that was reported, and is there all the same. */
function nodeIds(graph: MappingNode): readonly string[] {
  const nodes = member(graph, "nodes");
  return nodes?.kind === "mapping" ? nodes.entries.map(({ key }) => key.text) : [];
}

function readNodes(graph: MappingNode, within: Within): UnsortedNode[] {
  const nodes = member(graph, "nodes");
  if (nodes?.kind !== "mapping") return [];
  const ids = new Set(nodes.entries.map(({ key }) => key.text));
  return nodes.entries.flatMap(({ key, value }) => {
    if (value.kind !== "mapping") return [];
    const [type, given, when, after] = [entryOf(value, "node"), entryOf(value, "value"), member(value, "when"), member(value, "after")];
    if ((type === undefined) === (given === undefined)) {
      const span = type === undefined ? key.span : (given as { readonly key: typeof key }).key.span;
      within.scope.report(createDiagnostic("DITTO504", { file: within.named.file, span, arguments: { id: key.text } }));
    }
    const body = type === undefined ? given?.value : (member(value, "input") ?? { kind: "mapping", span: key.span, entries: [], flow: true });
    if (body === undefined) return [];
    const contract = type === undefined ? undefined : nodeContract(type.value, { file: within.named.file, scope: within.scope });
    const planTemplate = template(body, { label: type === undefined ? "value" : "input", schema: contract?.input ?? {} }, within);
    const planWhen = when === undefined ? undefined : template(when, { label: "when", schema: { type: "boolean" } }, within);
    const reads = [...new Set([planTemplate, planWhen].flatMap((part) => (part === undefined ? [] : [...templateNames(part.template)])))].filter((name) =>
      ids.has(name),
    );
    return [
      {
        id: key.text,
        key,
        node: type === undefined ? undefined : stringValue(type.value),
        contract,
        template: planTemplate,
        when: planWhen,
        reads,
        after: after?.kind === "sequence" ? after.items : [],
        allowFailure: booleanValue(member(value, "allowFailure")),
        timeoutMs: numberValue(member(value, "timeoutMs")),
        worker: type === undefined ? undefined : member(value, "worker"),
      },
    ];
  });
}

function checkNode(
  item: UnsortedNode,
  at: Within & { readonly names: Readonly<Record<string, JsonSchema>>; readonly optional: readonly string[] },
): { readonly node: PlanNode; readonly result: JsonSchema } {
  const { scope, named } = at;
  const common = {
    names: at.names,
    optionalNames: at.optional,
    functions: scope.functions,
    report: scope.report,
    uses: scope.uses,
    atRunTime: scope.atRunTime,
  };
  if (item.when !== undefined) checkTemplate(item.when.template, { ...common, schema: item.when.schema, label: item.when.label });
  const value = checkTemplate(item.template.template, { ...common, schema: item.template.schema, label: item.template.label });
  const worker = scope.worker(item.worker, { node: item.node, file: named.file });
  return {
    result: item.node === undefined ? value : (item.contract?.result ?? {}),
    node: {
      id: item.id,
      node: item.node,
      template: item.template,
      when: item.when,
      dependencies: item.dependencies ?? item.reads,
      reads: item.reads,
      result: item.node === undefined ? value : (item.contract?.result ?? {}),
      allowFailure: item.allowFailure,
      timeoutMs: item.timeoutMs,
      worker,
      place: { file: named.file, span: item.key.span },
    },
  };
}

function readRepeat(graph: MappingNode, at: Within & { readonly names: Readonly<Record<string, JsonSchema>> }): PlanGraph["repeat"] {
  const node = member(graph, "repeat");
  const until = node?.kind === "mapping" ? member(node, "until") : undefined;
  if (node?.kind !== "mapping" || until === undefined) return undefined;
  const planUntil = template(until, { label: "until", schema: { type: "boolean" } }, at);
  checkTemplate(planUntil.template, {
    names: at.names,
    functions: at.scope.functions,
    schema: planUntil.schema,
    label: "until",
    report: at.scope.report,
    uses: at.scope.uses,
    atRunTime: at.scope.atRunTime,
  });
  return { until: planUntil, max: numberValue(member(node, "max")) };
}

function booleanValue(node: DocumentNode | undefined): boolean {
  return node?.kind === "scalar" && node.value === true;
}

function numberValue(node: DocumentNode | undefined): number | undefined {
  return node?.kind === "scalar" && typeof node.value === "number" ? node.value : undefined;
}
