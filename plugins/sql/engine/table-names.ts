/** The table that knows a database's collections. A `$` stands in no table of an author. */
export const collectionsTable = "ditto$collections";

/** The tables of a collection, not quoted. */
export interface CollectionTableNames {
  readonly rows: string;
  /** Which term stands in which row, and how often. */
  readonly postings: string;
  /** In how many rows each term stands. */
  readonly terms: string;
  readonly vectors: string;
}

/** Names of a collection's tables. */
export function collectionTableNames(table: string): CollectionTableNames {
  return { rows: table, postings: `${table}$postings`, terms: `${table}$terms`, vectors: `${table}$vectors` };
}
