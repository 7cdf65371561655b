import { quoteName } from "./sqlite-dialect.ts";

/** The table that knows the file's collections, quoted. A `$` stands in no table of an author. */
export const collectionsTable: string = quoteName("ditto$collections");

/** The tables of a collection, quoted. */
export interface PartNames {
  /** Ids, keys, scope and typed fields: narrow, so that filters read little. */
  readonly rows: string;
  /** Content, metadata and indexed text, as JSON. */
  readonly contents: string;
  /** The full-text index. */
  readonly text: string;
  readonly vectors: string;
}

/** Names of a collection's tables. */
export function partNames(table: string): PartNames {
  return {
    rows: quoteName(table),
    contents: quoteName(`${table}$content`),
    text: quoteName(`${table}$text`),
    vectors: quoteName(`${table}$vectors`),
  };
}
