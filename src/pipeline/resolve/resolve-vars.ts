import { nearestName } from "../../base/nearest-names.ts";
import type { JsonValue } from "../../contracts/json.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";
import { createDiagnostic, type Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { SourceFile } from "../../document/document.ts";
import { nodeValue } from "../../document/node-value.ts";
import type { Assembled, Named } from "../model/assembled.ts";
import { schemaOfValue } from "../model/schema-of-value.ts";

/** The variables of each file: their values, and schemas typed by them. */
export interface ResolvedVars {
  readonly values: ReadonlyMap<SourceFile, Readonly<Record<string, JsonValue>>>;
  readonly schemas: ReadonlyMap<SourceFile, Readonly<Record<string, JsonSchema>>>;
}

/** Reads `vars` of every file and puts the overrides in place of the main file's. */
export function resolveVars(
  assembled: Assembled,
  { overrides, report }: { readonly overrides: Readonly<Record<string, JsonValue>>; readonly report: (diagnostic: Diagnostic) => void },
): ResolvedVars {
  const values = new Map<SourceFile, Record<string, JsonValue>>();
  for (const [file, entries] of assembled.vars) values.set(file, Object.fromEntries(entries.map(({ name, node }) => [name, nodeValue(node)])));
  const own = values.get(assembled.main) ?? {};
  for (const [name, value] of Object.entries(overrides)) {
    const accepted = override({ name, value, own, assembled, report });
    if (accepted !== undefined) own[name] = accepted;
  }
  const schemas = new Map([...values].map(([file, record]) => [file, Object.fromEntries(Object.entries(record).map(([name, value]) => [name, schemaOfValue(value)]))]));
  return { values, schemas };
}

interface Override {
  readonly name: string;
  readonly value: JsonValue;
  readonly own: Readonly<Record<string, JsonValue>>;
  readonly assembled: Assembled;
  readonly report: (diagnostic: Diagnostic) => void;
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
  if (typeName(converted) === typeName(current)) return converted;
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
