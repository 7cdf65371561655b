import type { DocumentNode, MappingEntry, MappingNode, SequenceNode } from "../document.ts";
import { type Cursor, isSpace } from "./cursor.ts";
import { KeyNames } from "./key-names.ts";
import { readScalar } from "./read-scalar.ts";

/**
 * A mapping or sequence in brackets, on one line or several.
 *
 * @param indent Columns of what it belongs to: its lines are indented deeper.
 */
export function readFlow(cursor: Cursor, indent: number): MappingNode | SequenceNode {
  return cursor.inside(() => {
    const start = cursor.at;
    const mapping = cursor.unit === "{";
    const close = mapping ? "}" : "]";
    const entries: MappingEntry[] = [];
    const names = new KeyNames();
    const items: DocumentNode[] = [];
    cursor.at += 1;
    for (;;) {
      space(cursor, indent);
      if (cursor.unit === close) break;
      if (mapping) entries.push(readEntry(cursor, { names, indent }));
      else items.push(readValue(cursor, indent));
      space(cursor, indent);
      if (cursor.unit === ",") cursor.at += 1;
      else if (cursor.unit !== close) cursor.giveUp();
    }
    cursor.at += 1;
    const span = { start, end: cursor.at };
    return mapping ? { kind: "mapping", span, entries, flow: true } : { kind: "sequence", span, items, flow: true };
  });
}

function readEntry(cursor: Cursor, { names, indent }: { readonly names: KeyNames; readonly indent: number }): MappingEntry {
  const key = names.take(readScalar(cursor, true), cursor);
  cursor.spaces();
  if (cursor.unit !== ":") cursor.giveUp();
  cursor.at += 1;
  if (!isSpace(cursor.unit)) cursor.giveUp();
  space(cursor, indent);
  if (",}]".includes(cursor.unit ?? "")) cursor.giveUp();
  return { key, value: readValue(cursor, indent) };
}

function readValue(cursor: Cursor, indent: number): DocumentNode {
  if (cursor.unit === "{" || cursor.unit === "[") return readFlow(cursor, indent);
  const value = readScalar(cursor, true);
  const end = cursor.at;
  cursor.spaces();
  if (value.style === "plain" && cursor.isLineEnd) {
    // A plain text that goes on on the next line is one text.
    space(cursor, indent);
    if (!",]}".includes(cursor.unit ?? "x")) cursor.giveUp();
  }
  cursor.at = end;
  return value;
}

/** Spaces, line breaks and comments inside brackets. */
function space(cursor: Cursor, indent: number): void {
  for (;;) {
    const before = cursor.at;
    cursor.spaces();
    if (cursor.unit === "#" && cursor.at > before) cursor.toLineEnd();
    else if (cursor.unit !== "\n" && cursor.unit !== "\r") return;
    cursor.nextLine();
    cursor.spaces();
    if (cursor.unit === undefined || (!cursor.isLineEnd && cursor.column <= indent)) cursor.giveUp();
    // A comment at the beginning of a line has its space before it.
    if (cursor.unit === "#") cursor.toLineEnd();
  }
}
