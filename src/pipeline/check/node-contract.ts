import { nodeSchemas } from "../../../schema/nodes.ts";
import { nearestName } from "../../base/nearest-names.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";
import { createDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { DocumentNode, SourceFile } from "../../document/document.ts";
import { spanInSource } from "../../document/offset-in-source.ts";
import { stringValue } from "../model/node-access.ts";
import type { CheckScope } from "./check-scope.ts";

/** What graphs know of a node. */
export interface NodeContractFacts {
  readonly input: JsonSchema;
  /** What an expression sees after success: MEMORY and RETRIEVAL nodes wrap their output, CONTEXT nodes give it as it is. */
  readonly result: JsonSchema;
}

/** Finds a node's contract; a node that nobody serves here is reported. */
export function nodeContract(type: DocumentNode, { file, scope }: { readonly file: SourceFile; readonly scope: CheckScope }): NodeContractFacts | undefined {
  const name = stringValue(type);
  if (name === undefined) return undefined;
  if (!scope.serves(name)) {
    const known = new Set([...Object.keys(nodeSchemas), ...scope.registry.nodes.keys()]);
    const suggestion = nearestName(name, known);
    const missing: Record<string, string> = { MEMORY: "`memory`", RETRIEVAL: "`targets`" };
    const section = known.has(name) ? missing[name.split(".")[0] ?? ""] : undefined;
    const hint = section === undefined ? undefined : `this file serves it once it has ${section}`;
    const meant = known.has(name) ? undefined : suggestion;
    const fix =
      meant === undefined || type.kind !== "scalar" || type.alias !== undefined
        ? undefined
        : { title: `write ${meant}`, edits: [{ span: spanInSource(type, { start: 0, end: type.text.length }), text: meant }] };
    scope.report(createDiagnostic("DITTO503", { file, span: type.span, arguments: { node: name }, suggestion: meant, hint, fix }));
  }
  return contracts.get(name) ?? pluginContract(name, scope);
}

const contracts: ReadonlyMap<string, NodeContractFacts> = new Map(
  Object.entries(nodeSchemas).map(([node, { input, output }]) => [node, { input, result: output }]),
);

function pluginContract(name: string, { registry }: CheckScope): NodeContractFacts | undefined {
  const schemas = registry.nodes.get(name);
  return schemas === undefined ? undefined : { input: schemas.input, result: schemas.output };
}
