import { indexedTextOf } from "../sql/row.ts";
import { writeEntry } from "./catalogue.ts";
import { allColumns, entryOf, inPieces, tokensOf } from "./change-rows.ts";
import type { MilvusCall } from "./milvus-database.ts";
import type { MilvusCore, MilvusState } from "./milvus-core.ts";
import { eachRow, toStoredRow } from "./read-rows.ts";
import { documentWeights } from "./term-weights.ts";

/**
 * The share by which the average length of texts has moved away from the one that the weights of documents were made with.
 *
 * @returns 0 for a collection without texts.
 */
export function averageDrift(average: number | undefined, { documents, tokens }: { readonly documents: number; readonly tokens: number }): number {
  return average === undefined || documents === 0 ? 0 : Math.abs(tokens / documents / average - 1);
}

/** A drift that is worth a word, and re-indexing. */
export const tolerableDrift = 0.05;

/**
 * Weighs the texts of a small collection anew when their average length has moved, so that it ranks like any other backend from its
 * first row on. In a large one the average hardly moves any more; there `ditto setup` does it when it is told to.
 */
export async function reweigh(
  core: MilvusCore,
  state: MilvusState,
  totals: { readonly documents: number; readonly tokens: number },
  call: MilvusCall,
): Promise<void> {
  if (totals.documents === 0 || totals.documents > smallCollection || averageDrift(state.average, totals) <= smallDrift) return;
  const average = totals.tokens / totals.documents;
  const analyzer = await core.analyzer();
  for await (const rows of eachRow(core, { collection: state.collection, where: "tokens > 0", columns: allColumns(core, state), pageSize: 500 }, call)) {
    const weighed = rows.map((row) => ({ ...row, terms: documentWeights(tokensOf(analyzer, indexedTextOf(toStoredRow(row))), average) }));
    for (const piece of inPieces(weighed)) await core.database.upsert(state.collection, piece, call);
  }
  await writeEntry(core.database, core.declaration.table, entryOf({ ...state, average }), call);
}

const smallCollection = 1_000;
const smallDrift = 0.02;
