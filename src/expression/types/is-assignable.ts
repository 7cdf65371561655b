import type { JsonSchema } from "../../contracts/json-schema.ts";
import { acceptsValue } from "./accepts-value.ts";
import { itemSchema } from "./join-schemas.ts";
import { declaredMembers, memberOfSchema, otherMembers } from "./member-of-schema.ts";
import { type Variant, variantsOf } from "./schema-variants.ts";

/**
 * How a value of one schema stands to another: `yes` always fits, `perhaps` is known at run time only (something in it is
 * dynamic, or a limit such as `minimum` counts), `no` never fits or does not always.
 */
export type Assignability = "yes" | "perhaps" | "no";

/**
 * Judges whether values of one schema can stand where another is asked for.
 *
 * @param from What is given.
 * @param to What is asked for.
 * @returns The judgment.
 */
export function assignability(from: JsonSchema, to: JsonSchema): Assignability {
  const targets = variantsOf(to);
  if (targets.some((target) => target.kind === "any")) return "yes";
  return worst(variantsOf(from).map((source) => (source.kind === "any" ? "perhaps" : best(targets.map((target) => variantAssignability(source, target))))));
}

const order: readonly Assignability[] = ["no", "perhaps", "yes"];

function worst(judgments: readonly Assignability[]): Assignability {
  return order.find((judgment) => judgments.includes(judgment)) ?? "yes";
}

function best(judgments: readonly Assignability[]): Assignability {
  return order.findLast((judgment) => judgments.includes(judgment)) ?? "no";
}

function variantAssignability(from: Variant, to: Variant): Assignability {
  if (from.kind !== to.kind) return "no";
  if (from.kind === "list") return listAssignability(from.schema, to.schema);
  if (from.kind === "object") return objectAssignability(from.schema, to.schema);
  if (from.kind === "null" || from.kind === "any") return "yes";
  const values = from.values as readonly (string | number | boolean)[] | undefined;
  if (values !== undefined) {
    const target = { ...to.schema, ...("values" in to && to.values !== undefined ? { enum: to.values } : {}), type: typeName(to) };
    return values.every((value) => acceptsValue(value, target)) ? limitsOf(to.schema, ["pattern", "multipleOf"]) : "no";
  }
  if ("values" in to && to.values !== undefined) return "perhaps";
  if (from.kind === "number" && to.kind === "number" && to.integer && !from.integer) return "no";
  return from.schema === to.schema
    ? "yes"
    : limitsOf(to.schema, ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "pattern", "format"]);
}

function typeName(variant: Variant): string {
  if (variant.kind === "number") return variant.integer ? "integer" : "number";
  return variant.kind;
}

function limitsOf(schema: JsonSchema, keys: readonly (keyof JsonSchema)[]): Assignability {
  return keys.some((key) => schema[key] !== undefined) ? "perhaps" : "yes";
}

function listAssignability(from: JsonSchema, to: JsonSchema): Assignability {
  if (from.maxItems === 0) return (to.minItems ?? 0) > 0 ? "no" : "yes";
  return worst([assignability(itemSchema(from), itemSchema(to)), from === to ? "yes" : limitsOf(to, ["minItems", "maxItems", "uniqueItems"])]);
}

function objectAssignability(from: JsonSchema, to: JsonSchema): Assignability {
  if (from === to) return "yes";
  const judgments: Assignability[] = [limitsOf(to, ["minProperties", "maxProperties"])];
  for (const name of new Set([...declaredMembers(to), ...(to.required ?? [])])) {
    const wanted = memberOfSchema(to, name);
    const given = memberOfSchema(from, name);
    if (given.presence === "unknown") judgments.push(wanted.presence === "required" ? "no" : "yes");
    else if (wanted.presence === "required" && given.presence === "optional") judgments.push("no");
    else judgments.push(assignability(given.schema, wanted.schema), given.presence === "open" && wanted.presence === "required" ? "perhaps" : "yes");
  }
  const others = otherMembers(to);
  const declaredThere = new Set(declaredMembers(to));
  for (const name of declaredMembers(from)) {
    if (declaredThere.has(name)) continue;
    if (others === undefined) judgments.push("no");
    else judgments.push(assignability(memberOfSchema(from, name).schema, others));
  }
  const othersGiven = otherMembers(from);
  if (othersGiven !== undefined) judgments.push(others === undefined ? "perhaps" : assignability(othersGiven, others));
  return worst(judgments);
}
