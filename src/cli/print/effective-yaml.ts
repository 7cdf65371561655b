import { displayWidth } from "../../base/display-width.ts";
import { writeYaml } from "../../document/write-yaml.ts";
import type { EffectiveNode, Origin } from "./effective-tree.ts";

/** Columns up to which comments are lined up. */
const commentColumn = 56;

/**
 * Writes a configuration as YAML, each value with where it comes from behind it.
 *
 * @param node The configuration.
 * @param paint Paints a comment.
 */
export function effectiveYaml(node: EffectiveNode, paint: (comment: string) => string): string {
  const lines = [...linesOf(node)];
  const width = Math.min(commentColumn, Math.max(0, ...lines.map(({ text, origin }) => (origin === "" ? 0 : displayWidth(text)))));
  return lines
    .map(({ text, origin }) => `${origin === "" ? text : `${text}${" ".repeat(Math.max(0, width - displayWidth(text)))} ${paint(`# ${origin}`)}`}\n`)
    .join("");
}

interface Line {
  readonly text: string;
  readonly origin: string;
}

function* linesOf(node: EffectiveNode): Generator<Line> {
  if (node.kind === "map") for (const [key, value] of node.entries) yield* entryLines(scalarText(key), value);
  else if (node.kind === "list") for (const item of node.items) yield* itemLines(item);
  else yield { text: scalarText(node.value), origin: originText(node.origin) };
}

function* entryLines(key: string, value: EffectiveNode): Generator<Line> {
  const flat = flatText(value);
  if (flat !== undefined) yield { text: `${key}: ${flat}`, origin: originText(value.origin) };
  else {
    yield { text: `${key}:`, origin: "" };
    for (const line of linesOf(value)) yield { ...line, text: `  ${line.text}` };
  }
}

function* itemLines(item: EffectiveNode): Generator<Line> {
  const flat = flatText(item);
  if (flat !== undefined) yield { text: `- ${flat}`, origin: originText(item.origin) };
  else {
    let first = true;
    for (const line of linesOf(item)) {
      yield { ...line, text: `${first ? "- " : "  "}${line.text}` };
      first = false;
    }
  }
}

/** What stands on one line. */
function flatText(node: EffectiveNode): string | undefined {
  if (node.kind === "scalar") return scalarText(node.value);
  if (node.kind === "map") return node.entries.length === 0 ? "{}" : undefined;
  return node.items.length === 0 ? "[]" : undefined;
}

function scalarText(value: string | number | boolean | null): string {
  if (typeof value !== "string" || /[\n\r]/u.test(value)) return JSON.stringify(value);
  return writeYaml(value).trimEnd();
}

/** An origin as a comment. */
function originText({ file, line, by }: Origin): string {
  const place = file === undefined ? undefined : `${file}:${line}`;
  return [place, by?.replace(/\s+/gu, " ")].filter((part) => part !== undefined).join(", ");
}
