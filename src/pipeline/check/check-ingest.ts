import { resolve as resolvePath } from "node:path";
import { nearestName } from "../../base/nearest-names.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";
import { createDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { DocumentNode } from "../../document/document.ts";
import type { Named } from "../model/assembled.ts";
import { aRole } from "../model/a-role.ts";
import { member, stringValue } from "../model/node-access.ts";
import type { PlanIngest, PlanTemplate } from "../model/plan.ts";
import type { Resolved } from "../model/resolved.ts";
import type { CheckScope } from "./check-scope.ts";
import { checkTemplate } from "./check-template.ts";
import { jsonSchemaOf } from "./json-schema-of.ts";
import { readTemplate } from "./read-template.ts";

/** Judges an `ingest` entry. */
export function checkIngest(named: Named, { resolved, scope }: { readonly resolved: Resolved; readonly scope: CheckScope }): PlanIngest | undefined {
  const { node, file } = named;
  if (node.kind !== "mapping") return undefined;
  const input = jsonSchemaOf(member(node, "input"), { file, label: "input", report: scope.report });
  const names = { vars: scope.varsSchema(file), input: input ?? {} };
  const part = (key: string, schema: JsonSchema): PlanTemplate | undefined => {
    const written = member(node, key);
    if (written === undefined) return undefined;
    const template = readTemplate(written, { file, label: key, report: scope.report });
    checkTemplate(template, { names, functions: scope.functions, schema, label: key, report: scope.report, uses: scope.uses, atRunTime: scope.atRunTime });
    return { template, annotation: { sees: ["input"] }, schema, label: key };
  };
  const [id, content, metadata] = [part("id", { type: "string" }), part("content", {}), part("metadata", { type: "object", additionalProperties: true })];
  const into = collections(member(node, "into"), { named, resolved, scope });
  const records = stringValue(member(node, "records"));
  const fill = member(node, "fill");
  if (id === undefined || content === undefined) return undefined;
  return {
    name: named.name,
    into,
    input,
    id,
    content,
    metadata,
    chunk: chunkOptions(member(node, "chunk")),
    records: records === undefined ? undefined : resolvePath(resolved.validated.assembled.folders.get(file) ?? "", records),
    fill: fill?.kind === "scalar" && fill.value === true,
  };
}

function collections(
  node: DocumentNode | undefined,
  { named, resolved, scope }: { readonly named: Named; readonly resolved: Resolved; readonly scope: CheckScope },
): PlanIngest["into"] {
  const items = node === undefined ? [] : node.kind === "sequence" ? node.items : [node];
  const { resources } = resolved.validated;
  const legal = [...resources.values()].filter((shape) => shape.role === "collection").map((shape) => shape.name);
  return items.flatMap((item) => {
    const name = stringValue(item);
    if (name === undefined) return [];
    const shape = resources.get(name);
    const at = { file: named.file, span: item.span };
    if (shape === undefined) {
      const suggestion = nearestName(name, legal);
      scope.report(createDiagnostic("DITTO301", { ...at, arguments: { role: "collection", name }, suggestion, hint: suggestion === undefined ? `there are ${legal.slice(0, 8).join(", ")}` : undefined }));
      return [];
    }
    if (shape.role !== undefined && shape.role !== "collection") {
      scope.report(createDiagnostic("DITTO302", { ...at, arguments: { name, found: aRole(shape.role), place: "into", role: "a collection" } }));
      return [];
    }
    return [{ name, id: shape.id }];
  });
}

function chunkOptions(node: DocumentNode | undefined): PlanIngest["chunk"] {
  const text = node?.kind === "mapping" ? member(node, "text") : undefined;
  if (text?.kind !== "mapping") return undefined;
  const number = (key: string, fallback: number): number => {
    const found = member(text, key);
    return found?.kind === "scalar" && typeof found.value === "number" ? found.value : fallback;
  };
  return { size: number("size", 400), overlap: number("overlap", 0), unit: stringValue(member(text, "unit")) === "tokens" ? "tokens" : "characters" };
}
