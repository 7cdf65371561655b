import { identifierPattern } from "../../../schema/patterns.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";
import { createDiagnostic, type Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { DocumentNode, KeyNode, SourceFile } from "../../document/document.ts";
import { reservedNames } from "../../expression/functions/function-table.ts";
import { memberSchema } from "../model/member-schema.ts";

/** Names that every graph's expressions see besides its nodes. */
const graphWords: ReadonlySet<string> = new Set(["input", "vars", "now"]);
const things: Readonly<Record<string, string>> = { vars: "a variable", nodes: "a node", fields: "a field" };

interface NameCheck {
  readonly schema: JsonSchema;
  readonly file: SourceFile;
  readonly report: (diagnostic: Diagnostic) => void;
}

/**
 * Reports names that expressions could not read: words of the expression language, and for a graph's nodes the words of its place.
 *
 * @param node A file's mapping, or a component's configuration.
 * @param check Its schema tells where such names stand.
 */
export function reportReservedNames(node: DocumentNode, check: NameCheck): void {
  visit(node, undefined, check);
}

function visit(node: DocumentNode, key: KeyNode | undefined, check: NameCheck): void {
  const { schema } = check;
  if (!holdsNames(schema)) return;
  if (schema["x-ditto-slot"] !== undefined || schema["x-ditto-place"] !== undefined || schema["x-ditto-schema"] === true) return;
  if (node.kind === "sequence") for (const item of node.items) visitMember(item, { step: 0, key: undefined }, check);
  if (node.kind !== "mapping") return;
  const names = schema.propertyNames?.pattern === identifierPattern;
  for (const entry of node.entries) {
    if (names) checkName(entry.key, key?.text ?? "", check);
    visitMember(entry.value, { step: entry.key.text, key: entry.key }, check);
  }
}

const holders = new WeakMap<JsonSchema, boolean>();

/** Whether names that expressions read can stand in or below what a schema speaks of: most schemas hold none. */
function holdsNames(schema: JsonSchema): boolean {
  const found = holders.get(schema);
  if (found !== undefined) return found;
  // A schema that holds itself is not asked a second time.
  holders.set(schema, false);
  const { properties = {}, patternProperties = {}, additionalProperties, items, allOf = [], anyOf = [], oneOf = [] } = schema;
  const below = [...Object.values(properties), ...Object.values(patternProperties), additionalProperties, ...[items].flat(), ...allOf, ...anyOf, ...oneOf];
  const holds = schema.propertyNames?.pattern === identifierPattern || below.some((member) => typeof member === "object" && holdsNames(member as JsonSchema));
  holders.set(schema, holds);
  return holds;
}

function visitMember(node: DocumentNode, { step, key }: { readonly step: string | number; readonly key: KeyNode | undefined }, check: NameCheck): void {
  const schema = memberSchema(check.schema, step)?.schema;
  if (schema !== undefined) visit(node, key, { ...check, schema });
}

function checkName(key: KeyNode, section: string, { file, report }: NameCheck): void {
  if (!reservedNames.has(key.text) && !(section === "nodes" && graphWords.has(key.text))) return;
  const hint = graphWords.has(key.text)
    ? "expressions of a graph see `input`, `vars` and `now` by these names"
    : "the expression language has a meaning for it";
  report(createDiagnostic("DITTO219", { file, span: key.span, arguments: { name: key.text, what: things[section] ?? "anything here" }, hint }));
}
