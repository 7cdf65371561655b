import type { DeclaredField } from "../sql/declaration.ts";
import type { MilvusDatabase, MilvusCall } from "./milvus-database.ts";

/** Version of the layout of these collections. */
export const layoutVersion = 1;

/** The collection that knows a database's collections. */
export const catalogueName = "ditto__collections";

/** Longest text of a column, in bytes of UTF-8. */
export const longestText = 65_535;
/** Most items of a list, its mark among them. */
export const longestList = 4_096;

/** The columns that a row is read from. */
export const rowColumns: readonly string[] = ["pk", "scope", "id", "record", "key", "hash", "content", "metadata", "text", "embedded"];

/** The column of a declared field. */
export function columnOf(field: string): string {
  return `f_${field}`;
}

/** How dense vectors are found: `flat` compares with all, `hnsw` through a graph. */
export interface VectorIndex {
  readonly type: "flat" | "hnsw";
  readonly m?: number | undefined;
  readonly efConstruction?: number | undefined;
}

/** What a collection is made with. */
export interface CollectionLayout {
  readonly collection: string;
  readonly fields: readonly Pick<DeclaredField, "name" | "type">[];
  /** Length of its vectors; undefined for a collection without an embedding. */
  readonly dimensions: number | undefined;
  /** Whether the server can keep sparse vectors, which full text is made of. */
  readonly text: boolean;
  readonly index: VectorIndex;
}

/** The collection's fields as the server takes them. */
export function collectionFields({ fields, dimensions, text }: CollectionLayout): readonly object[] {
  return [
    { name: "pk", data_type: "VarChar", max_length: 64, is_primary_key: true, autoID: false },
    ...["scope", "id", "record", "parent", "key", "hash", "content", "metadata", "text"].map(textField),
    { name: "tokens", data_type: "Int64" },
    { name: "embedded", data_type: "Bool" },
    ...fields.map(({ name, type }) =>
      type.list
        ? { name: columnOf(name), data_type: "Array", element_type: "VarChar", max_length: longestText, max_capacity: longestList }
        : textField(columnOf(name)),
    ),
    ...(dimensions === undefined && text ? [] : [{ name: "vector", data_type: "FloatVector", dim: dimensions ?? smallest }]),
    ...(text ? [{ name: "terms", data_type: "SparseFloatVector" }] : []),
  ];
}

/** Its indexes. */
export function collectionIndexes({ dimensions, text, index }: CollectionLayout): readonly object[] {
  const { type, m = 16, efConstruction = 200 } = index;
  const dense =
    type === "hnsw"
      ? { field_name: "vector", index_name: "vector", index_type: "HNSW", metric_type: "COSINE", params: { M: m, efConstruction } }
      : { field_name: "vector", index_name: "vector", index_type: "FLAT", metric_type: "COSINE" };
  const sparse = { field_name: "terms", index_name: "terms", index_type: "SPARSE_INVERTED_INDEX", metric_type: "IP", params: { drop_ratio_build: 0 } };
  return [...(dimensions === undefined && text ? [] : [dense]), ...(text ? [sparse] : [])];
}

/** The name of the collection that holds in how many rows each term stands. */
export function termsName(collection: string): string {
  return `${collection}__terms`;
}

/** Makes a collection's collections. */
export async function createCollections(database: MilvusDatabase, layout: CollectionLayout, call: MilvusCall): Promise<void> {
  await database.create({ collection: layout.collection, fields: collectionFields(layout), indexes: collectionIndexes(layout) }, call);
  if (layout.text) await createKeyed(database, { collection: termsName(layout.collection), numbers: ["documents", "tokens"], texts: [] }, call);
}

/** Makes the catalogue, unless it is there. */
export async function createCatalogue(database: MilvusDatabase, call: MilvusCall): Promise<void> {
  if (await database.hasCollection(catalogueName, call)) return;
  await createKeyed(database, { collection: catalogueName, numbers: [], texts: ["body"] }, call);
}

/** A row of a collection that is no search's: every collection needs a vector. */
export const noVector: { readonly vector: readonly number[] } = { vector: [1, 0] };

async function createKeyed(
  database: MilvusDatabase,
  { collection, numbers, texts }: { readonly collection: string; readonly numbers: readonly string[]; readonly texts: readonly string[] },
  call: MilvusCall,
): Promise<void> {
  const fields = [
    { name: "pk", data_type: "VarChar", max_length: 1024, is_primary_key: true, autoID: false },
    ...numbers.map((name) => ({ name, data_type: "Int64" })),
    ...texts.map(textField),
    { name: "vector", data_type: "FloatVector", dim: smallest },
  ];
  const indexes = [{ field_name: "vector", index_name: "vector", index_type: "FLAT", metric_type: "L2" }];
  await database.create({ collection, fields, indexes }, call);
}

/** Fewest dimensions that a server takes. */
const smallest = 2;

function textField(name: string): object {
  return { name, data_type: "VarChar", max_length: longestText };
}
