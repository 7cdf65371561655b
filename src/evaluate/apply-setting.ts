import { applyEdits } from "../document/apply-edits.ts";
import type { DocumentNode, MappingEntry, MappingNode, TextEdit } from "../document/document.ts";
import { entryOf } from "../document/find-node.ts";
import { parseDocument } from "../document/parse-document.ts";
import { findSetting, type SettingPlace, type TunedStrategy } from "./find-setting.ts";
import type { SweepSetting, SweepValue } from "./sweep-axis.ts";

/**
 * Writes a setting into a file's text and changes nothing else: comments, order and layout stay.
 *
 * `rrfK` has no meaning with `fusion: minmax`: it is not written then, and one that stands there is taken out.
 *
 * @param text The file.
 * @param setting Values by the names that {@link findSetting} knows.
 * @returns The new text, or what is wrong with the setting.
 */
export function applySetting(text: string, setting: SweepSetting, strategy: TunedStrategy): { readonly text: string } | { readonly problem: string } {
  let current = text;
  for (const [name, value] of Object.entries(setting)) {
    if (name === "rrfK" && setting["fusion"] === "minmax") continue;
    const { root } = parseDocument({ path: "", text: current });
    if (root === undefined) return { problem: "the file cannot be read" };
    const place = findSetting(root, name, strategy);
    if ("problem" in place) return { problem: `${name}: ${place.problem}` };
    const edits = editsFor(current, place, value);
    if ("problem" in edits) return { problem: `${name}: ${edits.problem}` };
    current = applyEdits(current, edits);
  }
  return { text: current };
}

function editsFor(text: string, { mapping, key }: SettingPlace, value: SweepValue): readonly TextEdit[] | { readonly problem: string } {
  const written = typeof value === "string" && !/^[A-Za-z][\w./-]*$/u.test(value) ? JSON.stringify(value) : String(value);
  if (mapping.kind === "scalar" && mapping.value === null) return [{ span: mapping.span, text: `${mapping.raw === "" ? " " : ""}{ ${key}: ${written} }` }];
  if (mapping.kind !== "mapping") return { problem: "there is no mapping to write it into" };
  const entry = entryOf(mapping, key);
  const removed = key === "fusion" && value === "minmax" ? removal(text, mapping, "rrfK") : [];
  if (entry === undefined) return [...removed, insertion(text, mapping, `${key}: ${written}`)];
  if (entry.value.kind !== "scalar") return { problem: "what stands there is no single value" };
  if (entry.value.text.includes("${")) return { problem: `it is set by ${entry.value.text}: sweep what that reads, such as vars.NAME` };
  return [...removed, { span: entry.value.span, text: `${entry.value.raw === "" ? " " : ""}${written}` }];
}

/** A new first entry: nothing that stands there moves to another line. */
function insertion(text: string, mapping: MappingNode, entry: string): TextEdit {
  const [first] = mapping.entries;
  if (first === undefined) return { span: mapping.span, text: `{ ${entry} }` };
  const start = first.key.span.start;
  if (mapping.flow) return { span: { start, end: start }, text: `${entry}, ` };
  const indent = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  return { span: { start, end: start }, text: `${entry}\n${indent.replaceAll(/[^ ]/gu, " ")}` };
}

function removal(text: string, mapping: MappingNode, key: string): readonly TextEdit[] {
  const index = mapping.entries.findIndex((entry) => entry.key.text === key);
  const entry = mapping.entries[index];
  if (entry === undefined) return [];
  const next = mapping.entries[index + 1];
  const before = mapping.entries[index - 1];
  if (next !== undefined && (mapping.flow || index === 0)) return [{ span: { start: entry.key.span.start, end: next.key.span.start }, text: "" }];
  if (mapping.flow && before !== undefined) return [{ span: { start: endOf(before), end: endOf(entry) }, text: "" }];
  const lineStart = text.lastIndexOf("\n", entry.key.span.start - 1) + 1;
  const lineEnd = text.indexOf("\n", endOf(entry));
  return [{ span: { start: lineStart, end: lineEnd < 0 ? text.length : lineEnd + 1 }, text: "" }];
}

function endOf({ value }: MappingEntry): number {
  return (value as DocumentNode).span.end;
}
