import type { JsonObject, JsonValue } from "./json.ts";

/**
 * A JSON Schema (draft-07) with this project's annotations.
 *
 * Annotated places: `x-ditto-slot` (a name or an inline component stands here), `x-ditto-place` (an expression may stand here).
 */
export interface JsonSchema {
  readonly $id?: string;
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly JsonValue[];
  readonly const?: JsonValue;
  readonly default?: JsonValue;
  readonly examples?: readonly JsonValue[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly items?: JsonSchema | readonly JsonSchema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
  readonly if?: JsonSchema;
  readonly then?: JsonSchema;
  readonly else?: JsonSchema;
  readonly definitions?: Readonly<Record<string, JsonSchema>>;
  readonly "x-ditto-slot"?: SlotAnnotation;
  readonly "x-ditto-place"?: PlaceAnnotation;
  /** A JSON Schema of the author's stands here, and is judged as one. */
  readonly "x-ditto-schema"?: true;
  /** Says in the reference which keys exclude each other or belong together, where the schema alone cannot. */
  readonly "x-ditto-note"?: string;
}

/** The roles that a component can have. */
export type RoleName = "connection" | "collection" | "search" | "embedding" | "reranker" | "call" | "memory-store" | "context-store" | "worker";

/** A slot: the role that must stand there, and the kinds where only some fit. */
export interface SlotAnnotation {
  readonly role: RoleName;
  /** Only these kinds; without it every kind of the role. */
  readonly kinds?: readonly string[];
  /** Words that mean themselves instead of a name, such as `fail`. */
  readonly literals?: readonly string[];
  /** Where the slot is left out, the key of the mapping that would hold it is the name: a branch's search. */
  readonly absent?: "key";
  /** In a list: each item is the `search` of the next one, which leaves it out. */
  readonly chain?: true;
}

/**
 * A place where expressions may stand, alone or anywhere below it.
 *
 * The result must meet the schema that carries the annotation. `sees` names what is in view besides `vars`.
 */
export interface PlaceAnnotation {
  readonly sees: readonly string[];
}

/** Any JSON that stands for a schema, before it is checked. */
export type UncheckedSchema = JsonObject;
