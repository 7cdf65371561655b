import type { Collection } from "../contracts/collection.ts";
import type { Pipeline } from "../live/pipeline.ts";

/** The collections that a pipeline declares as resources, live. */
export function collectionsOf(pipeline: Pipeline): readonly { readonly name: string; readonly collection: Collection }[] {
  const { plan } = pipeline;
  return Object.entries(plan.resources).flatMap(([name, id]) => {
    const component = plan.components.find((candidate) => candidate.id === id);
    return component?.role === "collection" ? [{ name, collection: pipeline.resource(name) as Collection }] : [];
  });
}
