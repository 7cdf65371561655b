import { noVector, termsName } from "./collection-layout.ts";
import type { MilvusCall, MilvusDatabase } from "./milvus-database.ts";
import { literals } from "./milvus-expression.ts";

/** In how many rows terms stand, and how many rows and tokens there are. */
export interface TermStatistics {
  readonly documents: number;
  readonly tokens: number;
  readonly frequencies: ReadonlyMap<string, number>;
}

/** What one write changes. */
export interface TermChanges {
  readonly documents: number;
  readonly tokens: number;
  readonly frequencies: ReadonlyMap<string, number>;
}

/** The counts that rankings are made of, kept in a collection beside the rows. */
export class TermCounts {
  readonly #database: MilvusDatabase;
  #known:
    | { readonly collection: string; readonly until: number; totals: { documents: number; tokens: number }; readonly terms: Map<string, number> }
    | undefined;

  constructor(database: MilvusDatabase) {
    this.#database = database;
  }

  /**
   * Reads the counts of terms for a search. What was read is good for some seconds, for a count that is a little off moves no row by much;
   * a term that stood nowhere is always looked for again, so that what was written by anybody is found at once.
   *
   * @returns Undefined where the collection is gone.
   */
  async forSearch(collection: string, terms: readonly string[], call: MilvusCall): Promise<TermStatistics | undefined> {
    const now = performance.now();
    const known = this.#known?.collection === collection && now < this.#known.until ? this.#known : undefined;
    const missing = known === undefined ? terms : terms.filter((term) => !known.terms.has(term));
    if (known !== undefined && missing.length === 0) return { ...known.totals, frequencies: known.terms };
    const read = await this.read(collection, missing, call);
    if (read === undefined) return undefined;
    const { documents, tokens, frequencies } = read;
    const kept = known ?? { collection, until: now + knownForMs, totals: { documents, tokens }, terms: new Map<string, number>() };
    kept.totals = { documents, tokens };
    for (const [term, count] of frequencies) if (count > 0) kept.terms.set(term, count);
    this.#known = kept;
    return { documents, tokens, frequencies: kept.terms };
  }

  /** Reads counts as they are now; undefined where the collection is gone. */
  async read(collection: string, terms: readonly string[], call: MilvusCall): Promise<TermStatistics | undefined> {
    const frequencies = new Map<string, number>();
    let totals = { documents: 0, tokens: 0 };
    for (let start = 0; start <= terms.length; start += groupSize) {
      const asked = [...(start === 0 ? [totalsKey] : []), ...terms.slice(start, start + groupSize)];
      if (asked.length === 0) break;
      const query = { collection: termsName(collection), filter: `pk in ${literals(asked)}`, fields: ["pk", "documents", "tokens"], limit: asked.length };
      const rows = await this.#database.query(query, call);
      if (rows === undefined) return undefined;
      for (const { pk, documents, tokens } of rows) {
        if (pk === totalsKey) totals = { documents: Number(documents), tokens: Number(tokens) };
        else frequencies.set(String(pk), Number(documents));
      }
    }
    return { ...totals, frequencies };
  }

  /** Adds to the counts. Only one writer may do so at a time. */
  async add(collection: string, before: TermStatistics, changes: TermChanges, call: MilvusCall): Promise<void> {
    this.#known = undefined;
    const now = [...changes.frequencies].map(([term, change]) => [term, Math.max(0, (before.frequencies.get(term) ?? 0) + change)] as const);
    const totals = { documents: Math.max(0, before.documents + changes.documents), tokens: Math.max(0, before.tokens + changes.tokens) };
    await this.write(
      collection,
      now.filter(([, count]) => count > 0),
      totals,
      call,
    );
    const ended = now.filter(([, count]) => count === 0).map(([term]) => term);
    for (let start = 0; start < ended.length; start += groupSize) {
      await this.#database.remove(termsName(collection), `pk in ${literals(ended.slice(start, start + groupSize))}`, call);
    }
  }

  /** Writes counts in place of those that are there. */
  async write(
    collection: string,
    counts: readonly (readonly [string, number])[],
    totals: { readonly documents: number; readonly tokens: number },
    call: MilvusCall,
  ): Promise<void> {
    const rows = [{ pk: totalsKey, ...totals, ...noVector }, ...counts.map(([pk, documents]) => ({ pk, documents, tokens: 0, ...noVector }))];
    for (let start = 0; start < rows.length; start += groupSize) {
      await this.#database.upsert(termsName(collection), rows.slice(start, start + groupSize), call);
    }
  }
}

/** The row with the totals; no term has a space in it. */
const totalsKey = " ";
const groupSize = 5_000;
const knownForMs = 5_000;
