import { CollectionFault } from "../sql/collection-fault.ts";
import type { MilvusCall, MilvusDatabase } from "./milvus-database.ts";
import type { Metric, MilvusSearchConfiguration } from "./milvus-search-configuration.ts";

/** What a search has to know of a collection that an application keeps. */
export interface DescribedCollection {
  readonly primaryKey: string;
  /** Length of the vectors of the searched field; undefined for a sparse one. */
  readonly dimensions: number | undefined;
  /** Whether the server makes the field's vectors itself, out of texts. */
  readonly takesText: boolean;
  readonly metric: Metric;
}

/**
 * Looks a collection up and checks it against a configuration, for servers and driver fail in many ways over what is missing.
 *
 * @throws CollectionFault `missing` for a collection or index that is not there, `mismatch` for a field, or for another metric.
 */
export async function describeCollection(
  database: MilvusDatabase,
  { collection, vectorField, outputFields, fields = {}, namespace, metric }: MilvusSearchConfiguration,
  call: MilvusCall,
): Promise<DescribedCollection> {
  const what = `Looking at collection "${collection}"`;
  const described = await database.run(
    what,
    collection,
    async (client, timeout) => await client.describeCollection({ collection_name: collection, timeout }),
    call,
  );
  if (described === undefined) throw new CollectionFault("missing", `The Milvus server has no collection "${collection}"`);
  const schema = described.schema as unknown as DescribedSchema;
  const known = new Map(schema.fields.map((field) => [field.name, field]));
  const field = known.get(vectorField);
  if (field === undefined) throw new CollectionFault("mismatch", `The Milvus collection "${collection}" has no field "${vectorField}"`);
  const named = [...outputFields, ...Object.keys(fields), ...(namespace === undefined ? [] : [namespace])];
  const unknown = schema.enable_dynamic_field === true ? undefined : named.find((name) => !known.has(name));
  if (unknown !== undefined) throw new CollectionFault("mismatch", `The Milvus collection "${collection}" has no field "${unknown}"`);

  const indexes = await database.run(
    what,
    collection,
    async (client, timeout) => await client.describeIndex({ collection_name: collection, field_name: vectorField, timeout }),
    call,
  );
  const parameters = (
    indexes as { readonly index_descriptions?: readonly { readonly field_name: string; readonly params: readonly Pair[] }[] } | undefined
  )?.index_descriptions?.find(({ field_name }) => field_name === vectorField)?.params;
  const found = pairValue(parameters, "metric_type")?.toUpperCase() as Metric | undefined;
  if (found === undefined) throw new CollectionFault("missing", `The field "${vectorField}" of the Milvus collection "${collection}" has no index`);
  if (metric !== undefined && metric !== found) {
    throw new CollectionFault(
      "mismatch",
      `The index of "${vectorField}" in the Milvus collection "${collection}" compares by ${found}, but ${metric} is declared`,
    );
  }
  const length = pairValue(field.type_params, "dim") ?? field.dim;
  return {
    primaryKey: schema.fields.find(({ is_primary_key }) => is_primary_key === true)?.name ?? "id",
    dimensions: length === undefined ? undefined : Number(length),
    takesText: (schema.functions ?? []).some(({ output_field_names = [] }) => output_field_names.includes(vectorField)),
    metric: found,
  };
}

interface Pair {
  readonly key: string;
  readonly value: unknown;
}

interface DescribedSchema {
  readonly fields: readonly {
    readonly name: string;
    readonly is_primary_key?: boolean;
    readonly type_params?: readonly Pair[];
    readonly dim?: string | number;
  }[];
  readonly functions?: readonly { readonly output_field_names?: readonly string[] }[];
  readonly enable_dynamic_field?: boolean;
}

function pairValue(pairs: readonly Pair[] | undefined, key: string): string | undefined {
  const pair = pairs?.find((each) => each.key === key);
  return pair === undefined ? undefined : String(pair.value);
}
