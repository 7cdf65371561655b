import type { JsonSchema } from "../../contracts/json-schema.ts";
import { itemSchema } from "../types/join-schemas.ts";
import { variantsOf } from "../types/schema-variants.ts";
import { type BuiltinFunction, type CallContext, FunctionFault } from "./builtin-function.ts";

const number: JsonSchema = { type: "number" };
const integer: JsonSchema = { type: "integer" };

/** Functions of numbers. A result that is no finite number fails the evaluation. */
export const mathFunctions: readonly BuiltinFunction[] = [
  simple("exp", "e to the power of x.", number, Math.exp),
  simple("log", "The natural logarithm of a number above 0.", number, Math.log),
  simple("math.abs", "The number without its sign.", sameNumber, Math.abs),
  simple("math.ceil", "The next integer that is not smaller.", integer, Math.ceil),
  simple("math.floor", "The next integer that is not greater.", integer, Math.floor),
  simple("math.round", "The nearest integer; halves go away from 0.", integer, (x) => Math.sign(x) * Math.round(Math.abs(x))),
  simple("math.trunc", "The integer part.", integer, Math.trunc),
  simple("math.sign", "-1, 0 or 1.", integer, Math.sign),
  simple("math.sqrt", "The square root of a number that is not negative.", number, Math.sqrt),
  {
    name: "math.greatest",
    form: "function",
    usage: "math.greatest(a, b, ...)",
    summary: "The greatest of several numbers, or of a list of numbers.",
    parameters: [["number", "list"]],
    variadic: true,
    result: (args) => sameNumber(args),
    refuses: numbersOnly,
    call: (context, ...values: readonly unknown[]) => extreme(context, values, (a, b) => a > b),
  },
  {
    name: "math.least",
    form: "function",
    usage: "math.least(a, b, ...)",
    summary: "The least of several numbers, or of a list of numbers.",
    parameters: [["number", "list"]],
    variadic: true,
    result: (args) => sameNumber(args),
    refuses: numbersOnly,
    call: (context, ...values: readonly unknown[]) => extreme(context, values, (a, b) => a < b),
  },
];

function simple(name: string, summary: string, result: BuiltinFunction["result"], compute: (x: number) => number): BuiltinFunction {
  return { name, form: "function", usage: `${name}(x)`, summary, parameters: ["number"], result, call: (_, x: number) => finite(compute(x)) };
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw new FunctionFault("has no finite result");
  return value;
}

function sameNumber(args: readonly JsonSchema[]): JsonSchema {
  const variants = args.flatMap((schema) =>
    variantsOf(schema).flatMap((variant) => (variant.kind === "list" ? variantsOf(itemSchema(variant.schema)) : [variant])),
  );
  return variants.every((variant) => variant.kind === "number" && variant.integer) ? integer : number;
}

/** Several numbers, or one list of numbers. */
function numbersOnly(args: readonly JsonSchema[]): { readonly parameter: number; readonly expected: string } | undefined {
  const parameter = args.findIndex((schema) =>
    variantsOf(schema).some((variant) => {
      if (variant.kind !== "list") return false;
      const items = variant.schema.maxItems === 0 ? [] : variantsOf(itemSchema(variant.schema));
      return args.length > 1 || items.some((item) => item.kind !== "number" && item.kind !== "any");
    }),
  );
  return parameter < 0 ? undefined : { parameter, expected: args.length > 1 ? "a number" : "a list of numbers" };
}

function extreme(context: CallContext, values: readonly unknown[], better: (a: number, b: number) => boolean): number {
  const [only] = values;
  const numbers: readonly unknown[] = values.length === 1 && Array.isArray(only) ? only : values;
  context.charge(numbers.length);
  let found: number | undefined;
  for (const value of numbers) {
    if (typeof value !== "number") throw new FunctionFault("needs numbers only");
    if (found === undefined || better(value, found)) found = value;
  }
  if (found === undefined) throw new FunctionFault("needs at least one number");
  return found;
}
