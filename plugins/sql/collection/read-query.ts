import type { RetrievalSearchInput } from "@codesoul-co/ditto/plugin";
import { CollectionFault } from "../collection-fault.ts";
import type { Declaration } from "../declaration.ts";
import { toVector } from "../embed-texts.ts";

/** @throws CollectionFault `input` or `embedding` For a query that is no vector, or one without a direction. */
export function readQueryVector(content: RetrievalSearchInput["query"]["content"]): Float32Array {
  if (!Array.isArray(content) && !(content instanceof Float32Array)) throw new CollectionFault("input", "A vector search needs a vector of numbers");
  return toVector(content, "The vector of the query");
}

/** @throws CollectionFault `embedding` For another length than that of the vectors that are kept. */
export function assertDimensions(query: Float32Array, dimensions: number | undefined, declaration: Declaration): void {
  if (dimensions === undefined || query.length === dimensions) return;
  throw new CollectionFault(
    "embedding",
    `The vector of the query has ${query.length} dimensions, but collection "${declaration.facts.name}" keeps ${dimensions}`,
  );
}

/** A text to search for. @throws CollectionFault `input` For what is blank or no text. */
export function readQueryText(content: RetrievalSearchInput["query"]["content"]): string {
  if (typeof content === "string" && content.trim() !== "") return content;
  throw new CollectionFault("input", "A text search needs a text that is not blank");
}
