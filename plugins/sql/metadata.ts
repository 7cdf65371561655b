import type { JsonObject } from "@codesoul-co/ditto/plugin";
import { CollectionFault } from "./collection-fault.ts";
import type { Declaration, DeclaredField } from "./declaration.ts";
import { describeType, encodeField } from "./field-type.ts";
import type { SqlValue } from "./sql.ts";

/** Metadata, checked: as they are kept, and as columns. */
export interface CheckedMetadata {
  /** With defaults filled in, without the scope and without `parent`, which have columns of their own. */
  readonly metadata?: JsonObject | undefined;
  /** One value for each declared field, null where there is none. */
  readonly columns: readonly SqlValue[];
}

/**
 * Checks a row's metadata against the declared fields and fills in the defaults.
 *
 * @param metadata What was given.
 * @param place The row, for messages: `memories[2]`, `record "a"`.
 * @throws CollectionFault `input` Naming the field that is missing or of a wrong type.
 */
export function checkMetadata(declaration: Declaration, metadata: unknown, place: string): CheckedMetadata {
  if (metadata !== undefined && !isObject(metadata)) throw new CollectionFault("input", `The metadata of ${place} must be an object`);
  const { namespace } = declaration.facts;
  const kept = Object.entries(metadata ?? {}).filter(([name, value]) => value !== undefined && name !== namespace && name !== "parent");
  const values = new Map<string, unknown>(kept);
  const columns = declaration.fields.map((field) => readField(field, values, place));
  if (metadata === undefined && values.size === 0) return { columns };
  return { metadata: Object.fromEntries(values) as JsonObject, columns };
}

/** The column of a field for metadata that were kept before the field was declared: null where the value does not fit. */
export function fieldOfKeptMetadata(field: Pick<DeclaredField, "name" | "type">, metadata: JsonObject | undefined): SqlValue {
  const value = metadata !== undefined && Object.hasOwn(metadata, field.name) ? metadata[field.name] : undefined;
  return (value === undefined || value === null ? undefined : encodeField(field.type, value)) ?? null;
}

/** Reads one field and puts its default among the values where it has none. */
function readField(field: DeclaredField, values: Map<string, unknown>, place: string): SqlValue {
  const value = values.get(field.name) ?? field.fallback;
  if (value === undefined || value === null) {
    if (field.required) throw new CollectionFault("input", `${place} lacks the required metadata field "${field.name}"`);
    return null;
  }
  const encoded = encodeField(field.type, value);
  if (encoded === undefined) throw new CollectionFault("input", `Metadata field "${field.name}" of ${place} must be ${describeType(field.type)}`);
  values.set(field.name, value);
  return encoded;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
