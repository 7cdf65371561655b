import type { JsonValue } from "../../contracts/json.ts";
import type { JsonSchema, SlotAnnotation } from "../../contracts/json-schema.ts";
import type { DocumentNode, KeyNode, MappingNode, ScalarNode, SequenceNode } from "../../document/document.ts";
import { pointerTo } from "../../document/find-node.ts";
import { memberSchema } from "../model/member-schema.ts";
import type { HoleShape, PlaceShape } from "../model/shape.ts";

/** A slot before what stands in it is looked at. */
export interface FoundSlot {
  readonly pointer: string;
  readonly annotation: SlotAnnotation;
  readonly label: string;
  /** What is written; for a slot that is left out and means its key, the key's name and the node that lacks it. */
  readonly node: DocumentNode;
  readonly impliedName: string | undefined;
  /** The key that leads to it. */
  readonly key: KeyNode | undefined;
  /** In a chain: which step it is. */
  readonly step: number | undefined;
}

/** A configuration taken apart along its schema. */
export interface ConfigurationParts {
  readonly value: JsonValue;
  readonly slots: readonly FoundSlot[];
  readonly places: readonly PlaceShape[];
  readonly holes: readonly HoleShape[];
  /** Whether all of it could be read. */
  readonly readable: boolean;
}

/**
 * Takes a configuration apart: plain values with the schema's defaults, and the slots, places and holes in it.
 *
 * It reports nothing: what does not meet the schema was reported by validation, and is read as well as it can be.
 *
 * @param node The configuration.
 * @param schema Its kind's schema; undefined for an unknown kind.
 * @param label How diagnostics name the whole: the kind.
 */
export function readConfiguration(node: DocumentNode, schema: JsonSchema | undefined, label: string): ConfigurationParts {
  const reader = new Reader();
  const value = reader.read(node, { schema, pointer: "", label, key: undefined, name: undefined, step: undefined });
  return { value, slots: reader.slots, places: reader.places, holes: reader.holes, readable: reader.readable };
}

interface At {
  readonly schema: JsonSchema | undefined;
  readonly pointer: string;
  readonly label: string;
  /** The key in the mapping above, for slots that mean it. */
  readonly name: string | undefined;
  readonly key: KeyNode | undefined;
  readonly step: number | undefined;
}

class Reader {
  readonly slots: FoundSlot[] = [];
  readonly places: PlaceShape[] = [];
  readonly holes: HoleShape[] = [];
  readable = true;

  read(node: DocumentNode, at: At): JsonValue {
    const { schema, pointer, label } = at;
    const slot = schema?.["x-ditto-slot"];
    if (slot !== undefined && !isLiteral(node, slot)) {
      this.slots.push({ pointer, annotation: slot, label, node, impliedName: undefined, key: at.key, step: at.step });
      return null;
    }
    const place = schema?.["x-ditto-place"];
    if (place !== undefined && schema !== undefined) {
      this.places.push({ pointer, annotation: place, schema, label, node });
      return null;
    }
    if (node.kind === "scalar") return this.#scalar(node, at);
    // What stands in a list where none can be, or the other way round, means nothing; that it cannot was reported.
    if (!allows(schema, node.kind === "sequence" ? "array" : "object")) return null;
    return node.kind === "sequence" ? this.#list(node, at) : this.#mapping(node, at);
  }

  #scalar(node: ScalarNode, { schema, pointer, label }: At): JsonValue {
    if (node.unreadable === true) this.readable = false;
    if (typeof node.value !== "string" || !node.value.includes("${")) return node.value;
    this.holes.push({ pointer, schema, label, node });
    return null;
  }

  #list(node: SequenceNode, { schema, pointer, label }: At): JsonValue {
    const form = formFor(schema, "array");
    const items = Array.isArray(form?.items) ? undefined : (form?.items as JsonSchema | undefined);
    const chain = items?.["x-ditto-slot"]?.chain === true;
    return node.items.map((item, index) =>
      this.read(item, {
        schema: items,
        pointer: pointerTo(pointer, index),
        label: `item ${index + 1} of ${label}`,
        name: undefined,
        key: undefined,
        step: chain ? index : undefined,
      }),
    );
  }

  #mapping(node: MappingNode, { schema, pointer, label, name: own, key }: At): JsonValue {
    const form = formFor(schema, "object");
    const value: Record<string, JsonValue> = {};
    for (const entry of node.entries) {
      const name = entry.key.text;
      value[name] = this.read(entry.value, {
        schema: form === undefined ? undefined : memberSchema(form, name)?.schema,
        pointer: pointerTo(pointer, name),
        label: name,
        name,
        key: entry.key,
        step: undefined,
      });
    }
    for (const [name, property] of Object.entries(form?.properties ?? {})) {
      if (name in value) continue;
      const slot = property["x-ditto-slot"];
      if (slot?.absent === "key" && own !== undefined) {
        this.slots.push({ pointer: pointerTo(pointer, name), annotation: slot, label, node, impliedName: own, key, step: undefined });
        value[name] = null;
      } else if (property.default !== undefined && property["x-ditto-place"] === undefined) value[name] = property.default;
    }
    return value;
  }
}

function isLiteral(node: DocumentNode, slot: SlotAnnotation): boolean {
  return node.kind === "scalar" && typeof node.value === "string" && slot.literals?.includes(node.value) === true;
}

function allows(schema: JsonSchema | undefined, type: "array" | "object"): boolean {
  if (schema === undefined) return true;
  if (schema.type !== undefined) return [schema.type].flat().includes(type);
  const forms = schema.anyOf ?? schema.oneOf;
  return schema.enum === undefined && schema.const === undefined && (forms === undefined || forms.some((form) => allows(form, type)));
}

/** Where a schema allows several forms, the one for this kind of node. */
function formFor(schema: JsonSchema | undefined, type: "array" | "object"): JsonSchema | undefined {
  if (schema === undefined || schema.properties !== undefined || schema.items !== undefined || schema.additionalProperties !== undefined) return schema;
  const forms = schema.anyOf ?? schema.oneOf;
  return forms?.find((form) => form.type === type) ?? schema;
}
