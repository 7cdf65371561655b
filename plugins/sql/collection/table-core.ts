import type { Embedding, MemoryCallOptions } from "@codesoul-co/ditto/plugin";
import { analysisFingerprint, type Analyzer, createAnalyzer } from "../../analysis/analyzer.ts";
import { CollectionFault } from "../collection-fault.ts";
import type { Declaration } from "../declaration.ts";
import { embedTexts } from "../embed-texts.ts";
import { type CollectionTableNames, collectionTableNames } from "../engine/table-names.ts";
import type { EngineDialect, SqlEngine } from "../engine/sql-engine.ts";
import type { VectorKeeper } from "../engine/vector-keeper.ts";
import { isBlank, type PreparedRow } from "../row.ts";
import { type Sql, sql, trustedSql } from "../sql.ts";
import { compareDeclarations, describeDeclaration, type StoredDeclaration } from "../stored-declaration.ts";
import type { CollectionReader, CollectionState } from "./collection-reader.ts";

/** Version of the layout of the tables that this layer works on. */
const layoutVersion = 1;

/** The state of a collection in tables. */
export interface TableState extends CollectionState {
  /** The stored declaration as it is kept: the mark by which statements know that it is still the same. */
  readonly text: string;
  readonly stored: StoredDeclaration;
  readonly keeper: VectorKeeper;
}

/** What the parts of a collection share. */
export interface TableCore extends CollectionReader {
  readonly engine: SqlEngine;
  readonly dialect: EngineDialect;
  readonly names: CollectionTableNames;
  readonly embedding: Embedding | undefined;
  /** What is kept for this declaration. */
  readonly declared: StoredDeclaration;
  readonly analyzer: () => Promise<Analyzer>;
  state(signal?: AbortSignal | undefined): Promise<TableState | undefined>;
  /** The state that was read last; undefined before the first time. */
  known(): TableState | undefined;
  /** Reads a stored declaration. @throws CollectionFault `mismatch` Where this one does not fit it. */
  stateOf(text: string): TableState;
  /** Embeds the rows that have a text; undefined for those that have none, and without an embedding. */
  embed(rows: readonly PreparedRow[], options: MemoryCallOptions): Promise<readonly (Float32Array | undefined)[]>;
}

/** Puts together what the parts of a collection share. */
export function tableCore(
  declaration: Declaration,
  given: { readonly engine: SqlEngine; readonly embedding: Embedding | undefined; readonly batchSize: number },
): TableCore {
  const { engine, embedding, batchSize } = given;
  const { name } = declaration.facts;
  const { dialect } = engine;
  const names = collectionTableNames(declaration.table);
  const declared = describeDeclaration(declaration, { layout: layoutVersion, analysis: analysisFingerprint(declaration.language) });
  const rows = sql`${dialect.identifier(names.rows)} AS r`;
  const columns = fieldColumns(declaration, engine);
  let analyzer: Promise<Analyzer> | undefined;
  let known: TableState | undefined;

  const stateOf = (text: string): TableState => {
    if (known?.text === text) return known;
    const stored = JSON.parse(text) as StoredDeclaration;
    assertFits(name, stored, declared);
    const column = (field: string): Sql => {
      if (declared.fields[field] !== undefined && stored.fields[field] === undefined) throw newField(name, field);
      return columns.get(field) ?? trustedSql("NULL");
    };
    known = { text, stored, column, dimensions: stored.dimensions ?? declared.dimensions ?? undefined, keeper: engine.vectors(stored) };
    return known;
  };

  const state: TableCore["state"] = async (signal) => {
    const text = await engine.declaration(declaration.table, { signal });
    if (text !== undefined) return stateOf(text);
    if (engine.makesTables) return undefined;
    throw missingTables(name, declaration.table);
  };

  return {
    declaration,
    dialect,
    rows,
    source: rows,
    columns: trustedSql("r.row, r.id, r.scope, r.record, r.key, r.hash, r.content, r.metadata, r.own_text AS text"),
    read: async (statements, signal) => {
      const [only] = statements;
      if (only === undefined) return [];
      if (statements.length === 1) return [await engine.read(only, { signal })];
      const read = async (reader: { all(statement: typeof only): Promise<Awaited<ReturnType<SqlEngine["read"]>>> }) => {
        const found = [];
        for (const statement of statements) found.push(await reader.all(statement));
        return found;
      };
      return await engine.snapshot(read, { signal });
    },
    engine,
    names,
    embedding,
    declared,
    analyzer: () => {
      analyzer ??= createAnalyzer(declaration.language);
      return analyzer;
    },
    state,
    known: () => known,
    stateOf,
    embed: async (given, { signal, trace, runtime, hold }) => {
      if (embedding === undefined) return given.map(() => undefined);
      const texts = given.filter(({ text }) => !isBlank(text));
      if (texts.length === 0) return given.map(() => undefined);
      const vectors = await embedTexts(embedding, texts, {
        dimensions: (await state(signal))?.dimensions ?? declared.dimensions ?? undefined,
        collection: name,
        batchSize,
        context: { signal, trace, runtime, hold },
      });
      const byRow = new Map(texts.map((row, index) => [row, vectors[index]]));
      return given.map((row) => byRow.get(row));
    },
  };
}

/** @throws CollectionFault `mismatch` */
function assertFits(name: string, stored: StoredDeclaration, declared: StoredDeclaration): void {
  const [problem] = compareDeclarations(name, stored, declared).problems;
  if (problem !== undefined) throw new CollectionFault("mismatch", problem.message);
}

/** The fault of a collection that was never set up. */
export function missingTables(name: string, table: string): CollectionFault {
  return new CollectionFault("missing", `Collection "${name}" has no tables yet (table "${table}"): \`ditto setup FILE --apply\` makes them`);
}

function fieldColumns(declaration: Declaration, { dialect }: SqlEngine): ReadonlyMap<string, Sql> {
  return new Map<string, Sql>([
    ["id", trustedSql("r.id")],
    ["key", trustedSql("r.key")],
    ["parent", trustedSql("nullif(r.record, r.id)")],
    ...declaration.fields.map((field) => [field.name, sql`r.${dialect.identifier(field.column)}`] as const),
  ]);
}

function newField(name: string, field: string): CollectionFault {
  return new CollectionFault("mismatch", `Field "${field}" of "${name}" is new: \`ditto setup FILE --apply\`, or the next write, makes its column`);
}
