import { createHash } from "node:crypto";
import type { JudgedQuery } from "./read-queries.ts";

/** Queries in two halves. */
export interface QueryHalves {
  /** A setting is chosen by these. */
  readonly chosen: readonly JudgedQuery[];
  /** And judged by these, which had no say in the choice. */
  readonly heldOut: readonly JudgedQuery[];
}

/** Splits queries into halves by a hash of their ids: the same ids are split the same way, in whatever order they stand. */
export function splitQueries(queries: readonly JudgedQuery[]): QueryHalves {
  const byHash = queries.map((query) => ({ query, hash: createHash("sha256").update(query.id).digest("hex") }));
  byHash.sort((a, b) => (a.hash < b.hash ? -1 : 1));
  const chosen = new Set(byHash.filter((_, index) => index % 2 === 0).map(({ query }) => query.id));
  return { chosen: queries.filter(({ id }) => chosen.has(id)), heldOut: queries.filter(({ id }) => !chosen.has(id)) };
}
