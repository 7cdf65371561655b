import { isRecord } from "../base/is-record.ts";
import type { Plan } from "../pipeline/model/plan.ts";
import type { Caller } from "./caller.ts";
import { HttpFault } from "./http-fault.ts";
import type { SearchBody } from "./search-form.ts";

/**
 * The namespace that a search is asked with: the caller's own where it has one, whatever the request says.
 *
 * It is left out where nothing that the search reaches has a scope; collections refuse it there. A search that reaches something
 * unknown, such as another process, carries it.
 *
 * @throws HttpFault 403 for a request that names another one, by itself or in its filter.
 */
export function scopeOfRequest(body: SearchBody, { caller, plan }: { readonly caller: Caller; readonly plan: Plan }): string | undefined {
  const own = caller.namespace;
  if (own === undefined) return body.namespace;
  const scopes = scopesOf(body, plan);
  const named = [body.namespace, ...scopes.fields.map((field) => plainValue(body.filter?.[field]))];
  if (named.some((value) => value !== undefined && value !== own))
    throw new HttpFault({ status: 403, code: "SERVE_FORBIDDEN" }, "The token does not open this namespace");
  return scopes.fields.length > 0 || scopes.unknown ? own : body.namespace;
}

/** The scope fields of the collections that a search reaches, and whether it reaches anything else. */
function scopesOf(
  { target, strategy }: SearchBody,
  { components, resources, targets }: Plan,
): { readonly fields: readonly string[]; readonly unknown: boolean } {
  const chosen = targets[target ?? Object.keys(targets)[0] ?? ""];
  const id = chosen?.strategies[strategy ?? chosen.default];
  const reaches = components.find((component) => component.id === id)?.facts.reaches ?? [undefined];
  const fields = reaches.flatMap((name) => {
    const collection = name === undefined ? undefined : components.find((component) => component.id === resources[name]);
    return collection?.facts.collection?.namespace ?? [];
  });
  return { fields: [...new Set(fields)], unknown: reaches.includes(undefined) };
}

function plainValue(asked: unknown): unknown {
  return isRecord(asked) && Object.keys(asked).join() === "eq" ? asked.eq : asked;
}
