import type { Collection } from "../contracts/collection.ts";
import type { Pipeline } from "../live/pipeline.ts";
import type { Plan } from "../pipeline/model/plan.ts";

/**
 * The collections that a strategy reaches, live.
 *
 * @param pipeline An open pipeline.
 * @param strategy A strategy of it; others reach nothing.
 */
export function collectionsBelow(
  pipeline: Pick<Pipeline, "plan" | "resource">,
  { target, strategy }: { readonly target: string; readonly strategy: string },
): readonly Collection[] {
  const { plan } = pipeline;
  const start = plan.targets[target]?.strategies[strategy];
  const reached = start === undefined ? new Set<string>() : componentsBelow(plan, start);
  const collections = new Set(plan.components.flatMap(({ id, role }) => (role === "collection" ? [id] : [])));
  return Object.entries(plan.resources).flatMap(([name, id]) => (collections.has(id) && reached.has(id) ? [pipeline.resource(name) as Collection] : []));
}

/** A component and everything in its slots, by id; what is nearer comes first. */
export function componentsBelow({ components }: Plan, start: string): ReadonlySet<string> {
  const byId = new Map(components.map((component) => [component.id, component]));
  const reached = new Set([start]);
  for (const id of reached) for (const below of byId.get(id)?.slots.values() ?? []) reached.add(below);
  return reached;
}
