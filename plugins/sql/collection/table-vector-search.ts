import type { RetrievalExecutionContext, RetrievalSearchInput, RetrievalSearchOutput, RetrievalSearchProvider } from "@codesoul-co/ditto/plugin";
import { answer, readSearch, toCandidate } from "../search-request.ts";
import { toKeptRow } from "./collection-reader.ts";
import { distinctTexts } from "./look-up.ts";
import { assertDimensions, readQueryVector } from "./read-query.ts";
import { searchConditions } from "./search-conditions.ts";
import type { TableCore } from "./table-core.ts";
import { lookUpNow } from "./table-store.ts";

/** Makes the vector search of a collection: the nearest of the rows that may be found, by cosine. */
export function tableVectorSearch(core: TableCore): RetrievalSearchProvider {
  return { search: async (input, context = {}) => await search(core, input, context) };
}

async function search(core: TableCore, input: RetrievalSearchInput, context: RetrievalExecutionContext): Promise<RetrievalSearchOutput> {
  const { declaration, engine, columns } = core;
  const { scope, conditions, limit } = readSearch(declaration, input, context);
  const query = readQueryVector(input.query.content);
  const state = await core.state(context.signal);
  const dimensions = state?.dimensions ?? declaration.facts.embedding?.dimensions;
  assertDimensions(query, dimensions, declaration);
  if (state === undefined || dimensions === undefined) return answer(input, []);
  const where = searchConditions(core, { state, scope, conditions });
  const span = context.trace?.open("statement", declaration.facts.name, { dimensions });
  try {
    const request = { table: declaration.table, dimensions, query, limit, where, columns };
    const rows = await state.keeper.nearest(engine, request, { signal: context.signal });
    span?.add({ rows: rows.length });
    span?.close();
    return answer(
      input,
      rows.map(({ row, score }) => toCandidate(declaration, toKeptRow(row), score)),
    );
  } catch (error) {
    span?.close(error);
    throw error;
  }
}

/** The vectors of those of these rows that have one, by id. */
export async function readVectors(
  core: TableCore,
  request: { readonly ids: readonly string[]; readonly scope: string },
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const ids = distinctTexts(request.ids, "ids");
  const state = ids.length === 0 ? undefined : await core.state(signal);
  if (state === undefined) return new Map();
  return await core.engine.snapshot(
    async (reader) => {
      const rows = await lookUpNow(reader, core, request.scope, { column: "id", values: ids });
      const vectors = await state.keeper.read(
        reader,
        core.declaration.table,
        rows.map(({ row }) => row),
      );
      return new Map(
        rows.flatMap(({ row, id }) => {
          const vector = vectors.get(row);
          return vector === undefined ? [] : [[id, Array.from(vector)] as const];
        }),
      );
    },
    { signal },
  );
}
