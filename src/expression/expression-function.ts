import type { JsonValue } from "../contracts/json.ts";
import type { JsonSchema } from "../contracts/json-schema.ts";

/**
 * A pure function that is brought along, called as `name(a, b)`.
 *
 * A plugin's `FunctionDefinition` has this shape.
 */
export interface ExpressionFunction {
  readonly parameters: readonly { readonly name: string; readonly schema: JsonSchema; readonly optional?: boolean | undefined }[];
  readonly result: JsonSchema;
  /** Takes and gives plain JSON values; throws only for values that it refuses. Equal arguments must give equal results. */
  readonly call: (...values: readonly JsonValue[]) => JsonValue;
}
