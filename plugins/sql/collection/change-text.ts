import type { InsertTarget } from "../engine/sql-engine.ts";
import type { SqlValue } from "../sql.ts";
import type { TableCore } from "./table-core.ts";
import type { Counters, TableTransaction } from "./table-transaction.ts";

/** A row's number and the text that is indexed of it. */
export interface IndexedText {
  readonly row: number;
  readonly text: string;
}

/**
 * Writes the text index: postings, document frequencies and what is counted over all rows.
 *
 * The index keeps no texts, so what goes is told by the text that it was made of: the same analysis gives the same terms.
 */
export async function changeText(
  core: TableCore,
  { writer, counters }: Pick<TableTransaction, "writer" | "counters">,
  { removed, added }: { readonly removed: readonly IndexedText[]; readonly added: readonly IndexedText[] },
): Promise<Pick<Counters, "documents" | "tokens">> {
  const { index } = await core.analyzer();
  const { table } = core.declaration;
  const frequencies = new Map<string, number>();
  let { documents, tokens } = counters;
  // By term, which is the order of the primary key: its index grows in few places, and few texts are compared.
  const postings = new Map<string, (readonly SqlValue[])[]>();
  for (const { row, text } of added) {
    const found = index(text);
    if (found.length === 0) continue;
    documents += 1;
    tokens += found.length;
    for (const [term, frequency] of countTerms(found)) {
      const posting = [term, row, frequency, found.length];
      const others = postings.get(term);
      if (others === undefined) postings.set(term, [posting]);
      else others.push(posting);
    }
  }
  for (const [term, { length }] of postings) frequencies.set(term, length);
  const gone: (readonly [string, number])[] = [];
  for (const { row, text } of removed) {
    const found = index(text);
    if (found.length === 0) continue;
    documents -= 1;
    tokens -= found.length;
    for (const term of countTerms(found).keys()) {
      gone.push([term, row]);
      frequencies.set(term, (frequencies.get(term) ?? 0) - 1);
    }
  }
  if (gone.length > 0) await writer.removePostings(table, gone);
  if (postings.size > 0) {
    const ordered = [...postings.keys()].sort().flatMap((term) => postings.get(term) ?? []);
    await writer.insert(postingTarget(core), ordered);
  }
  const changes = [...frequencies].filter(([, change]) => change !== 0).sort(byTerm);
  if (changes.length > 0) await writer.addFrequencies(table, changes);
  return { documents, tokens };
}

function countTerms(tokens: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}

function postingTarget({ names }: TableCore): InsertTarget {
  return {
    table: names.postings,
    columns: [
      { name: "term", type: "text" },
      { name: "row", type: "integer" },
      { name: "frequency", type: "integer" },
      { name: "length", type: "integer" },
    ],
  };
}

/** Any order will do, as long as all writers have the same. */
function byTerm([a]: readonly SqlValue[], [b]: readonly SqlValue[]): number {
  return String(a) < String(b) ? -1 : Number(a !== b);
}
