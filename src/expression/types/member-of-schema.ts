import { nearestNames } from "../../base/nearest-names.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";

/** What an object's schema says about one member. */
export interface MemberFacts {
  /**
   * `required`: always there. `optional`: declared, may be absent. `open`: undeclared in an open object, known at run time.
   * `unknown`: cannot be there.
   */
  readonly presence: "required" | "optional" | "open" | "unknown";
  readonly schema: JsonSchema;
}

/**
 * Finds a member in the schema of an object.
 *
 * Where a schema declares members and does not say whether there can be others, a name that looks like a slip of a declared one
 * is `unknown`; `additionalProperties: true` says that others are meant.
 *
 * @param object The schema of an object.
 * @param name The member.
 * @returns Whether it is there, and its schema.
 */
export function memberOfSchema(object: JsonSchema, name: string): MemberFacts {
  const declared = object.properties !== undefined && Object.hasOwn(object.properties, name) ? object.properties[name] : undefined;
  if (declared !== undefined) {
    return { presence: object.required?.includes(name) === true ? "required" : "optional", schema: typeof declared === "boolean" ? {} : declared };
  }
  if (object.required?.includes(name) === true) return { presence: "required", schema: otherMembers(object) ?? {} };
  const others = otherMembers(object);
  if (others === undefined) return { presence: "unknown", schema: {} };
  const unsaid = object.additionalProperties === undefined && object.patternProperties === undefined;
  if (unsaid && nearestNames(name, declaredMembers(object)).length > 0) return { presence: "unknown", schema: {} };
  return { presence: "open", schema: others };
}

/** The names that an object's schema declares. */
export function declaredMembers(object: JsonSchema): readonly string[] {
  return Object.keys(object.properties ?? {});
}

/** The schema of undeclared members; undefined where there can be none. */
export function otherMembers(object: JsonSchema): JsonSchema | undefined {
  if (object.patternProperties !== undefined) return {};
  if (object.additionalProperties === false) return undefined;
  return typeof object.additionalProperties === "object" ? object.additionalProperties : {};
}
