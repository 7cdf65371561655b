import { nearestName } from "../../base/nearest-names.ts";
import type { JsonValue } from "../../contracts/json.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";
import { createDiagnostic, type Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { DocumentNode, ScalarNode, SourceFile } from "../../document/document.ts";
import { spanInSource } from "../../document/offset-in-source.ts";
import { splitScalar } from "../model/split-scalar.ts";
import type { Assembled, Named } from "../model/assembled.ts";
import { expressionDiagnostic } from "../model/expression-diagnostic.ts";
import { schemaOfValue } from "../model/schema-of-value.ts";

/** The variables of each file: their values, and schemas typed by them. */
export interface ResolvedVars {
  readonly values: ReadonlyMap<SourceFile, Readonly<Record<string, JsonValue>>>;
  readonly schemas: ReadonlyMap<SourceFile, Readonly<Record<string, JsonSchema>>>;
}

type Report = (diagnostic: Diagnostic) => void;

/** Reads `vars` of every file and puts the overrides in place of the main file's. */
export function resolveVars(
  assembled: Assembled,
  { overrides, report }: { readonly overrides: Readonly<Record<string, JsonValue>>; readonly report: Report },
): ResolvedVars {
  const values = new Map<SourceFile, Record<string, JsonValue>>();
  for (const [file, entries] of assembled.vars)
    values.set(file, Object.fromEntries(entries.map(({ name, node }) => [name, constantOf(node, { file, report })])));
  const own = values.get(assembled.main) ?? {};
  for (const [name, value] of Object.entries(overrides)) {
    const accepted = override({ name, value, own, assembled, report });
    if (accepted !== undefined) own[name] = accepted;
  }
  const schemas = new Map(
    [...values].map(([file, record]) => [file, Object.fromEntries(Object.entries(record).map(([name, value]) => [name, schemaOfValue(value)]))]),
  );
  return { values, schemas };
}

interface At {
  readonly file: SourceFile;
  readonly report: Report;
}

function constantOf(node: DocumentNode, at: At): JsonValue {
  if (node.kind === "sequence") return node.items.map((item) => constantOf(item, at));
  if (node.kind === "mapping") return Object.fromEntries(node.entries.map(({ key, value }) => [key.text, constantOf(value, at)]));
  return typeof node.value === "string" && node.value.includes("${") ? constantText(node, at) : node.value;
}

/** A variable is what everything else is made of: neither an expression nor a value from outside can stand for it. */
function constantText(node: ScalarNode, { file, report }: At): string {
  const { parts, problems } = splitScalar(node);
  for (const problem of problems) report(expressionDiagnostic(problem, { node, file, label: "vars" }));
  for (const part of parts) {
    const at = { file, span: spanInSource(node, part) };
    if (part.kind === "expression") report(createDiagnostic("DITTO412", { ...at, arguments: { place: "vars" }, hint: "write it where the variable is read" }));
    if (part.kind === "env")
      report(createDiagnostic("DITTO307", { ...at, arguments: { form: "an environment variable" }, hint: "write it where it is needed, under `resources`" }));
    if (part.kind === "file")
      report(createDiagnostic("DITTO307", { ...at, arguments: { form: "a file's text" }, hint: "write it where it is needed, under `resources`" }));
  }
  return parts.map((part) => (part.kind === "text" ? part.text : "")).join("");
}

interface Override {
  readonly name: string;
  readonly value: JsonValue;
  readonly own: Readonly<Record<string, JsonValue>>;
  readonly assembled: Assembled;
  readonly report: Report;
}

function override({ name, value, own, assembled, report }: Override): JsonValue | undefined {
  const file = assembled.main;
  const declared: Named | undefined = assembled.vars.get(file)?.find((entry) => entry.name === name);
  const current = own[name];
  if (declared === undefined || current === undefined) {
    const suggestion = nearestName(name, Object.keys(own));
    const names = Object.keys(own);
    const hint = suggestion !== undefined ? undefined : names.length === 0 ? "the file declares no `vars`" : `declared are ${names.slice(0, 8).join(", ")}`;
    report(createDiagnostic("DITTO311", { file, span: { start: 0, end: 0 }, arguments: { name }, suggestion, hint }));
    return undefined;
  }
  const converted = typeof value === "string" ? fromText(value, current) : value;
  // A variable without a value of its own takes any.
  if (current === null || typeName(converted) === typeName(current)) return converted;
  report(createDiagnostic("DITTO312", { file, span: declared.key.span, arguments: { name, expected: typeName(current), found: typeName(converted) } }));
  return undefined;
}

/** `--set limit=20` gives a text; it becomes what the declared value is. */
function fromText(text: string, like: JsonValue): JsonValue {
  if (typeof like === "string") return text;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

function typeName(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "a mapping" : `a ${typeof value}`;
}
