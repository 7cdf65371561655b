import { nearestName } from "../base/nearest-names.ts";
import type { JsonSchema } from "../contracts/json-schema.ts";
import type { DocumentNode, Fix, ScalarNode } from "../document/document.ts";
import { quoteScalar } from "../document/quote-scalar.ts";
import { checkNumber, checkText } from "./check-scalar.ts";
import { describeNode, describeSchema, describeSomeOf } from "./describe-schema.ts";
import { type NodePlace, type NodeWalk, newWalk, report, shownSpan } from "./node-walk.ts";

interface Within {
  readonly at: NodePlace;
  readonly walk: NodeWalk;
}

/** Says that a node has the wrong type, with the repair where only its quotes are wrong. */
export function reportType(node: DocumentNode, schema: JsonSchema, { at, walk }: Within): void {
  const details = { span: shownSpan(node, at.key, walk), arguments: { place: at.label, expected: describeSchema(schema), found: describeNode(node) } };
  const types = [schema.type ?? []].flat();
  if (node.kind !== "scalar") {
    report(walk, "DITTO201", { ...details, hint: listHint(node, types) });
    return;
  }
  if (node.raw === "" && types.includes("object")) {
    report(walk, "DITTO201", { ...details, hint: "write {} where nothing is to be said" });
    return;
  }
  const fix = quotesFix(node, schema, { at, walk });
  const hint = fix === undefined ? undefined : `write ${fix.edits[0]?.text ?? ""}`;
  report(walk, "DITTO201", { ...details, fix, hint });
}

/** Says that a value is none of those allowed. */
export function reportChoice(node: DocumentNode, schema: JsonSchema, { at, walk }: Within): void {
  const span = shownSpan(node, at.key, walk);
  const found = describeNode(node);
  if (schema.const !== undefined) {
    report(walk, "DITTO201", { span, arguments: { place: at.label, expected: describeSchema({ const: schema.const }), found } });
    return;
  }
  const allowed = schema.enum ?? [];
  const texts = allowed.filter((value) => typeof value === "string");
  const suggestion = node.kind === "scalar" ? nearestName(node.text, texts) : undefined;
  const fix = suggestion === undefined || node.kind !== "scalar" ? undefined : replaceFix(node, suggestion);
  report(walk, "DITTO202", { span, arguments: { place: at.label, allowed: describeSomeOf(allowed), found }, suggestion, fix });
}

/** A single item where a list must stand, or the other way round. */
function listHint(node: DocumentNode, types: readonly string[]): string | undefined {
  if (node.kind === "mapping" && types.includes("array")) return 'begin each item of the list with "- "';
  return undefined;
}

/** A text written as a number or the other way round: quotes to add or to take away, where the value is then right. */
function quotesFix(node: ScalarNode, schema: JsonSchema, within: Within): Fix | undefined {
  const meant = otherReading(node, [schema.type ?? []].flat());
  if (meant === undefined || node.alias !== undefined) return undefined;
  const trial = newWalk(within.walk);
  const read: ScalarNode = { ...node, value: meant, text: String(meant) };
  if (typeof meant === "string") checkText(read, schema, { at: within.at, walk: trial });
  else if (typeof meant === "number") checkNumber(read, schema, { at: within.at, walk: trial });
  if (trial.diagnostics.length > 0) return undefined;
  if (typeof meant === "string") return { title: "Quote the text", edits: [{ span: node.span, text: quoteScalar(node.raw) }] };
  return { title: `Write ${meant}`, edits: [{ span: node.span, text: String(meant) }] };
}

const truths: Readonly<Record<string, boolean>> = { true: true, yes: true, on: true, false: false, no: false, off: false };

/** What the same characters would be as a value of one of these types. */
function otherReading({ value, text, raw, style }: ScalarNode, types: readonly string[]): string | number | boolean | undefined {
  if (typeof value === "number" || typeof value === "boolean") return types.includes("string") && style === "plain" ? raw : undefined;
  if (typeof value !== "string") return undefined;
  const number = types.includes("number") || types.includes("integer");
  if (number && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/u.test(text)) {
    return types.includes("number") || Number.isInteger(Number(text)) ? Number(text) : undefined;
  }
  return types.includes("boolean") && Object.hasOwn(truths, text.toLowerCase()) ? truths[text.toLowerCase()] : undefined;
}

function replaceFix(node: ScalarNode, text: string): Fix | undefined {
  if (node.style === "literal" || node.style === "folded" || node.alias !== undefined) return undefined;
  const quote = node.style === "single" ? "'" : node.style === "double" ? '"' : "";
  return { title: `Write ${text}`, edits: [{ span: node.span, text: `${quote}${text}${quote}` }] };
}
