import { canonicalJson } from "../../base/canonical-json.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";
import { declaredMembers } from "../types/member-of-schema.ts";
import { variantsOf } from "../types/schema-variants.ts";
import { type BuiltinFunction, type CallContext, FunctionFault, maxTextLength, textCost } from "./builtin-function.ts";
import { chooseBucket } from "./choose-bucket.ts";
import { parseInstant } from "./parse-instant.ts";

const text: JsonSchema = { type: "string" };
const number: JsonSchema = { type: "number" };
const maxParsedDepth = 200;
const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

/** Conversions, and the language's own helpers. */
export const languageFunctions: readonly BuiltinFunction[] = [
  {
    name: "text",
    form: "function",
    usage: "text(v)",
    summary: "A string as it is, anything else as canonical JSON.",
    parameters: ["any"],
    result: text,
    call: (context, value: unknown) => (typeof value === "string" ? value : toJsonText(context, value)),
  },
  {
    name: "json",
    form: "function",
    usage: "json(v)",
    summary: "The value as canonical JSON, strings in quotes.",
    parameters: ["any"],
    result: text,
    call: toJsonText,
  },
  {
    name: "parseJson",
    form: "function",
    usage: "parseJson(s)",
    summary: "The value that a JSON text stands for.",
    parameters: ["string"],
    result: {},
    call: parseJson,
  },
  {
    name: "age",
    form: "function",
    usage: "age(t)",
    summary: "Seconds from a date-time or date until now.",
    parameters: ["string"],
    result: number,
    clock: true,
    call: (context, t: string) => {
      const instant = parseInstant(t);
      if (instant === undefined) throw new FunctionFault("needs a date-time such as 2026-01-31T12:00:00Z, or a date");
      return (context.now() - instant) / 1000;
    },
  },
  {
    name: "dateTime",
    form: "function",
    usage: "dateTime(ms)",
    summary: "The date-time in UTC of milliseconds since 1970, such as `dateTime(now)`.",
    parameters: ["number"],
    result: { type: "string", format: "date-time" },
    call: (_, milliseconds: number) => {
      const date = new Date(milliseconds);
      if (Number.isNaN(date.getTime()) || date.getUTCFullYear() < 0 || date.getUTCFullYear() > 9999)
        throw new FunctionFault("needs milliseconds of the years 0 to 9999");
      return date.toISOString();
    },
  },
  {
    name: "days",
    form: "function",
    usage: "days(n)",
    summary: "The seconds of n days.",
    parameters: ["number"],
    result: ([n]) => (variantsOf(n ?? {}).every((variant) => variant.kind === "number" && variant.integer) ? { type: "integer" } : number),
    call: (_, n: number) => n * 86_400,
  },
  {
    name: "bucket",
    form: "function",
    usage: 'bucket(key, {"name": share})',
    summary: "Chooses a name by a stable hash of a key, each with its share.",
    parameters: ["any", "object"],
    result: ([, shares]) => bucketNames(shares),
    refuses: ([, shares]) => {
      const members = variantsOf(shares ?? {}).flatMap((variant) => Object.values(variant.schema.properties ?? {}));
      return members.every((member) => isNumber(member)) ? undefined : { parameter: 1, expected: "an object of numbers" };
    },
    call: (context, key: unknown, shares: Readonly<Record<string, unknown>>) => {
      const plain = typeof key === "string" ? key : toJsonText(context, key);
      context.charge(textCost(plain.length) * 8);
      return chooseBucket(plain, shares);
    },
  },
  {
    name: "int",
    form: "function",
    usage: "int(x)",
    summary: "A number without its fraction, or the integer that a string writes.",
    parameters: [["number", "string"]],
    result: { type: "integer" },
    call: (_, x: number | string) => {
      const value = typeof x === "number" ? Math.trunc(x) : /^[+-]?\d{1,16}$/u.test(x) ? Number(x) : Number.NaN;
      if (!Number.isSafeInteger(value)) throw new FunctionFault("needs a number or a string that an integer can be made of");
      return value;
    },
  },
  {
    name: "double",
    form: "function",
    usage: "double(x)",
    summary: "The number that a string writes; a number as it is.",
    parameters: [["number", "string"]],
    result: number,
    call: (_, x: number | string) => {
      const value = typeof x === "number" ? x : /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/u.test(x) && x.length < 400 ? Number(x) : Number.NaN;
      if (!Number.isFinite(value)) throw new FunctionFault("needs a string that writes a number");
      return value;
    },
  },
  {
    name: "string",
    form: "function",
    usage: "string(x)",
    summary: "A number or boolean as text; a string as it is.",
    parameters: [["string", "number", "boolean"]],
    result: text,
    call: (_, x: string | number | boolean) => String(x),
  },
  {
    name: "bool",
    form: "function",
    usage: "bool(x)",
    summary: 'The boolean that "true" or "false" writes; a boolean as it is.',
    parameters: [["boolean", "string"]],
    result: { type: "boolean" },
    call: (_, x: boolean | string) => {
      if (x === true || x === "true") return true;
      if (x === false || x === "false") return false;
      throw new FunctionFault('needs "true" or "false"');
    },
  },
  {
    name: "dyn",
    form: "function",
    usage: "dyn(x)",
    summary: "The value itself, whose type is then judged at run time only.",
    parameters: ["any"],
    result: {},
    call: (_, x: unknown) => x,
  },
];

function toJsonText(context: CallContext, value: unknown): string {
  const json = canonicalJson(value);
  if (json.length > maxTextLength) throw new FunctionFault("makes a text that is too long");
  context.charge(textCost(json.length) * 4);
  return json;
}

function parseJson(context: CallContext, source: string): unknown {
  context.charge(textCost(source.length) * 4);
  if (nestingOf(source) > maxParsedDepth) throw new FunctionFault(`needs JSON of at most ${maxParsedDepth} levels`);
  try {
    return JSON.parse(source) as unknown;
  } catch {
    throw new FunctionFault("needs a text that is JSON");
  }
}

/** How deep the brackets outside strings nest, at most. */
function nestingOf(source: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let at = 0; at < source.length; at += 1) {
    const unit = source.charCodeAt(at);
    if (inString && unit === backslash) at += 1;
    else if (unit === quote) inString = !inString;
    else if (!inString && (unit === openBracket || unit === openBrace)) deepest = Math.max(deepest, ++depth);
    else if (!inString && (unit === closeBracket || unit === closeBrace)) depth -= 1;
  }
  return deepest;
}

function isNumber(schema: JsonSchema): boolean {
  return variantsOf(schema).every((variant) => variant.kind === "number" || variant.kind === "any");
}

function bucketNames(shares: JsonSchema | undefined): JsonSchema {
  const variants = variantsOf(shares ?? {});
  const closed = variants.every((variant) => variant.kind === "object" && variant.schema.additionalProperties === false);
  const names = variants.flatMap((variant) => declaredMembers(variant.schema));
  return closed && names.length > 0 ? { type: "string", enum: [...new Set(names)] } : text;
}
