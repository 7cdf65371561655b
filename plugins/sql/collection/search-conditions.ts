import { allOf, type Condition, conditionSql } from "../filter.ts";
import { type Sql, sql } from "../sql.ts";
import type { CollectionReader, CollectionState } from "./collection-reader.ts";

/** What rows, called `r`, must meet to be found; undefined where all may be. */
export function searchConditions(
  { declaration, dialect }: CollectionReader,
  { state, scope, conditions }: { readonly state: CollectionState; readonly scope: string; readonly conditions: readonly Condition[] },
): Sql | undefined {
  const pieces = conditions.map((condition) => conditionSql(condition, state.column(condition.field), dialect));
  if (declaration.facts.namespace !== undefined) pieces.unshift(sql`r.scope = ${scope}`);
  return pieces.length === 0 ? undefined : allOf(pieces);
}
