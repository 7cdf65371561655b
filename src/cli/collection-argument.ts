import { nearestName } from "../base/nearest-names.ts";
import type { Collection } from "../contracts/collection.ts";
import type { Pipeline } from "../live/pipeline.ts";
import { collectionsOf } from "./collections-of.ts";
import { UsageError } from "./usage-error.ts";

/**
 * Finds the collection that an argument names.
 *
 * @throws UsageError With the nearest name, or those that there are.
 */
export function collectionArgument(pipeline: Pipeline, name: string): Collection {
  const collections = collectionsOf(pipeline);
  const found = collections.find((candidate) => candidate.name === name);
  if (found !== undefined) return found.collection;
  throw new UsageError(`no collection is called "${name}"`, {
    hint: meantName(
      name,
      collections.map((candidate) => candidate.name),
    ),
  });
}

/** What to write instead of a name that nothing has. */
export function meantName(name: string, names: readonly string[]): string {
  const near = nearestName(name, names);
  if (near !== undefined) return `did you mean "${near}"?`;
  return names.length === 0 ? "the file has none" : `there are ${names.join(", ")}`;
}
