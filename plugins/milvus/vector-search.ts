import type { RetrievalExecutionContext, RetrievalSearchInput, RetrievalSearchOutput, RetrievalSearchProvider } from "@codesoul-co/ditto/plugin";
import { distinctTexts } from "../sql/collection/look-up.ts";
import { assertDimensions, readQueryVector } from "../sql/collection/read-query.ts";
import { answer, readSearch, toCandidate } from "../sql/search-request.ts";
import { compareBytes } from "./compare-bytes.ts";
import { findBest, type FoundRow } from "./find-best.ts";
import type { MilvusCall } from "./milvus-database.ts";
import type { MilvusCore, MilvusState } from "./milvus-core.ts";
import { readingRows, rowsInOrder } from "./query-rows.ts";
import { CollectionGone, eachRow, lookUpRows, rowExpression } from "./read-rows.ts";

/** Makes the vector search of a collection: the nearest of the rows that may be found, by cosine. */
export function vectorSearch(core: MilvusCore): RetrievalSearchProvider {
  return { search: async (input, context = {}) => await search(core, input, context) };
}

async function search(core: MilvusCore, input: RetrievalSearchInput, context: RetrievalExecutionContext): Promise<RetrievalSearchOutput> {
  const { declaration } = core;
  const { scope, conditions, limit } = readSearch(declaration, input, context);
  const query = readQueryVector(input.query.content);
  const call = { signal: context.signal };
  const span = context.trace?.open("statement", declaration.facts.name, { dimensions: query.length });
  try {
    const rows = await readingRows(core, call, async (state) => {
      assertDimensions(query, state.dimensions, declaration);
      if (state.dimensions === undefined) return [];
      const filter = await rowExpression(core, { state, scope, conditions }, call);
      return await nearest(core, state, { vector: Array.from(query), filter, limit }, call);
    });
    span?.add({ rows: rows.length });
    span?.close();
    return answer(
      input,
      rows.map(({ row, score }) => toCandidate(declaration, row, score)),
    );
  } catch (error) {
    span?.close(error);
    throw error;
  }
}

interface NearestRequest {
  readonly vector: readonly number[];
  readonly filter: string;
  readonly limit: number;
}

async function nearest(core: MilvusCore, state: MilvusState, request: NearestRequest, call: MilvusCall): Promise<readonly FoundRow[]> {
  const { limit } = request;
  const isGraph = state.index.type === "hnsw";
  const params = isGraph ? { ef: Math.max(core.ef ?? 64, Math.min(limit * 2, 32_768)) } : undefined;
  const asked = { collection: state.collection, field: "vector", metric: "COSINE" as const, ...request, params };
  const best = await findBest(core, { ...asked, isHit: ({ embedded }) => embedded === true }, call);
  if (best === undefined) throw new CollectionGone(state.collection);
  // A graph can lose its way among rows that a filter leaves out: few rows are compared one by one then.
  return isGraph && best.exhausted && best.rows.length < limit ? await compareAll(core, state, request, call) : best.rows;
}

async function compareAll(core: MilvusCore, state: MilvusState, { vector, filter, limit }: NearestRequest, call: MilvusCall): Promise<readonly FoundRow[]> {
  const found: { readonly pk: string; readonly id: string; readonly score: number }[] = [];
  const query = { collection: state.collection, where: filter, columns: ["pk", "id", "embedded", "vector"], pageSize: 2_000 };
  for await (const rows of eachRow(core, query, call)) {
    for (const row of rows)
      if (row.embedded === true) found.push({ pk: String(row.pk), id: String(row.id), score: cosine(vector, row.vector as readonly number[]) });
  }
  found.sort((a, b) => b.score - a.score || compareBytes(a.id, b.id));
  const best = found.slice(0, limit);
  const scores = new Map(best.map(({ pk, score }) => [pk, score]));
  const whole = await rowsInOrder(core, state, best, call);
  return whole.map((row) => ({ row, score: scores.get(row.pk) ?? 0 }));
}

function cosine(a: readonly number[], b: readonly number[]): number {
  let [dot, left, right] = [0, 0, 0];
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? 0;
    dot += value * other;
    left += value * value;
    right += other * other;
  }
  return dot / Math.sqrt(left * right);
}

/** The vectors of those of these rows that have one, by id. */
export async function readVectors(
  core: MilvusCore,
  request: { readonly ids: readonly string[]; readonly scope: string },
  call: MilvusCall,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const values = distinctTexts(request.ids, "ids");
  if (values.length === 0) return new Map();
  return await readingRows(core, call, async ({ collection, dimensions }) => {
    if (dimensions === undefined) return new Map();
    const rows = await lookUpRows(core, { collection, scope: request.scope, column: "id", values, vectors: true }, call);
    return new Map(rows.flatMap(({ id, vector }) => (vector === undefined ? [] : [[id, vector] as const])));
  });
}
