import {
  RetrievalError,
  type RetrievalExecutionContext,
  type RetrievalSearchInput,
  type RetrievalSearchOutput,
  type RetrievalSearchProvider,
} from "@codesoul-co/ditto/plugin";
import { readQueryText } from "../sql/collection/read-query.ts";
import { answer, readSearch, toCandidate } from "../sql/search-request.ts";
import { findBest } from "./find-best.ts";
import type { MilvusCore } from "./milvus-core.ts";
import { readingRows } from "./query-rows.ts";
import { CollectionGone, rowExpression } from "./read-rows.ts";
import { queryWeights } from "./term-weights.ts";

/** Makes the full-text search of a collection: any word counts, BM25 ranks (k1 1.2, b 0.75), over all scopes. */
export function textSearch(core: MilvusCore): RetrievalSearchProvider {
  return { search: async (input, context = {}) => await search(core, input, context) };
}

async function search(core: MilvusCore, input: RetrievalSearchInput, context: RetrievalExecutionContext): Promise<RetrievalSearchOutput> {
  const { declaration, counts } = core;
  const { scope, conditions, limit } = readSearch(declaration, input, context);
  const content = readQueryText(input.query.content);
  const terms = (await core.analyzer()).query(content);
  const call = { signal: context.signal };
  const span = context.trace?.open("statement", declaration.facts.name, { terms: terms.length });
  try {
    const rows = await readingRows(core, call, async (state) => {
      if (!state.text) throw noFullText(declaration.facts.name);
      const statistics = terms.length === 0 ? undefined : await counts.forSearch(state.collection, terms, call);
      if (statistics === undefined) {
        if (terms.length === 0) return [];
        throw new CollectionGone(state.collection);
      }
      const vector = queryWeights(terms, statistics);
      if (vector === undefined) return [];
      const filter = await rowExpression(core, { state, scope, conditions }, call);
      const asked = { collection: state.collection, field: "terms", metric: "IP" as const, vector, filter, limit };
      const best = await findBest(core, { ...asked, isHit: ({ score }) => score > 0 }, call);
      if (best === undefined) throw new CollectionGone(state.collection);
      return best.rows;
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

/** Servers before 2.4 keep no sparse vectors. */
function noFullText(name: string): RetrievalError {
  const message = `Collection "${name}" has no full text, for its Milvus server was older than 2.4 when it was set up; vector search works`;
  return new RetrievalError("RETRIEVAL_STRATEGY_UNSUPPORTED", message);
}
