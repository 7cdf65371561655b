import {
  createMilvusSearchProvider,
  type MilvusSearchRequest,
  type Opened,
  type OpenScope,
  type RetrievalCandidate,
  type RetrievalSearchInput,
  type RetrievalSearchProvider,
} from "@codesoul-co/ditto/plugin";
import { asMemory, asRetrieval, CollectionFault } from "../sql/collection-fault.ts";
import { readQueryText } from "../sql/collection/read-query.ts";
import { toVector } from "../sql/embed-texts.ts";
import { type FieldType, fieldType, isWellFormed } from "../sql/field-type.ts";
import { parseFilter } from "../sql/filter.ts";
import { compareBytes } from "./compare-bytes.ts";
import { type DescribedCollection, describeCollection } from "./described-collection.ts";
import type { MilvusCall, MilvusDatabase, MilvusRow } from "./milvus-database.ts";
import { allOf, literal, nativeExpression } from "./milvus-expression.ts";
import { milvusCodes } from "./milvus-failure.ts";
import type { Metric, MilvusSearchConfiguration } from "./milvus-search-configuration.ts";
import { toMilvusDatabase } from "./open-milvus.ts";

/**
 * Opens a search of a collection that an application keeps; the server is not spoken to before the first call.
 *
 * @throws MemoryError `MILVUS_UNAVAILABLE` When what stands in `database` is no connection to a Milvus server.
 */
export async function openMilvusSearch(configuration: MilvusSearchConfiguration, scope: OpenScope): Promise<Opened<RetrievalSearchProvider>> {
  const database = await asMemory(milvusCodes, async () => toMilvusDatabase(configuration.database, scope));
  const described = rememberedDescription(configuration, database);
  return {
    value: {
      search: async (input, context = {}) =>
        await asRetrieval(async () => {
          const call = { signal: context.signal };
          const collection = await described(call);
          const content = readContent(input, configuration, collection);
          const provider = searchOf(configuration, { database, collection, call });
          return await provider.search({ ...input, query: { ...input.query, content } }, context);
        }),
    },
    check: async (signal) => {
      await asMemory(milvusCodes, async () => await described({ signal }));
    },
  };
}

/** What the collection is like, looked up once; a look that failed is taken again. */
function rememberedDescription(configuration: MilvusSearchConfiguration, database: MilvusDatabase): (call: MilvusCall) => Promise<DescribedCollection> {
  let known: DescribedCollection | undefined;
  return async (call) => {
    known ??= await describeCollection(database, configuration, call);
    return known;
  };
}

/** @throws CollectionFault `embedding` or `input` For a query that the field cannot be searched by. */
function readContent({ query }: RetrievalSearchInput, { collection, vectorField }: MilvusSearchConfiguration, described: DescribedCollection): unknown {
  if (described.takesText) return readQueryText(query.content);
  if (typeof query.content === "string") {
    throw new CollectionFault("input", `The field "${vectorField}" of "${collection}" is searched by a vector: the server makes none out of texts for it`);
  }
  const vector = toVector(query.content, "The vector of the query");
  const { dimensions } = described;
  if (dimensions !== undefined && vector.length !== dimensions) {
    throw new CollectionFault(
      "embedding",
      `The vector of the query has ${vector.length} dimensions, but "${collection}" keeps ${dimensions} in "${vectorField}"`,
    );
  }
  return Array.from(vector);
}

interface Searched {
  readonly database: MilvusDatabase;
  readonly collection: DescribedCollection;
  readonly call: MilvusCall;
}

function searchOf(configuration: MilvusSearchConfiguration, { database, collection, call }: Searched): RetrievalSearchProvider {
  const { row, namespace, fields = {}, params } = configuration;
  const types = new Map(Object.entries(fields).map(([name, definition]) => [name, fieldType(definition)]));
  return createMilvusSearchProvider<MilvusRow>({
    collection: configuration.collection,
    vectorField: configuration.vectorField,
    outputFields: configuration.outputFields,
    ...(params === undefined ? {} : { params }),
    scope: (input) => ({ filter: narrowing(input, namespace, types) }),
    search: async (request) => {
      const answer = await database.run(`Searching collection "${configuration.collection}"`, configuration.collection, searchCall(request, collection), call);
      if (answer === undefined) throw new CollectionFault("missing", `The Milvus server has no collection "${configuration.collection}"`);
      const { status, results } = answer as unknown as { readonly status: object; readonly results?: unknown };
      const hits = Array.isArray(results) ? results.map((hit: MilvusRow) => toRow(hit, collection)).sort(compareRows) : [];
      return { status, results: hits };
    },
    mapHit: (hit) => row({ row: hit }) as unknown as RetrievalCandidate,
  });
}

function searchCall(request: MilvusSearchRequest, { primaryKey }: DescribedCollection) {
  const { filter, output_fields, ...rest } = request;
  const narrowed = filter === undefined || filter === "" ? {} : { filter };
  const sent = { ...rest, ...narrowed, output_fields: [...new Set([...output_fields, primaryKey])], consistency_level: "Strong" };
  return async (client: { search(data: never): Promise<unknown> }, timeout: number): Promise<unknown> => await client.search({ ...sent, timeout } as never);
}

/** A hit with its primary key as a text and a score that rises with relevance. */
function toRow(hit: MilvusRow, { primaryKey, metric }: DescribedCollection): MilvusRow {
  const distance = Number(hit.score);
  return { ...hit, id: String(hit[primaryKey] ?? hit.id), distance, score: smallerIsBetter.includes(metric) ? 0 - distance : distance };
}

const smallerIsBetter: readonly Metric[] = ["L2", "HAMMING", "JACCARD"];

function compareRows(a: MilvusRow, b: MilvusRow): number {
  return Number(b.score) - Number(a.score) || compareBytes(String(a.id), String(b.id));
}

/** The expression of a request's namespace and filter; empty where there is neither. */
function narrowing({ target, filter }: RetrievalSearchInput, field: string | undefined, types: ReadonlyMap<string, FieldType>): string {
  const { namespace } = target;
  const pieces: string[] = [];
  if (field === undefined) {
    if (namespace !== undefined) throw new CollectionFault("input", "This search has no namespace, but the request carries one");
  } else {
    if (typeof namespace !== "string" || namespace === "" || !isWellFormed(namespace)) {
      throw new CollectionFault("input", `This search needs a namespace, the value of its field "${field}", as a non-empty string`);
    }
    pieces.push(`${field} == ${literal(namespace)}`);
  }
  for (const condition of parseFilter(filter, types)) {
    const type = types.get(condition.field);
    if (type !== undefined) pieces.push(nativeExpression(condition, type));
  }
  return allOf(pieces);
}
