import { canonicalJson, type CollectionFacts, type FieldDefinition, type JsonObject } from "@codesoul-co/ditto/plugin";
import type { CollectionConfiguration, WrittenCollection } from "./collection-configuration.ts";
import { CollectionFault } from "./collection-fault.ts";
import { type FieldType, fieldType } from "./field-type.ts";

/** A declared field, ready for use. */
export interface DeclaredField {
  readonly name: string;
  readonly type: FieldType;
  /** The name of its column. */
  readonly column: string;
  readonly required: boolean;
  readonly fallback?: FieldDefinition["default"] | undefined;
}

/** A collection's declaration, ready for use: what every SQL engine reads. */
export interface Declaration {
  readonly facts: CollectionFacts;
  readonly table: string;
  readonly language: string;
  readonly fields: readonly DeclaredField[];
  /** What filters may name. */
  readonly filterFields: ReadonlyMap<string, FieldType>;
  /** What `orderBy` may name besides `id`. */
  readonly orderFields: ReadonlyMap<string, FieldType>;
  /** What is indexed and embedded. */
  indexedText(content: unknown, metadata: JsonObject): string;
}

/** Reads a collection's configuration, once at opening. */
export function declareCollection(name: string, configuration: Omit<CollectionConfiguration<unknown>, "database">): Declaration {
  const facts = collectionFacts(name, configuration, configuration.embedding?.facts);
  const fields = Object.entries(facts.fields).map(([field, definition]) => declareField(field, definition));
  const types = fields.map((field) => [field.name, field.type] as const);
  const { text } = configuration;
  return {
    facts,
    fields,
    table: configuration.table ?? name.replaceAll("-", "_"),
    language: configuration.language ?? "en",
    filterFields: new Map([...types, ["key", keyType], ["parent", keyType]]),
    orderFields: new Map([...types, ["key", keyType]]),
    indexedText: (content, metadata) => {
      if (text === undefined) return defaultText(content);
      const value: unknown = text({ content, metadata });
      if (typeof value !== "string") throw new CollectionFault("input", `The "text" expression of "${name}" gave no string`);
      return value;
    },
  };
}

/** What a collection declares, as the rest of the product reads it. */
export function collectionFacts(
  name: string,
  written: Pick<WrittenCollection, "fields" | "namespace">,
  embedding: CollectionFacts["embedding"],
): CollectionFacts {
  const fields = Object.entries(written.fields ?? {}).map(([field, definition]) => [field, withItems(definition)] as const);
  return Object.freeze({ name, fields: Object.freeze(Object.fromEntries(fields)), namespace: written.namespace ?? undefined, embedding });
}

/** What is indexed unless the author says otherwise: a string as it is, anything else as canonical JSON. */
export function defaultText(content: unknown): string {
  return typeof content === "string" ? content : canonicalJson(content);
}

/**
 * The column of a field. Capitals are marked, for engines do not tell names apart by case; a `$` stands in no field's name.
 */
export function fieldColumn(name: string): string {
  return `f_${name.replace(/[A-Z]/g, (letter) => `$${letter.toLowerCase()}`)}`;
}

const keyType: FieldType = { scalar: "string", list: false };

function declareField(name: string, definition: FieldDefinition): DeclaredField {
  return {
    name,
    type: fieldType(definition),
    column: fieldColumn(name),
    required: definition.required === true,
    fallback: definition.default,
  };
}

function withItems(definition: FieldDefinition): FieldDefinition {
  return definition.type === "array" && definition.items === undefined ? { ...definition, items: { type: "string" } } : definition;
}
