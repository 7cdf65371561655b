import type { Pipeline, PipelineSearchRequest } from "../live/pipeline.ts";
import { collectionsOf } from "./collections-of.ts";

/** What may be the reason for an empty answer, and what to try. */
export async function emptyHint(pipeline: Pipeline, request: PipelineSearchRequest): Promise<string> {
  const collections = collectionsOf(pipeline);
  const counts = await Promise.all(collections.map(({ collection }) => collection.records.count().catch(() => undefined)));
  const names = collections.map(({ name }) => `"${name}"`).join(", ");
  if (counts.length > 0 && counts.every((count) => count === 0))
    return `${names} ${counts.length === 1 ? "holds" : "hold"} no records yet: ditto ingest FILE writes some.`;
  if (request.filter !== undefined) return "Perhaps the filter leaves nothing: try without --filter.";
  if (request.namespace !== undefined) return `Perhaps nothing belongs to the scope "${request.namespace}".`;
  return "Try other or fewer words.";
}
