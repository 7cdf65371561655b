import type { DecodedUnits } from "./decoded-units.ts";

/** One line of a block scalar, as offsets into its source. */
interface BlockLine {
  /** Columns of spaces before the text. */
  readonly indent: number;
  readonly start: number;
  readonly textStart: number;
  /** Where its line break begins, or the source ends. */
  readonly end: number;
  readonly hasBreak: boolean;
}

/**
 * Decodes a block scalar (`|` or `>`) into units with their places.
 *
 * @param units Gets the text.
 * @param how `folded`: `>`; `indent`: columns that are taken off each line.
 */
export function decodeBlock(units: DecodedUnits, how: { readonly folded: boolean; readonly indent: number }): void {
  const { raw } = units;
  const headerEnd = raw.indexOf("\n");
  if (headerEnd === -1) {
    units.finish(raw.length);
    return;
  }
  const chomp = /^[|>][1-9]?([-+]?)/u.exec(raw)?.[1] ?? "";
  const lines = splitLines(raw, headerEnd + 1);
  const textCount = lines.findLastIndex((line) => line.textStart < line.end || line.indent > how.indent) + 1;
  const onlyBlank = !lines.some((line) => line.textStart < line.end);
  if (onlyBlank) {
    if (chomp === "+") for (const line of lines) if (line.hasBreak) units.takeBreaks([line.end]);
    units.finish(raw.length);
    return;
  }
  const first = lines.findIndex((line) => line.textStart < line.end);
  for (const line of lines.slice(0, first)) takeLine(units, line, how.indent, [line.end]);
  const text = lines.slice(first, textCount);
  if (how.folded) takeFolded(units, text, how.indent);
  else takeLiteral(units, text, how.indent);
  takeTrailing(units, { last: text.at(-1), rest: lines.slice(textCount), chomp, indent: how.indent });
}

function splitLines(raw: string, from: number): readonly BlockLine[] {
  const lines: BlockLine[] = [];
  let start = from;
  while (start < raw.length) {
    const newline = raw.indexOf("\n", start);
    const hasBreak = newline !== -1;
    let end = hasBreak ? newline : raw.length;
    if (raw[end - 1] === "\r" && end > start) end -= 1;
    let textStart = start;
    while (raw[textStart] === " " && textStart < end) textStart += 1;
    lines.push({ indent: textStart - start, start, textStart, end, hasBreak });
    start = hasBreak ? newline + 1 : raw.length;
  }
  return lines;
}

function takeLine(units: DecodedUnits, line: BlockLine, indent: number, breaks: readonly number[]): void {
  units.takeSource(Math.min(line.start + indent, line.textStart), line.end);
  units.takeBreaks(breaks);
}

function takeLiteral(units: DecodedUnits, lines: readonly BlockLine[], indent: number): void {
  for (const [index, line] of lines.entries()) takeLine(units, line, indent, index < lines.length - 1 ? [line.end] : []);
}

/**
 * Lines of text are joined by a space, empty ones between them are breaks; around lines that are indented deeper, breaks stay.
 * `pending` are the breaks since the last line that gave text.
 */
function takeFolded(units: DecodedUnits, lines: readonly BlockLine[], indent: number): void {
  let pending: number[] = [];
  let deeperBefore = false;
  for (const [index, line] of lines.entries()) {
    const empty = line.textStart === line.end && line.indent <= indent;
    if (!empty) {
      const deeper = line.indent > indent || units.raw[line.textStart] === "\t";
      if (index > 0) {
        if (deeper || deeperBefore) units.takeBreaks(pending);
        else units.takeFold(pending);
      }
      takeLine(units, line, indent, []);
      pending = [];
      deeperBefore = deeper;
    }
    pending.push(line.end);
  }
}

function takeTrailing(
  units: DecodedUnits,
  end: { readonly last: BlockLine | undefined; readonly rest: readonly BlockLine[]; readonly chomp: string; readonly indent: number },
): void {
  const { last, rest, chomp } = end;
  const at = last?.end ?? units.raw.length;
  if (chomp !== "-") units.take("\n", at, last?.hasBreak === true ? at + (units.raw[at] === "\r" ? 2 : 1) : at);
  if (chomp === "+") for (const line of rest) if (line.hasBreak) takeLine(units, line, end.indent, [line.end]);
  units.finish(chomp === "-" ? at : units.raw.length);
}
