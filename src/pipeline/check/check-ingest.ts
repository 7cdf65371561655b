import { resolve as resolvePath } from "node:path";
import { namePattern } from "../../../schema/patterns.ts";
import { nearestName } from "../../base/nearest-names.ts";
import type { ComponentFacts } from "../../contracts/component-facts.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";
import { createDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { DocumentNode, SourceFile } from "../../document/document.ts";
import { entryOf } from "../../document/find-node.ts";
import { spanInSource } from "../../document/offset-in-source.ts";
import { matchesPattern } from "../../validation/matches-pattern.ts";
import type { Named } from "../model/assembled.ts";
import { aRole } from "../model/a-role.ts";
import { member, stringValue } from "../model/node-access.ts";
import type { PlanIngest, PlanTemplate } from "../model/plan.ts";
import type { Resolved } from "../model/resolved.ts";
import type { CheckScope } from "./check-scope.ts";
import { checkTemplate } from "./check-template.ts";
import { jsonSchemaOf } from "./json-schema-of.ts";
import { readTemplate } from "./read-template.ts";
import { recordSchema } from "./record-schema.ts";

/** What an ingest is judged with. */
interface IngestScope {
  readonly resolved: Resolved;
  readonly scope: CheckScope;
  /** Facts of the components, by id. */
  readonly known: ReadonlyMap<string, ComponentFacts>;
}

/** Judges an `ingest` entry: where it writes, and whether what it makes of a record is what is kept there. */
export function checkIngest(named: Named, { resolved, scope, known }: IngestScope): PlanIngest | undefined {
  const { node, file } = named;
  if (node.kind !== "mapping") return undefined;
  const input = jsonSchemaOf(member(node, "input"), { file, label: "input", report: scope.report });
  const names = { vars: scope.varsSchema(file), now: { type: "number" } as const, input: input ?? {} };
  const part = (key: string, schema: JsonSchema): PlanTemplate | undefined => {
    const written = member(node, key);
    if (written === undefined) return undefined;
    const template = readTemplate(written, { file, label: key, report: scope.report });
    checkTemplate(template, { names, functions: scope.functions, schema, label: key, report: scope.report, uses: scope.uses, atRunTime: scope.atRunTime });
    return { template, annotation: { sees: ["input"] }, schema, label: key };
  };
  const into = collections(member(node, "into"), { named, resolved, scope });
  const kept = recordSchema(into.map(({ id }) => known.get(id)?.collection));
  const [id, content, metadata] = [part("id", { type: "string" }), part("content", {}), part("metadata", kept)];
  if (metadata === undefined)
    for (const key of kept.required ?? []) scope.report(createDiagnostic("DITTO420", { file, span: named.key.span, arguments: { place: "metadata", key } }));
  const chunk = chunkOptions(node, { file, scope });
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
    chunk,
    records: records === undefined ? undefined : resolvePath(resolved.validated.assembled.folders.get(file) ?? "", records),
    fill: fill?.kind === "scalar" && fill.value === true,
  };
}

function collections(
  node: DocumentNode | undefined,
  { named, resolved, scope }: { readonly named: Named; readonly resolved: Resolved; readonly scope: CheckScope },
): PlanIngest["into"] {
  const items = node === undefined ? [] : node.kind === "sequence" ? node.items : [node];
  const { resources, assembled } = resolved.validated;
  const legal = [...resources.values()].filter((shape) => shape.role === "collection").map((shape) => shape.name);
  return items.flatMap((item) => {
    const name = stringValue(item);
    if (name === undefined || !matchesPattern(name, namePattern)) return [];
    const shape = resources.get(name);
    const at = { file: named.file, span: item.span };
    if (shape === undefined) {
      // It is no component, or stands in a file that could not be read, which was reported.
      if (assembled.incomplete.has("resources") || assembled.resources.some((declared) => declared.name === name)) return [];
      const suggestion = nearestName(name, legal);
      scope.report(
        createDiagnostic("DITTO301", {
          ...at,
          arguments: { role: "collection", name },
          suggestion,
          hint: suggestion === undefined ? (legal.length === 0 ? "the file declares no collection" : `there are ${legal.slice(0, 8).join(", ")}`) : undefined,
          fix:
            suggestion === undefined || item.kind !== "scalar" || item.alias !== undefined
              ? undefined
              : { title: `write "${suggestion}"`, edits: [{ span: spanInSource(item, { start: 0, end: item.text.length }), text: suggestion }] },
        }),
      );
      return [];
    }
    if (shape.role !== undefined && shape.role !== "collection") {
      scope.report(
        createDiagnostic("DITTO302", {
          ...at,
          arguments: { name, found: aRole(shape.role), place: "into", role: "a collection" },
          hint: legal.length === 0 ? undefined : `there are ${legal.slice(0, 8).join(", ")}`,
        }),
      );
      return [];
    }
    return [{ name, id: shape.id }];
  });
}

function chunkOptions(ingest: DocumentNode, { file, scope }: { readonly file: SourceFile; readonly scope: CheckScope }): PlanIngest["chunk"] {
  const text = member(member(ingest, "chunk"), "text");
  if (text?.kind !== "mapping") return undefined;
  const number = (key: string, fallback: number): number => {
    const found = member(text, key);
    return found?.kind === "scalar" && typeof found.value === "number" ? found.value : fallback;
  };
  const [size, overlap] = [number("size", Number.POSITIVE_INFINITY), number("overlap", 0)];
  const written = entryOf(text, "overlap");
  if (overlap >= size && written !== undefined) {
    scope.report(
      createDiagnostic("DITTO217", {
        file,
        span: written.value.span,
        arguments: { finding: `overlap must be smaller than size, and ${overlap} is not smaller than ${size}` },
      }),
    );
  }
  return { size, overlap, unit: stringValue(member(text, "unit")) === "tokens" ? "tokens" : "characters" };
}
