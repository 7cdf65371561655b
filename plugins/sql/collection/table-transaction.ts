import { CollectionFault } from "../collection-fault.ts";
import { collectionsTable } from "../engine/table-names.ts";
import type { SqlWriter } from "../engine/sql-engine.ts";
import { sql, trustedSql } from "../sql.ts";
import { compareDeclarations, type StoredDeclaration } from "../stored-declaration.ts";
import { compose } from "./collection-reader.ts";
import { addColumns, createCollection, dropCollection, fillFields } from "./make-tables.ts";
import { missingTables, type TableCore, type TableState } from "./table-core.ts";

/** A transaction that writes to a collection: it holds the collection's lock, so that writers come one after the other. */
export interface TableTransaction {
  readonly writer: SqlWriter;
  readonly state: TableState;
  /** The number of this change. */
  readonly change: number;
  /** What the collection has, before this transaction. */
  readonly counters: Counters;
}

/** What is counted of a collection. */
export interface Counters {
  /** The highest row number that was ever given. */
  readonly lastRow: number;
  /** Rows with tokens. */
  readonly documents: number;
  readonly tokens: number;
}

/**
 * Takes the collection's lock, and makes what is missing: in an embedded database the tables, everywhere columns of new optional fields.
 *
 * @param dimensions Length of the vectors that will be written, where there are any.
 */
export async function beginTransaction(core: TableCore, writer: SqlWriter, dimensions?: number | undefined): Promise<TableTransaction> {
  const { declaration, declared, engine } = core;
  const { name } = declaration.facts;
  if (engine.makesTables) for (const text of engine.tables.catalogue()) await writer.run({ sql: text, parameters: [] });
  let locked = await lock(core, writer);
  if (locked === undefined && !engine.makesTables) throw missingTables(name, declaration.table);
  if (locked !== undefined && engine.makesTables && compareDeclarations(name, locked.stored, declared).problems.length > 0) {
    const rows = await writer.all(compose(core, sql`SELECT 1 AS found FROM ${core.rows} LIMIT 1`));
    if (rows.length === 0) {
      await dropCollection(core, writer);
      locked = undefined;
    }
  }
  if (locked === undefined) {
    await createCollection(core, writer, await engine.chooseVectors?.(writer));
    locked = await lock(core, writer);
  }
  if (locked === undefined) throw missingTables(name, declaration.table);
  const { state, held } = await bringUpToDate(core, writer, { locked, dimensions });
  return { writer, state, change: held.change + 1, counters: held.counters };
}

/** Ends the transaction's work: keeps what is counted from now on. */
export async function endTransaction(core: TableCore, { writer, change }: TableTransaction, { lastRow, documents, tokens }: Counters): Promise<void> {
  await writer.run(
    compose(
      core,
      sql`UPDATE ${core.dialect.identifier(collectionsTable)} SET ${core.dialect.identifier("change")} = ${change}, last_row = ${lastRow}, documents = ${documents}, tokens = ${tokens}
        WHERE name = ${core.declaration.table}`,
    ),
  );
}

/** A collection's entry, while nobody else writes to it. */
export interface Locked {
  readonly text: string;
  readonly stored: StoredDeclaration;
  readonly change: number;
  readonly counters: Counters;
}

/** Takes the collection's lock; undefined where there is no such collection. */
export async function lock(core: TableCore, writer: SqlWriter): Promise<Locked | undefined> {
  const columns = trustedSql("c.declaration, c.change, c.last_row, c.documents, c.tokens");
  const found = await writer.all(
    compose(core, sql`SELECT ${columns} FROM ${core.dialect.identifier(collectionsTable)} AS c WHERE c.name = ${core.declaration.table} FOR UPDATE`),
  );
  const [row] = found;
  if (row === undefined) return undefined;
  const text = String(row.declaration);
  const counters = { lastRow: Number(row.last_row), documents: Number(row.documents), tokens: Number(row.tokens) };
  return { text, stored: JSON.parse(text) as StoredDeclaration, change: Number(row.change), counters };
}

/** Makes the columns of new optional fields, and keeps the declaration. */
async function bringUpToDate(
  core: TableCore,
  writer: SqlWriter,
  { locked, dimensions }: { readonly locked: Locked; readonly dimensions: number | undefined },
): Promise<{ readonly state: TableState; readonly held: Locked }> {
  const { declaration, declared } = core;
  const { text, stored } = locked;
  const state = core.stateOf(text);
  const kept: StoredDeclaration = { ...declared, dimensions: stored.dimensions ?? declared.dimensions ?? dimensions ?? null, vectors: stored.vectors };
  if (dimensions !== undefined && dimensions !== kept.dimensions) {
    throw new CollectionFault("embedding", `Vectors of ${dimensions} dimensions cannot join the ${kept.dimensions} of collection "${declaration.facts.name}"`);
  }
  const now = JSON.stringify(kept);
  if (now === JSON.stringify({ ...stored, vectors: stored.vectors })) return { state, held: locked };
  let held = locked;
  const fields = declaration.fields.filter(({ name }) => !Object.hasOwn(stored.fields, name));
  if (fields.length > 0) {
    await addColumns(core, writer, fields);
    // Some engines end the transaction where tables change, and its lock with it; meanwhile others may have come first.
    const again = await lock(core, writer);
    if (again === undefined) throw missingTables(declaration.facts.name, declaration.table);
    if (again.text !== text) return await bringUpToDate(core, writer, { locked: again, dimensions });
    held = again;
    await fillFields(core, writer, fields);
  }
  const catalogue = core.dialect.identifier(collectionsTable);
  await writer.run(compose(core, sql`UPDATE ${catalogue} SET declaration = ${now} WHERE name = ${declaration.table}`));
  return { state: core.stateOf(now), held };
}
