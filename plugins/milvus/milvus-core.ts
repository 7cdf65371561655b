import type { Embedding, MemoryCallOptions, OpenScope } from "@codesoul-co/ditto/plugin";
import { analysisFingerprint, type Analyzer, createAnalyzer } from "../analysis/analyzer.ts";
import { CollectionFault } from "../sql/collection-fault.ts";
import type { Declaration } from "../sql/declaration.ts";
import { embedTexts } from "../sql/embed-texts.ts";
import { isBlank, type PreparedRow } from "../sql/row.ts";
import { compareDeclarations, describeDeclaration, type StoredDeclaration } from "../sql/stored-declaration.ts";
import { type CatalogueEntry, readEntry } from "./catalogue.ts";
import { layoutVersion, type VectorIndex } from "./collection-layout.ts";
import type { MilvusCall, MilvusDatabase } from "./milvus-database.ts";
import { TermCounts } from "./term-counts.ts";

/** What a collection's data are like. */
export interface MilvusState extends CatalogueEntry {
  readonly dimensions: number | undefined;
  /** Tells whether a field has a column; one that was declared later is read out of the metadata until it has. */
  hasColumn(field: string): boolean;
}

/** What the parts of a collection share. */
export interface MilvusCore {
  readonly declaration: Declaration;
  readonly database: MilvusDatabase;
  readonly embedding: Embedding | undefined;
  readonly index: VectorIndex;
  /** Candidates that a search through a graph looks at. */
  readonly ef: number | undefined;
  readonly declared: StoredDeclaration;
  readonly counts: TermCounts;
  readonly log: OpenScope["log"];
  /** Writers of one process take turns under this name. */
  readonly turn: string;
  readonly analyzer: () => Promise<Analyzer>;
  /**
   * What the data are like; known for a few seconds once it was read.
   *
   * @throws CollectionFault `missing` or `mismatch`.
   */
  state(call?: MilvusCall): Promise<MilvusState>;
  /** The same, read now. */
  freshState(call?: MilvusCall): Promise<MilvusState>;
  /** Runs what reads, once more with what is read anew where its collection is gone: somebody has re-indexed it. */
  reading<T>(call: MilvusCall, work: (state: MilvusState) => Promise<T | undefined>): Promise<T>;
  /** Embeds the rows that have a text; undefined for those that have none, and without an embedding. */
  embed(rows: readonly PreparedRow[], options: MemoryCallOptions): Promise<readonly (Float32Array | undefined)[]>;
}

/** Puts together what the parts of a collection share. */
export function milvusCore(
  declaration: Declaration,
  given: Pick<MilvusCore, "database" | "embedding" | "index" | "ef" | "log"> & { readonly batchSize: number },
): MilvusCore {
  const { database, embedding, batchSize } = given;
  const { name } = declaration.facts;
  const declared = describeDeclaration(declaration, { layout: layoutVersion, analysis: analysisFingerprint(declaration.language) });
  let analyzer: Promise<Analyzer> | undefined;
  let known: { readonly state: MilvusState; readonly until: number } | undefined;

  const freshState: MilvusCore["freshState"] = async (call = {}) => {
    known = undefined;
    const entry = await readEntry(database, declaration.table, call);
    if (entry === undefined) throw missingCollection(declaration);
    const [problem] = compareDeclarations(name, entry.declaration, declared).problems;
    if (problem !== undefined) throw new CollectionFault("mismatch", problem.message);
    const fields = new Set(Object.keys(entry.declaration.fields));
    const dimensions = entry.declaration.dimensions ?? undefined;
    const state = { ...entry, dimensions, hasColumn: (field: string) => fields.has(field) || field === "key" || field === "parent" };
    known = { state, until: performance.now() + knownForMs };
    return state;
  };
  const state: MilvusCore["state"] = async (call = {}) => (known !== undefined && performance.now() < known.until ? known.state : await freshState(call));

  return {
    declaration,
    database,
    embedding,
    index: given.index,
    ef: given.ef,
    log: given.log,
    declared,
    counts: new TermCounts(database),
    turn: JSON.stringify([database.identity, declaration.table]),
    analyzer: () => {
      analyzer ??= createAnalyzer(declaration.language);
      return analyzer;
    },
    state,
    freshState,
    reading: async (call, work) => {
      const found = await work(await state(call));
      if (found !== undefined) return found;
      const again = await work(await freshState(call));
      if (again === undefined) throw missingCollection(declaration);
      return again;
    },
    embed: async (rows, { signal, trace, runtime, hold }) => {
      if (embedding === undefined) return rows.map(() => undefined);
      const texts = rows.filter(({ text }) => !isBlank(text));
      if (texts.length === 0) return rows.map(() => undefined);
      const { dimensions } = await state({ signal });
      const vectors = await embedTexts(embedding, texts, { dimensions, collection: name, batchSize, context: { signal, trace, runtime, hold } });
      const byRow = new Map(texts.map((row, index) => [row, vectors[index]]));
      return rows.map((row) => byRow.get(row));
    },
  };
}

/** For a collection that was never set up. */
function missingCollection({ facts, table }: Declaration): CollectionFault {
  return new CollectionFault(
    "missing",
    `Collection "${facts.name}" is not on its Milvus server yet (collection "${table}"): \`ditto setup FILE --apply\` makes it`,
  );
}

/** How long a search may go on with what it knows; writes always look first. */
const knownForMs = 5_000;
