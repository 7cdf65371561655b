import type { DocumentNode, MappingEntry, MappingNode, ScalarNode, SequenceNode } from "../document.ts";
import { type Cursor, isSpace } from "./cursor.ts";
import { KeyNames } from "./key-names.ts";
import { readFlow } from "./read-flow.ts";
import { readBlockScalar, readScalar } from "./read-scalar.ts";

/**
 * A mapping in a block: the whole text.
 *
 * @param cursor At the beginning of the text.
 */
export function readBlocks(cursor: Cursor): MappingNode {
  const indent = nextContent(cursor);
  if (indent === undefined || isHyphen(cursor)) return cursor.giveUp();
  const root = readMapping(cursor, indent);
  return nextContent(cursor) === undefined ? root : cursor.giveUp();
}

/** Goes from a line's beginning to the first character of the next line with content, and gives its column. */
function nextContent(cursor: Cursor): number | undefined {
  for (;;) {
    const lineStart = cursor.at;
    cursor.spaces();
    if (cursor.unit === undefined) return undefined;
    if (!cursor.isLineEnd && cursor.unit !== "#") {
      const column = cursor.at - lineStart;
      // A marker of a document, or a directive.
      if (column === 0 && /^(?:%|(?:---|\.\.\.)(?:[ \r\n]|$))/u.test(cursor.text.slice(lineStart, lineStart + 4))) cursor.giveUp();
      return column;
    }
    cursor.nextLine();
  }
}

/** A mapping whose keys stand at a column; the cursor is at its first key. */
function readMapping(cursor: Cursor, indent: number): MappingNode {
  return cursor.inside(() => {
    const start = cursor.at;
    const entries: MappingEntry[] = [];
    const names = new KeyNames();
    do {
      const key = names.take(readScalar(cursor, false), cursor);
      cursor.spaces();
      if (cursor.unit !== ":") cursor.giveUp();
      cursor.at += 1;
      entries.push({ key, value: readValue(cursor, indent, true) });
    } while (goesOn(cursor, indent, false));
    return { kind: "mapping", span: { start, end: entries.at(-1)?.value.span.end ?? start }, entries, flow: false };
  });
}

/** A sequence whose hyphens stand at a column; the cursor is at the first. */
function readSequence(cursor: Cursor, indent: number): SequenceNode {
  return cursor.inside(() => {
    const start = cursor.at;
    const items: DocumentNode[] = [];
    do {
      cursor.at += 1;
      items.push(readValue(cursor, indent, false));
    } while (goesOn(cursor, indent, true));
    return { kind: "sequence", span: { start, end: items.at(-1)?.span.end ?? start }, items, flow: false };
  });
}

/** Whether a collection goes on at its column; then the cursor is there, otherwise at the beginning of the line that ends it. */
function goesOn(cursor: Cursor, indent: number, sequence: boolean): boolean {
  const lineStart = cursor.at;
  const column = nextContent(cursor);
  if (column === indent && isHyphen(cursor) === sequence) return true;
  if (column !== undefined && column > indent) cursor.giveUp();
  // A sequence may stand at the column of the key above it; the mapping goes on there. The other way round is a mistake.
  if (column === indent && !sequence) cursor.giveUp();
  cursor.at = lineStart;
  return false;
}

/** What stands behind a colon or hyphen: on the same line, or below. */
function readValue(cursor: Cursor, indent: number, inMapping: boolean): DocumentNode {
  const after = cursor.at;
  cursor.spaces();
  const bare = cursor.at === after;
  if (!cursor.isLineEnd && cursor.unit !== "#") return bare ? cursor.giveUp() : readInline(cursor, indent, inMapping);
  if (cursor.unit === "#" && bare) cursor.giveUp();
  cursor.endOfLine();
  const lineStart = cursor.at;
  const column = nextContent(cursor);
  if (column !== undefined && column > indent) {
    if (isHyphen(cursor)) return readSequence(cursor, column);
    return isKey(cursor) ? readMapping(cursor, column) : cursor.giveUp();
  }
  if (inMapping && column === indent && isHyphen(cursor)) return readSequence(cursor, column);
  cursor.at = lineStart;
  // Where nothing stands between a space and a comment is for the library to say.
  return bare ? empty(after) : cursor.giveUp();
}

function readInline(cursor: Cursor, indent: number, inMapping: boolean): DocumentNode {
  if (!inMapping) {
    // What follows a hyphen may be a collection that begins on its line: its column is where it stands.
    if (isHyphen(cursor)) return readSequence(cursor, cursor.column);
    if (isKey(cursor)) return readMapping(cursor, cursor.column);
  }
  const { unit } = cursor;
  if (unit === "|" || unit === ">") return readBlockScalar(cursor, indent);
  const value = unit === "{" || unit === "[" ? readFlow(cursor, indent) : readScalar(cursor, false);
  cursor.spaces();
  cursor.endOfLine();
  return value;
}

/** Whether the line from here begins with a key. */
function isKey(cursor: Cursor): boolean {
  const { at, unit } = cursor;
  if (unit === "{" || unit === "[" || unit === "|" || unit === ">") return false;
  readScalar(cursor, false);
  cursor.spaces();
  const found = cursor.unit === ":";
  cursor.at = at;
  return found;
}

function isHyphen({ text, at }: Cursor): boolean {
  return text[at] === "-" && isSpace(text[at + 1]);
}

function empty(at: number): ScalarNode {
  return { kind: "scalar", span: { start: at, end: at }, value: null, text: "", style: "plain", raw: "" };
}
