import { nearestName } from "../base/nearest-names.ts";
import type { JsonSchema } from "../contracts/json-schema.ts";
import type { DocumentNode, Fix, ScalarNode } from "../document/document.ts";
import { quoteScalar } from "../document/quote-scalar.ts";
import { describeChoice, describeNode, describeSchema } from "./describe-schema.ts";
import { type NodePlace, type NodeWalk, report, shownSpan } from "./node-walk.ts";

interface Within {
  readonly at: NodePlace;
  readonly walk: NodeWalk;
}

/** Says that a node has the wrong type, with the repair where only its quotes are wrong. */
export function reportType(node: DocumentNode, schema: JsonSchema, { at, walk }: Within): void {
  const details = { span: shownSpan(node, at.key, walk), arguments: { place: at.label, expected: describeSchema(schema), found: describeNode(node) } };
  const types = [schema.type ?? []].flat();
  if (node.kind !== "scalar") return report(walk, "DITTO201", { ...details, hint: listHint(node, types) });
  if (node.raw === "" && types.includes("object")) return report(walk, "DITTO201", { ...details, hint: "write {} where nothing is to be said" });
  const fix = quotesFix(node, types);
  const hint = fix === undefined ? undefined : `write ${fix.edits[0]?.text ?? ""}`;
  report(walk, "DITTO201", { ...details, fix, hint });
}

/** Says that a value is none of those allowed. */
export function reportChoice(node: DocumentNode, schema: JsonSchema, { at, walk }: Within): void {
  const span = shownSpan(node, at.key, walk);
  const found = describeNode(node);
  if (schema.const !== undefined) {
    return report(walk, "DITTO201", { span, arguments: { place: at.label, expected: describeSchema({ const: schema.const }), found } });
  }
  const allowed = schema.enum ?? [];
  const texts = allowed.filter((value) => typeof value === "string");
  const suggestion = node.kind === "scalar" ? nearestName(node.text, texts) : undefined;
  const fix = suggestion === undefined || node.kind !== "scalar" ? undefined : replaceFix(node, suggestion);
  report(walk, "DITTO202", { span, arguments: { place: at.label, allowed: describeChoice(allowed), found }, suggestion, fix });
}

/** A single item where a list must stand, or the other way round. */
function listHint(node: DocumentNode, types: readonly string[]): string | undefined {
  if (node.kind === "mapping" && types.includes("array")) return 'begin each item of the list with "- "';
  return undefined;
}

/** A text written as a number or the other way round: quotes to add or to take away. */
function quotesFix(node: ScalarNode, types: readonly string[]): Fix | undefined {
  const { value, span, style, text } = node;
  if (node.alias !== undefined) return undefined;
  if (types.includes("string") && (typeof value === "number" || typeof value === "boolean") && style === "plain") {
    return { title: "Quote the text", edits: [{ span, text: quoteScalar(node.raw) }] };
  }
  if (typeof value !== "string") return undefined;
  const number = (types.includes("number") || types.includes("integer")) && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/u.test(text);
  const truth = types.includes("boolean") && /^(?:true|false)$/iu.test(text);
  if (number || truth) return { title: "Take the quotes away", edits: [{ span, text: text.toLowerCase() }] };
  const word = types.includes("boolean") ? { yes: "true", on: "true", no: "false", off: "false" }[text.toLowerCase()] : undefined;
  return word === undefined ? undefined : { title: `Write ${word}`, edits: [{ span, text: word }] };
}

function replaceFix(node: ScalarNode, text: string): Fix | undefined {
  if (node.style === "literal" || node.style === "folded" || node.alias !== undefined) return undefined;
  const quote = node.style === "single" ? "'" : node.style === "double" ? '"' : "";
  return { title: `Write ${text}`, edits: [{ span: node.span, text: `${quote}${text}${quote}` }] };
}
