import type { JsonSchema } from "../../contracts/json-schema.ts";
import { type BuiltinFunction, type CallContext, FunctionFault, maxTextLength, textCost } from "./builtin-function.ts";
import { matchesPattern } from "./regular-expression.ts";

const text: JsonSchema = { type: "string" };
const truth: JsonSchema = { type: "boolean" };
const index: JsonSchema = { type: "integer" };

/** Functions of strings. Positions and lengths count Unicode characters, so that none is ever cut in half. */
export const textFunctions: readonly BuiltinFunction[] = [
  {
    name: "contains",
    form: "method",
    usage: "s.contains(part)",
    summary: "Tells whether a string contains another.",
    parameters: ["string", "string"],
    result: truth,
    call: (context, s: string, part: string) => costing(context, s).includes(part),
  },
  {
    name: "startsWith",
    form: "method",
    usage: "s.startsWith(part)",
    summary: "Tells whether a string begins with another.",
    parameters: ["string", "string"],
    result: truth,
    call: (_, s: string, part: string) => s.startsWith(part),
  },
  {
    name: "endsWith",
    form: "method",
    usage: "s.endsWith(part)",
    summary: "Tells whether a string ends with another.",
    parameters: ["string", "string"],
    result: truth,
    call: (_, s: string, part: string) => s.endsWith(part),
  },
  {
    name: "matches",
    form: "either",
    usage: "s.matches(pattern)",
    summary: "Tells whether an RE2 regular expression matches anywhere in a string.",
    parameters: ["string", "string"],
    result: truth,
    call: (context, s: string, pattern: string) => matchesPattern(context, s, pattern),
  },
  {
    name: "lowerAscii",
    form: "method",
    usage: "s.lowerAscii()",
    summary: "Turns A to Z into small letters.",
    parameters: ["string"],
    result: text,
    call: (context, s: string) => costing(context, s).replace(/[A-Z]+/gu, (letters) => letters.toLowerCase()),
  },
  {
    name: "upperAscii",
    form: "method",
    usage: "s.upperAscii()",
    summary: "Turns a to z into capitals.",
    parameters: ["string"],
    result: text,
    call: (context, s: string) => costing(context, s).replace(/[a-z]+/gu, (letters) => letters.toUpperCase()),
  },
  {
    name: "trim",
    form: "method",
    usage: "s.trim()",
    summary: "Removes white space at both ends.",
    parameters: ["string"],
    result: text,
    call: (context, s: string) => costing(context, s).trim(),
  },
  {
    name: "split",
    form: "method",
    usage: "s.split(separator, limit)",
    summary: "Cuts a string at every separator; with a limit, the last piece keeps the rest.",
    parameters: ["string", "string", "integer"],
    optional: 1,
    result: { type: "array", items: text },
    call: split,
  },
  {
    name: "replace",
    form: "method",
    usage: "s.replace(part, other, limit)",
    summary: "Puts another string in place of every part, or of the first ones up to a limit.",
    parameters: ["string", "string", "string", "integer"],
    optional: 1,
    result: text,
    call: replace,
  },
  {
    name: "substring",
    form: "method",
    usage: "s.substring(start, end)",
    summary: "The characters from start up to, but without, end.",
    parameters: ["string", "integer", "integer"],
    optional: 1,
    result: text,
    call: substring,
  },
  {
    name: "charAt",
    form: "method",
    usage: "s.charAt(position)",
    summary: "The character at a position; an empty string at the end.",
    parameters: ["string", "integer"],
    result: text,
    call: (context, s: string, position: number) => substring(context, s, position, Math.min(position + 1, characters(costing(context, s)).length)),
  },
  {
    name: "indexOf",
    form: "method",
    usage: "s.indexOf(part, from)",
    summary: "The first position of a part, or -1.",
    parameters: ["string", "string", "integer"],
    optional: 1,
    result: index,
    call: indexOf,
  },
  {
    name: "lastIndexOf",
    form: "method",
    usage: "s.lastIndexOf(part)",
    summary: "The last position of a part, or -1.",
    parameters: ["string", "string"],
    result: index,
    call: (context, s: string, part: string) => {
      const at = costing(context, s).lastIndexOf(part);
      return at < 0 ? -1 : characters(s.slice(0, at)).length;
    },
  },
];

/** A string's characters; the string itself where each is one UTF-16 unit. */
export function characters(s: string): string | readonly string[] {
  return /[\ud800-\udfff]/.test(s) ? Array.from(s) : s;
}

function costing(context: CallContext, s: string): string {
  context.charge(textCost(s.length));
  return s;
}

function slice(units: string | readonly string[], start: number, end: number): string {
  const part = units.slice(start, end);
  return typeof part === "string" ? part : part.join("");
}

function substring(context: CallContext, s: string, start: number, end?: number): string {
  const units = characters(costing(context, s));
  const stop = end ?? units.length;
  if (start < 0 || stop > units.length || start > stop) throw new FunctionFault("has a position outside the string");
  return slice(units, start, stop);
}

function indexOf(context: CallContext, s: string, part: string, from = 0): number {
  const units = characters(costing(context, s));
  if (from < 0 || from > units.length) throw new FunctionFault("has a position outside the string");
  const skipped = slice(units, 0, from).length;
  const at = s.indexOf(part, skipped);
  return at < 0 ? -1 : characters(s.slice(0, at)).length;
}

function split(context: CallContext, s: string, separator: string, limit = -1): readonly string[] {
  const pieces = separator === "" ? Array.from(costing(context, s)) : costing(context, s).split(separator);
  context.charge(pieces.length);
  if (limit < 0 || pieces.length <= limit) return pieces;
  return limit === 0 ? [] : [...pieces.slice(0, limit - 1), pieces.slice(limit - 1).join(separator)];
}

function replace(context: CallContext, s: string, part: string, other: string, limit = -1): string {
  const pieces = split(context, s, part, limit < 0 ? -1 : limit + 1);
  // CEL puts the other string also before and after where the part is empty.
  const bounds = part === "" && limit < 0 ? ["", ...pieces, ""] : pieces;
  const length = s.length + bounds.length * other.length;
  if (length > maxTextLength) throw new FunctionFault("makes a text that is too long");
  context.charge(textCost(length));
  return bounds.join(other);
}
