import { canonicalJson } from "../../base/canonical-json.ts";
import { isRecord } from "../../base/is-record.ts";
import { RetrievalError } from "../../contracts/retrieval-error.ts";

/** A filter as requests carry it. */
type Filter = Readonly<Record<string, unknown>>;

/**
 * Adds a filter to a request's own, so that both must hold.
 *
 * A field that only one side has is taken as it is. Where both have it and differ, their operators are put together
 * (`{ gte: 1 }` and `{ lt: 5 }`, or `"a"` and `{ in: [...] }`). Where one object cannot hold both sides, because they use one operator with
 * different values or values of another grammar, the request is refused: neither side is ever dropped or loosened.
 *
 * @param own The request's filter.
 * @param added What must hold too.
 * @returns A new filter, or the only one there is.
 * @throws RetrievalError `RETRIEVAL_INVALID_INPUT` naming the field where both cannot be put together.
 */
export function addFilter(own: Filter | undefined, added: Filter | undefined): Record<string, unknown> | undefined {
  if (own === undefined || added === undefined) {
    const only = own ?? added;
    return only === undefined ? undefined : { ...only };
  }
  const both = new Map(Object.entries(own));
  for (const [field, value] of Object.entries(added)) {
    both.set(field, both.has(field) ? combined(field, both.get(field), value) : value);
  }
  return Object.fromEntries(both);
}

function combined(field: string, own: unknown, added: unknown): unknown {
  if (same(own, added)) return own;
  const left = operatorsOf(own);
  const right = operatorsOf(added);
  if (left === undefined || right === undefined) throw clash(field);
  for (const operator of Object.keys(right)) {
    if (Object.hasOwn(left, operator) && !same(left[operator], right[operator])) throw clash(field);
  }
  return { ...left, ...right };
}

function operatorsOf(value: unknown): Record<string, unknown> | undefined {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return { eq: value };
  if (!isRecord(value)) return undefined;
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => operators.has(key)) ? value : undefined;
}

const operators: ReadonlySet<string> = new Set(["eq", "ne", "in", "any", "all", "gt", "gte", "lt", "lte", "exists"]);

function same(a: unknown, b: unknown): boolean {
  return Object.is(a, b) || canonicalJson(a) === canonicalJson(b);
}

function clash(field: string): RetrievalError {
  return new RetrievalError("RETRIEVAL_INVALID_INPUT", `The filter on ${JSON.stringify(field)} cannot be joined with the one that this search adds`);
}
