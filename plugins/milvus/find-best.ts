import { compareBytes } from "./compare-bytes.ts";
import { rowColumns } from "./collection-layout.ts";
import { largestWindow, type MilvusCall, type MilvusHit, type MilvusSearch } from "./milvus-database.ts";
import type { MilvusCore } from "./milvus-core.ts";
import { type StoredRow, toStoredRow } from "./read-rows.ts";

/** A found row and its score, which rises with relevance. */
export interface FoundRow {
  readonly row: StoredRow;
  readonly score: number;
}

/** The best rows, and whether the server gave all that it had. */
export interface BestRows {
  readonly rows: readonly FoundRow[];
  readonly exhausted: boolean;
}

/**
 * The best rows, ties by id.
 *
 * The server gives them by score alone. Where the last one ties with what comes behind it, or hits are none, more are asked for, until
 * the tie has ended and ids can decide.
 *
 * @param isHit Tells hits from rows that are there for the server's sake.
 * @returns Undefined where the collection is gone.
 */
export async function findBest(
  core: Pick<MilvusCore, "database">,
  search: Omit<MilvusSearch, "fields" | "limit"> & { readonly limit: number; readonly isHit: (hit: MilvusHit) => boolean },
  call: MilvusCall,
): Promise<BestRows | undefined> {
  const { limit, isHit, ...asked } = search;
  for (let window = Math.min(limit + 1, largestWindow); ; window = Math.min(window * 4, largestWindow)) {
    const given = await core.database.search({ ...asked, fields: rowColumns, limit: window }, call);
    if (given === undefined) return undefined;
    const hits = given.filter((hit) => Number.isFinite(hit.score) && isHit(hit));
    hits.sort((a, b) => b.score - a.score || compareBytes(String(a.id), String(b.id)));
    const exhausted = given.length < window;
    const ended = hits.length > limit && hits[limit - 1]?.score !== hits.at(-1)?.score;
    if (exhausted || ended || window === largestWindow) {
      return { rows: hits.slice(0, limit).map((hit) => ({ row: toStoredRow(hit), score: hit.score })), exhausted };
    }
  }
}
