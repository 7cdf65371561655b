import { isRecord } from "../base/is-record.ts";
import type { Collection, CollectionCallOptions, CollectionRecords } from "../contracts/collection.ts";
import type { MemoryStore } from "../contracts/memory.ts";
import { MemoryError } from "../contracts/memory-error.ts";
import type { RetrievalSearchProvider } from "../contracts/retrieval.ts";
import { RetrievalError } from "../contracts/retrieval-error.ts";
import type { Plan, PlanComponent } from "../pipeline/model/plan.ts";
import { callerScope } from "./caller-scope.ts";

/**
 * Holds a component to the scope of whoever asks: collections with a scope, and searches that ask no other search of the file.
 *
 * @param value What lives.
 * @param component What the plan says of it.
 * @param plan Where its slots are looked up.
 */
export function guardScope(value: unknown, component: PlanComponent, plan: Pick<Plan, "components">): unknown {
  if (component.role === "collection") return guardCollection(value as Collection);
  if (component.role !== "search") return value;
  const slots = new Set(component.slots.values());
  const asksAnother = plan.components.some(({ id, role }) => role === "search" && slots.has(id));
  return asksAnother ? value : guardSearch(value as RetrievalSearchProvider);
}

/**
 * Holds a collection to the scope of whoever asks; one without a scope stays as it is.
 *
 * Callers without a scope of their own pay one look-up a call.
 */
function guardCollection(collection: Collection): Collection {
  const field = collection.facts.namespace;
  if (field === undefined) return collection;
  const { vector, vectors } = collection;
  return Object.freeze({
    facts: collection.facts,
    embedding: collection.embedding,
    text: guardSearch(collection.text),
    ...(vector === undefined ? {} : { vector: guardSearch(vector) }),
    ...(vectors === undefined
      ? {}
      : { vectors: (ids: readonly string[], options?: CollectionCallOptions) => allowed(options?.namespace, () => vectors.call(collection, ids, options)) }),
    records: guardRecords(collection.records),
    ...guardStore(collection, field),
  } satisfies Collection);
}

/** Holds a search to the scope of whoever asks: a namespace that it is asked with must be that. */
function guardSearch(provider: RetrievalSearchProvider): RetrievalSearchProvider {
  return {
    search: async (input, context) => {
      const { namespace } = input.target;
      if (namespace !== undefined && isOther(namespace)) throw new RetrievalError("RETRIEVAL_PERMISSION_DENIED", "The caller may not search in this namespace");
      return provider.search(input, context);
    },
  };
}

/** The scope is part of every filter and of the metadata of what is written; what lacks it the collection refuses itself. */
function guardStore(store: MemoryStore, field: string): MemoryStore {
  const filtered = <I extends { readonly filter?: Record<string, unknown> | undefined }, O extends unknown[], R>(
    work: (input: I, ...options: O) => Promise<R>,
  ) => {
    return async (input: I, ...options: O): Promise<R> => allowed(scopeOf(input.filter?.[field]), () => work.call(store, input, ...options));
  };
  return {
    get: filtered(store.get),
    query: filtered(store.query),
    update: filtered(store.update),
    delete: filtered(store.delete),
    write: async (input, options) => {
      for (const { metadata } of input.memories) assertAllowed(metadata?.[field]);
      return store.write(input, options);
    },
  };
}

function guardRecords(records: CollectionRecords): CollectionRecords {
  return {
    count: async (options) => allowed(options?.namespace, () => records.count(options)),
    hashes: async (ids, options) => allowed(options?.namespace, () => records.hashes(ids, options)),
    replace: async (parts, options) => allowed(options?.namespace, () => records.replace(parts, options)),
    remove: async (ids, options) => allowed(options?.namespace, () => records.remove(ids, options)),
    removeWhere: async (filter, options) => allowed(options?.namespace, () => records.removeWhere(filter, options)),
    scan: (options) => allowed(options?.namespace, () => records.scan(options)),
  };
}

/** A filter names a value by itself or as `{ eq: value }`. */
function scopeOf(asked: unknown): unknown {
  return isRecord(asked) && Object.keys(asked).join() === "eq" ? asked.eq : asked;
}

function allowed<T>(scope: unknown, work: () => T): T {
  assertAllowed(scope);
  return work();
}

function assertAllowed(scope: unknown): void {
  if (isOther(scope)) throw new MemoryError("PERMISSION_DENIED", "The caller may not use this scope");
}

/** Whether the caller is held to a scope, and this is not it. */
function isOther(scope: unknown): boolean {
  const own = callerScope();
  return own !== undefined && scope !== own;
}
