import type { JsonSchema } from "../../contracts/json-schema.ts";

/** What a parameter takes. `integer` is a number without a fraction. */
export type ParameterKind = "string" | "number" | "integer" | "boolean" | "list" | "object" | "any";

/** What a function may ask of the evaluation that it runs in. */
export interface CallContext {
  /** Counts work; throws where the evaluation's budget is used up. */
  charge(steps: number): void;
  /** The `now` that the place sees, in milliseconds since 1970: given as such, or as a date-time. */
  now(): number;
}

/** A function of the language. */
export interface BuiltinFunction {
  /** Its name; `math.abs` for one in a namespace. */
  readonly name: string;
  /** `f(a, b)` or `a.f(b)`, or both. */
  readonly form: "function" | "method" | "either";
  /** How it is called, such as `s.substring(start, end)`. */
  readonly usage: string;
  /** One sentence for reference pages. */
  readonly summary: string;
  /** What it takes, a method's receiver first; a list where it takes one of several. */
  readonly parameters: readonly (ParameterKind | readonly ParameterKind[])[];
  /** So many of the last parameters may be left out; 0 by default. */
  readonly optional?: number;
  /** The last parameter may be given any number of times, at least once. */
  readonly variadic?: boolean;
  /** The result's schema, or how it follows from the arguments'. */
  readonly result: JsonSchema | ((args: readonly JsonSchema[]) => JsonSchema);
  /** Looks into arguments that are of the right kinds: the parameter that does not fit, and what it needs. */
  readonly refuses?: (args: readonly JsonSchema[]) => { readonly parameter: number; readonly expected: string } | undefined;
  /** Its result depends on `now`. */
  readonly clock?: boolean;
  /** The arguments are of the kinds that `parameters` says; throws a {@link FunctionFault} for values that it refuses. */
  readonly call: (context: CallContext, ...args: never[]) => unknown;
}

/** A value that a function refuses. The sentence goes on after the function's name, such as `needs a number above 0`. */
export class FunctionFault extends Error {
  /** @param sentence Never contains a value. */
  constructor(sentence: string) {
    super(sentence);
    this.name = "FunctionFault";
  }
}

/** Largest text that a function or operator makes, in UTF-16 units. */
export const maxTextLength = 8_000_000;

/** Steps that a text of this length costs to read or make. */
export function textCost(length: number): number {
  return 1 + (length >> 6);
}
