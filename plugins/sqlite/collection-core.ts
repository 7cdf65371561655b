import type { Embedding, MemoryCallOptions } from "@codesoul-co/ditto/plugin";
import { analysisFingerprint, type Analyzer, createAnalyzer } from "../analysis/analyzer.ts";
import { CollectionFault } from "../sql/collection-fault.ts";
import type { Declaration } from "../sql/declaration.ts";
import { embedTexts } from "../sql/embed-texts.ts";
import { isBlank, type PreparedRow } from "../sql/row.ts";
import type { CollectionReader, CollectionState } from "../sql/collection/collection-reader.ts";
import { trustedSql } from "../sql/sql.ts";
import { type Agreement, compareDeclarations, describeDeclaration, type StoredDeclaration } from "../sql/stored-declaration.ts";
import { type CollectionTables, collectionTables, layoutVersion, statement } from "./collection-tables.ts";
import { addField, createCollectionsTable, createTables, dropTables, fillField } from "./create-tables.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import type { SqliteExecutor, Writer } from "./sqlite-executor.ts";
import { collectionsTable } from "./table-names.ts";

/** What the parts of a collection share. */
export interface CollectionCore extends CollectionReader {
  readonly database: SqliteExecutor;
  readonly tables: CollectionTables;
  readonly embedding: Embedding | undefined;
  readonly analyzer: () => Promise<Analyzer>;
  /** The stored declaration and how this one fits it; undefined for a collection that was never written. */
  agreement(signal?: AbortSignal | undefined): Promise<(Agreement & { readonly stored: StoredDeclaration }) | undefined>;
  /** What is kept for this declaration. */
  readonly declared: StoredDeclaration;
  /** Makes tables and columns that are missing, inside a writing transaction, and counts the change. */
  begin(writer: Writer, dimensions?: number | undefined): number;
  /** Embeds the rows that have a text; undefined for those that have none, and without an embedding. */
  embed(rows: readonly PreparedRow[], options: MemoryCallOptions): Promise<readonly (Float32Array | undefined)[]>;
}

/** Puts together what the parts of a collection share. */
export function collectionCore(
  declaration: Declaration,
  given: { readonly database: SqliteExecutor; readonly embedding: Embedding | undefined; readonly batchSize: number },
): CollectionCore {
  const { database, embedding, batchSize } = given;
  const { name } = declaration.facts;
  const tables = collectionTables(declaration);
  const declared = describeDeclaration(declaration, { layout: layoutVersion, analysis: analysisFingerprint(declaration.language) });
  let analyzer: Promise<Analyzer> | undefined;
  let known: { readonly text: string; readonly state: CollectionState } | undefined;

  const stateOf = (text: string): CollectionState => {
    if (known?.text === text) return known.state;
    const stored = JSON.parse(text) as StoredDeclaration;
    assertFits(name, stored, declared);
    const fields = new Set(Object.keys(stored.fields));
    known = { text, state: { dimensions: stored.dimensions ?? declared.dimensions ?? undefined, column: (field) => tables.column(field, fields) } };
    return known.state;
  };

  const state: CollectionCore["state"] = async (signal) => {
    const text = await readStored(database, declaration.table, signal);
    if (text === undefined) return undefined;
    try {
      return stateOf(text);
    } catch (error) {
      if (await hasRows(database, tables, signal)) throw error;
      return undefined;
    }
  };

  return {
    declaration,
    database,
    tables,
    embedding,
    declared,
    dialect: sqliteDialect,
    rows: trustedSql(`${tables.names.rows} AS r`),
    source: tables.source,
    columns: tables.columns,
    read: async (statements, signal) => (await database.read(statements, { signal })) ?? [],
    state,
    analyzer: () => {
      analyzer ??= createAnalyzer(declaration.language);
      return analyzer;
    },
    agreement: async (signal) => {
      const text = await readStored(database, declaration.table, signal);
      if (text === undefined || !(await hasRows(database, tables, signal))) return undefined;
      const stored = JSON.parse(text) as StoredDeclaration;
      return { stored, ...compareDeclarations(name, stored, declared) };
    },
    begin: (writer, dimensions) => prepareTables(writer, { declaration, declared, tables, dimensions }),
    embed: async (rows, { signal, trace, runtime, hold }) => {
      if (embedding === undefined) return rows.map(() => undefined);
      const texts = rows.filter(({ text }) => !isBlank(text));
      const vectors = await embedTexts(embedding, texts, {
        dimensions: (await state(signal))?.dimensions ?? declared.dimensions ?? undefined,
        collection: name,
        batchSize,
        context: { signal, trace, runtime, hold },
      });
      const byRow = new Map(texts.map((row, index) => [row, vectors[index]]));
      return rows.map((row) => byRow.get(row));
    },
  };
}

