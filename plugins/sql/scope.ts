import { CollectionFault } from "./collection-fault.ts";
import type { Declaration } from "./declaration.ts";
import { isWellFormed } from "./field-type.ts";

/** The scope of a collection that declares none: its column is the empty text in every row. */
const noScope = "";

/**
 * The scope of MEMORY's GET, UPDATE and DELETE: their `filter` names it, and nothing else.
 *
 * @throws CollectionFault `filter` When it is missing, or there for a collection without a scope.
 */
export function scopeOfCall(declaration: Declaration, filter: unknown): string {
  const { name, namespace } = declaration.facts;
  if (namespace === undefined) {
    if (filter === undefined) return noScope;
    throw new CollectionFault("filter", `Collection "${name}" has no namespace, so this call takes no filter`);
  }
  const { scope, rest } = splitScope(declaration, filter);
  const other = Object.keys(rest)[0];
  if (other !== undefined) throw new CollectionFault("filter", `This call's filter takes the namespace field "${namespace}" only, not "${other}"`);
  return scope;
}

/**
 * Takes the scope out of the filter of MEMORY.QUERY.
 *
 * @returns The scope, and the filter without it.
 * @throws CollectionFault `filter` When a collection with a scope is asked without one.
 */
export function splitScope(declaration: Declaration, filter: unknown): { readonly scope: string; readonly rest: object } {
  const { name, namespace } = declaration.facts;
  if (filter !== undefined && (typeof filter !== "object" || filter === null || Array.isArray(filter))) {
    throw new CollectionFault("filter", "A filter must be an object");
  }
  if (namespace === undefined) return { scope: noScope, rest: filter ?? {} };
  const { [namespace]: asked, ...rest } = (filter ?? {}) as Readonly<Record<string, unknown>>;
  const scope = isExactly(asked) ? asked.eq : asked;
  if (!isScope(scope)) throw new CollectionFault("filter", `Collection "${name}" needs its namespace: filter "${namespace}" must be a non-empty string`);
  return { scope, rest };
}

/**
 * The scope of a row that is to be written: its metadata name it.
 *
 * @throws CollectionFault `input` When it is missing.
 */
export function scopeOfMetadata(declaration: Declaration, metadata: unknown, place: string): string {
  const { name, namespace } = declaration.facts;
  if (namespace === undefined) return noScope;
  const scope = typeof metadata === "object" && metadata !== null ? (metadata as Readonly<Record<string, unknown>>)[namespace] : undefined;
  if (isScope(scope)) return scope;
  throw new CollectionFault("input", `${place} needs the namespace of "${name}": metadata field "${namespace}" must be a non-empty string`);
}

/**
 * The scope of a search, or of the bulk port.
 *
 * @param namespace The value that the request carried.
 * @throws CollectionFault `input` When it is missing, or there for a collection without a scope.
 */
export function scopeOfNamespace(declaration: Declaration, namespace: unknown): string {
  const { name, namespace: field } = declaration.facts;
  if (field === undefined) {
    if (namespace === undefined) return noScope;
    throw new CollectionFault("input", `Collection "${name}" has no namespace, but the request carries one`);
  }
  if (isScope(namespace)) return namespace;
  throw new CollectionFault("input", `Collection "${name}" needs a namespace, the value of its field "${field}", as a non-empty string`);
}

/** Refuses new metadata that would move a row to another scope, or name another record as its parent. */
export function assertSameScope(
  declaration: Declaration,
  metadata: object,
  row: { readonly scope: string; readonly parent?: string | undefined; readonly place: string },
): void {
  const { namespace } = declaration.facts;
  const given = metadata as Readonly<Record<string, unknown>>;
  if (namespace !== undefined && given[namespace] !== undefined && given[namespace] !== row.scope) {
    throw new CollectionFault("input", `The namespace field "${namespace}" of ${row.place} cannot be changed`);
  }
  assertParent(metadata, row);
}

/** Refuses a `parent` that is not the record that the row belongs to. */
export function assertParent(metadata: unknown, row: { readonly parent?: string | undefined; readonly place: string }): void {
  const parent = typeof metadata === "object" && metadata !== null ? (metadata as Readonly<Record<string, unknown>>).parent : undefined;
  if (parent !== undefined && parent !== row.parent) {
    throw new CollectionFault("input", `The metadata field "parent" of ${row.place} is reserved for the record that a chunk belongs to`);
  }
}

function isExactly(value: unknown): value is { readonly eq: unknown } {
  return typeof value === "object" && value !== null && Object.keys(value).join() === "eq";
}

function isScope(value: unknown): value is string {
  return typeof value === "string" && value !== "" && isWellFormed(value);
}
