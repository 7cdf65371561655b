import { isRecord } from "../../../base/is-record.ts";
import type { MemoryItem, MemorySearchOutput, MemorySearchResult } from "../../../contracts/memory.ts";
import type { RetrievalCandidate, RetrievalSearchOutput } from "../../../contracts/retrieval.ts";
import { invalidOutput } from "../../check-search-output.ts";

/**
 * Makes memory hits of candidates whose content is a whole MemoryItem.
 *
 * Score and candidate metadata are kept; a candidate's `source` becomes `metadata.source`, or `metadata.retrievalSource` where the
 * metadata has a `source` of its own.
 *
 * @param output A search's answer.
 * @returns One hit for each candidate, in their order.
 * @throws RetrievalError `RETRIEVAL_INVALID_BACKEND_OUTPUT` for a content that is no MemoryItem or an id that is not the memory's: no id is
 *   ever made up.
 * @example
 * ```ts
 * const hits = mapMemoryCandidates(await provider.search(request));
 * ```
 */
export function mapMemoryCandidates(output: RetrievalSearchOutput): MemorySearchOutput {
  return output.candidates.map(toHit);
}

function toHit(candidate: RetrievalCandidate, index: number): MemorySearchResult {
  const memory = checkMemory(candidate.content, index);
  if (candidate.id !== undefined && candidate.id !== memory.id) throw invalidOutput(`candidates[${index}] has another id than its memory`);
  const metadata = hitMetadata(candidate);
  return { memory, ...(candidate.score === undefined ? {} : { score: candidate.score }), ...(metadata === undefined ? {} : { metadata }) };
}

function checkMemory(content: unknown, index: number): MemoryItem {
  const problem = (text: string): Error => invalidOutput(`The content of candidates[${index}] is no whole memory: ${text}`);
  if (typeof content !== "object" || content === null || Array.isArray(content)) throw problem("it is no object");
  const { id, key, content: text, metadata } = content as Partial<Record<keyof MemoryItem, unknown>>;
  if (typeof id !== "string" || id === "") throw problem("it has no id");
  if (key !== undefined && (typeof key !== "string" || key === "")) throw problem("its key is no non-empty text");
  if (text === undefined) throw problem("it has no content");
  if (metadata !== undefined && !isRecord(metadata)) throw problem("its metadata is no object");
  return { id, ...(key === undefined ? {} : { key }), content: text, ...(metadata === undefined ? {} : { metadata }) };
}

function hitMetadata({ metadata, source }: RetrievalCandidate): Record<string, unknown> | undefined {
  if (source === undefined) return metadata;
  return { ...metadata, [metadata?.source === undefined ? "source" : "retrievalSource"]: source };
}