/** Makes what is missing: the tables, or columns of new optional fields. Returns the number of this change. */
function prepareTables(
  writer: Writer,
  {
    declaration,
    declared,
    tables,
    dimensions,
  }: { declaration: Declaration; declared: StoredDeclaration; tables: CollectionTables; dimensions: number | undefined },
): number {
  const { table, facts } = declaration;
  createCollectionsTable(writer);
  const [found] = writer.all(statement(`SELECT declaration FROM ${collectionsTable} WHERE name = ?`, table));
  let stored = found === undefined ? undefined : (JSON.parse(String(found.declaration)) as StoredDeclaration);
  if (stored !== undefined && compareDeclarations(facts.name, stored, declared).problems.length > 0) {
    if (writer.all(statement(`SELECT 1 FROM ${tables.names.rows} LIMIT 1`)).length > 0) assertFits(facts.name, stored, declared);
    dropTables(writer, table);
    stored = undefined;
  }
  const kept: StoredDeclaration = { ...declared, dimensions: stored?.dimensions ?? declared.dimensions ?? dimensions ?? null };
  if (dimensions !== undefined && dimensions !== kept.dimensions) {
    throw new CollectionFault("embedding", `Vectors of ${dimensions} dimensions cannot join the ${kept.dimensions} of collection "${facts.name}"`);
  }
  if (stored === undefined) createTables(writer, declaration, kept);
  else if (JSON.stringify(stored) !== JSON.stringify(kept)) {
    for (const field of declaration.fields) {
      if (Object.hasOwn(stored.fields, field.name)) continue;
      addField(writer, table, field);
      fillField(writer, table, field);
    }
    writer.run(statement(`UPDATE ${collectionsTable} SET declaration = ? WHERE name = ?`, JSON.stringify(kept), table));
  }
  const [counted] = writer.all(statement(`UPDATE ${collectionsTable} SET change = change + 1 WHERE name = ? RETURNING change`, table));
  return Number(counted?.change);
}

function assertFits(name: string, stored: StoredDeclaration, declared: StoredDeclaration): void {
  const [problem] = compareDeclarations(name, stored, declared).problems;
  if (problem !== undefined) throw new CollectionFault("mismatch", problem.message);
}

async function readStored(database: SqliteExecutor, table: string, signal: AbortSignal | undefined): Promise<string | undefined> {
  const made = await database.read([statement("SELECT 1 FROM sqlite_master WHERE name = 'ditto$collections'")], { signal, light: true });
  if (made?.[0]?.length !== 1) return undefined;
  const found = await database.read([statement(`SELECT declaration FROM ${collectionsTable} WHERE name = ?`, table)], { signal, light: true });
  const text = found?.[0]?.[0]?.declaration;
  return typeof text === "string" ? text : undefined;
}

async function hasRows(database: SqliteExecutor, tables: CollectionTables, signal: AbortSignal | undefined): Promise<boolean> {
  const found = await database.read([statement(`SELECT 1 FROM ${tables.names.rows} LIMIT 1`)], { signal, light: true });
  return found?.[0]?.length === 1;
}
