import type { ErrorObject } from "ajv";
import type { JsonSchema } from "../contracts/json-schema.ts";
import { describeSchema } from "./describe-schema.ts";
import { meetsFormat } from "./meets-format.ts";

/** Judges a value; gives one sentence for each fault, none of which shows a value. */
export type DataValidator = (value: unknown) => readonly string[];

/** One fault of a value; neither part shows a value. */
export interface DataFault {
  /** JSON pointer to what does not fit; empty for the whole value. */
  readonly path: string;
  /** A sentence without a full stop. */
  readonly message: string;
}

/** At most so many faults of one value are told. */
const problemLimit = 10;

/**
 * Compiles a JSON Schema to a judge of run-time data: inputs of graphs, records, answers of calls.
 *
 * The library is loaded at the first call, so that validating files and starting up do without it.
 *
 * @param schema A sound schema (draft-07).
 * @returns The judge, which keeps nothing between calls.
 * @example
 * ```ts
 * const validate = await compileDataValidator({ type: "object", required: ["question"] });
 * validate({}); // ['missing key "question"']
 * ```
 */
export async function compileDataValidator(schema: JsonSchema): Promise<DataValidator> {
  const judge = await compileDataJudge(schema);
  return (value) => [...new Set(judge(value).map(sentence))].slice(0, problemLimit);
}

/**
 * The same, with the place of each fault by itself, and all of them: for callers that are programs.
 *
 * @param schema A sound schema (draft-07).
 */
export async function compileDataJudge(schema: JsonSchema): Promise<(value: unknown) => readonly DataFault[]> {
  const { Ajv } = await import("ajv");
  const ajv = new Ajv({ allErrors: true, strict: false, logger: false, validateSchema: false, verbose: true });
  for (const format of ["date-time", "date", "uri"]) ajv.addFormat(format, (text: string) => meetsFormat(text, format));
  const validate = ajv.compile(schema);
  return (value) => (validate(value) ? [] : faults(validate.errors ?? []));
}

function faults(errors: readonly ErrorObject[]): readonly DataFault[] {
  // Where several forms are possible, what each of them lacks says less than that none fits.
  const combined = errors.filter((error) => error.keyword === "anyOf" || error.keyword === "oneOf").map((error) => `${error.schemaPath}/`);
  const own = errors.filter((error) => error.keyword !== "if" && !combined.some((path) => error.schemaPath.startsWith(path)));
  return own.map((error) => ({ path: error.instancePath, message: fault(error) }));
}

function sentence({ path, message }: DataFault): string {
  const place = path === "" ? "" : `${path.slice(1).replaceAll("/", ".").replaceAll("~1", "/").replaceAll("~0", "~")}: `;
  return `${place}${message}`;
}

function fault(error: ErrorObject): string {
  const parameters = error.params as Readonly<Record<string, unknown>>;
  switch (error.keyword) {
    case "required":
      return `missing key "${String(parameters.missingProperty)}"`;
    case "additionalProperties":
      return `unknown key "${String(parameters.additionalProperty)}"`;
    case "type":
    case "enum":
    case "const":
    case "anyOf":
    case "oneOf":
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
    case "exclusiveMaximum":
    case "multipleOf":
    case "pattern":
    case "format":
      return `must be ${describeSchema(error.parentSchema ?? {})}`;
    default:
      return error.message ?? "does not fit";
  }
}
