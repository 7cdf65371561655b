import { jsonSchemaForm } from "../../schema/json-schema-form.ts";
import { nearestName } from "../base/nearest-names.ts";
import type { JsonSchema } from "../contracts/json-schema.ts";
import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { DocumentNode, ScalarNode, SourceFile } from "../document/document.ts";
import { entryOf } from "../document/find-node.ts";
import { compilePattern } from "./matches-pattern.ts";
import { isHole } from "./node-walk.ts";
import { validateNode } from "./validate-node.ts";

/** Keywords whose values are data or prose, where `${` means nothing. */
const data: ReadonlySet<string> = new Set(["description", "title", "default", "const", "enum", "examples", "pattern", "$comment"]);

/**
 * Judges a JSON Schema that an author wrote in a file.
 *
 * @param node The schema as it stands.
 * @param at `file`, how diagnostics name the schema, and the form of schemas where it is not the usual one.
 * @returns What is wrong: unknown keywords, wrong values, patterns that are no regular expressions, references that lead nowhere.
 */
export function checkSchemaNode(
  node: DocumentNode,
  at: { readonly file: SourceFile; readonly place: string; readonly form?: JsonSchema | undefined },
): readonly Diagnostic[] {
  const found = [...validateNode(node, at.form ?? jsonSchemaForm, at)];
  checkBelow(node, { ...at, root: node, found });
  return found;
}

interface SchemaCheck {
  readonly file: SourceFile;
  readonly place: string;
  readonly root: DocumentNode;
  readonly found: Diagnostic[];
}

function checkBelow(node: DocumentNode, check: SchemaCheck): void {
  if (node.kind === "sequence") for (const item of node.items) checkBelow(item, check);
  if (node.kind !== "mapping") return;
  for (const { key, value } of node.entries) {
    if (value.kind === "scalar") checkKeyword(key.text, value, check);
    if (!data.has(key.text)) checkBelow(value, check);
  }
}

function checkKeyword(keyword: string, value: ScalarNode, { file, place, root, found }: SchemaCheck): void {
  if (typeof value.value !== "string") return;
  const wrong = (problem: string, suggestion?: string): void => {
    found.push(createDiagnostic("DITTO221", { file, span: value.span, arguments: { place, problem }, suggestion }));
  };
  if (!data.has(keyword) && isHole(value)) found.push(createDiagnostic("DITTO412", { file, span: value.span, arguments: { place: keyword } }));
  else if (keyword === "pattern" && compilePattern(value.text) === undefined) wrong("the pattern is no regular expression");
  else if (keyword === "$ref") {
    const name = /^#\/definitions\/([^/]+)$/u.exec(value.text)?.[1];
    const definitions = entryOf(root, "definitions")?.value;
    if (value.text === "#") return;
    if (name === undefined) wrong("a $ref leads to # or to #/definitions/NAME");
    else if (entryOf(definitions, name) === undefined) {
      const names = definitions?.kind === "mapping" ? definitions.entries.map((entry) => entry.key.text) : [];
      const near = nearestName(name, names);
      wrong(`there is no definition "${name}"`, near === undefined ? undefined : `#/definitions/${near}`);
    }
  }
}
