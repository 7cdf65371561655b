import { decodeBlock } from "./decode-block.ts";
import { DecodedUnits } from "./decoded-units.ts";
import type { ScalarNode } from "./document.ts";

/**
 * Decodes a scalar's source again, keeping for each unit of the text where it came from.
 *
 * The text itself is the YAML library's; this is only done where a place inside a scalar is asked for.
 *
 * @param scalar Its `raw`, `style` and `blockIndent` count.
 * @returns Offsets into `scalar.raw`.
 */
export function decodeScalar(scalar: Pick<ScalarNode, "raw" | "style" | "blockIndent">): DecodedUnits {
  const { raw, style } = scalar;
  const units = new DecodedUnits(raw);
  switch (style) {
    case "plain":
      decodeFolded(units, { from: 0, to: raw.length, quote: false });
      break;
    case "single":
      decodeFolded(units, { from: 1, to: raw.length - 1, quote: true });
      break;
    case "double":
      decodeDouble(units);
      break;
    default:
      decodeBlock(units, { folded: style === "folded", indent: scalar.blockIndent ?? 0 });
  }
  return units;
}

/** Plain and single-quoted text: white space around line breaks goes, one break is a space, each further one a break. */
function decodeFolded(units: DecodedUnits, part: { readonly from: number; readonly to: number; readonly quote: boolean }): void {
  const { raw } = units;
  let at = part.from;
  while (at < part.to) {
    const next = takeSpace(units, at, part.to);
    if (next > at) {
      at = next;
    } else if (part.quote && raw[at] === "'") {
      units.take("'", at, at + 2);
      at += 2;
    } else {
      units.take(raw.charAt(at), at, at + 1);
      at += 1;
    }
  }
  units.finish(part.to);
}

function decodeDouble(units: DecodedUnits): void {
  const { raw } = units;
  const to = raw.length - 1;
  let at = 1;
  while (at < to) {
    const next = takeSpace(units, at, to);
    if (next > at) {
      at = next;
    } else if (raw[at] === "\\") {
      at = takeEscape(units, at);
    } else {
      units.take(raw.charAt(at), at, at + 1);
      at += 1;
    }
  }
  units.finish(to);
}

/** Takes the white space at an offset, as it is or, with line breaks in it, folded; returns where the text goes on. */
function takeSpace(units: DecodedUnits, at: number, to: number): number {
  const { raw } = units;
  const breaks: number[] = [];
  let next = at;
  while (next < to && (isBlank(raw[next]) || isBreak(raw, next))) {
    const isEnd = isBreak(raw, next);
    if (isEnd) breaks.push(next);
    next += isEnd && raw[next] === "\r" ? 2 : 1;
  }
  if (breaks.length === 0) units.takeSource(at, next);
  else units.takeFold(breaks);
  return next;
}

function isBlank(unit: string | undefined): boolean {
  return unit === " " || unit === "\t";
}

function isBreak(raw: string, at: number): boolean {
  return raw[at] === "\n" || (raw[at] === "\r" && raw[at + 1] === "\n");
}

const escapes: Readonly<Record<string, string>> = {
  "0": "\0",
  a: "\x07",
  b: "\b",
  e: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  N: "\u0085",
  _: "\u00a0",
  L: "\u2028",
  P: "\u2029",
};

/** Takes what an escape stands for and returns where the text goes on. */
function takeEscape(units: DecodedUnits, at: number): number {
  const { raw } = units;
  const name = raw.charAt(at + 1);
  if (isBreak(raw, at + 1)) {
    let next = at + (raw[at + 1] === "\r" ? 3 : 2);
    while (isBlank(raw[next])) next += 1;
    return next;
  }
  const digits = { x: 2, u: 4, U: 8 }[name];
  if (digits === undefined) {
    units.take(escapes[name] ?? name, at, at + 2);
    return at + 2;
  }
  const end = at + 2 + digits;
  const code = Number.parseInt(raw.slice(at + 2, end), 16);
  units.take(code <= 0x10ffff ? String.fromCodePoint(code) : raw.slice(at, end), at, end);
  return end;
}
