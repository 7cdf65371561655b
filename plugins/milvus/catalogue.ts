import type { StoredDeclaration } from "../sql/stored-declaration.ts";
import { catalogueName, noVector, type VectorIndex } from "./collection-layout.ts";
import type { MilvusCall, MilvusDatabase } from "./milvus-database.ts";
import { literal } from "./milvus-expression.ts";

/** What is kept of a collection beside its rows. */
export interface CatalogueEntry {
  readonly declaration: StoredDeclaration;
  /** The server's collection that holds the rows; another one after each re-indexing. */
  readonly collection: string;
  /** Whether it has full text. */
  readonly text: boolean;
  /** The average length of a text in tokens that the weights of documents were made with; undefined before the first. */
  readonly average?: number | undefined;
  readonly index: VectorIndex;
}

/** The entry of a collection; undefined where there is none. */
export async function readEntry(database: MilvusDatabase, table: string, call: MilvusCall): Promise<CatalogueEntry | undefined> {
  const rows = await database.query({ collection: catalogueName, filter: `pk == ${literal(table)}`, fields: ["body"], limit: 1 }, call);
  const body = rows?.[0]?.body;
  return typeof body === "string" ? (JSON.parse(body) as CatalogueEntry) : undefined;
}

/** Keeps an entry, in place of the one that is there. */
export async function writeEntry(database: MilvusDatabase, table: string, entry: CatalogueEntry, call: MilvusCall): Promise<void> {
  await database.upsert(catalogueName, [{ pk: table, body: JSON.stringify(entry), ...noVector }], call);
}
