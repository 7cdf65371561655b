import type { JsonObject } from "@codesoul-co/ditto/plugin";
import { CollectionFault } from "../collection-fault.ts";
import type { DeclaredField } from "../declaration.ts";
import { collectionsTable } from "../engine/table-names.ts";
import type { SqlWriter } from "../engine/sql-engine.ts";
import { fieldOfKeptMetadata } from "../metadata.ts";
import { joinSql, sql } from "../sql.ts";
import { compose } from "./collection-reader.ts";
import type { TableCore } from "./table-core.ts";

/** The statements that make a collection, as a person can run them too. */
export function creatingStatements({ declaration, declared, engine, dialect }: TableCore, vectors: string | undefined): readonly string[] {
  const stored = { ...declared, vectors };
  const name = dialect.identifier(collectionsTable).texts.join("");
  const [table, kept] = [dialect.literal(declaration.table), dialect.literal(JSON.stringify(stored))];
  return [...engine.tables.create(declaration, stored), `INSERT INTO ${name} (name, declaration) VALUES (${table}, ${kept})`];
}

/**
 * Makes a collection's tables and its entry.
 *
 * @throws CollectionFault `mismatch` When a table of that name is there already and belongs to somebody else.
 */
export async function createCollection(core: TableCore, writer: SqlWriter, vectors: string | undefined): Promise<void> {
  const { table, facts } = core.declaration;
  if (await core.engine.tables.exists(writer, table)) {
    throw new CollectionFault("mismatch", `The database has a table "${table}" already that is no collection; give "${facts.name}" another \`table\``);
  }
  for (const text of creatingStatements(core, vectors)) await writer.run({ sql: text, parameters: [] });
}

/** Takes a collection's tables and its entry away; only for one without rows. */
export async function dropCollection(core: TableCore, writer: SqlWriter): Promise<void> {
  for (const text of core.engine.tables.drop(core.declaration.table)) await writer.run({ sql: text, parameters: [] });
  await writer.run(compose(core, sql`DELETE FROM ${core.dialect.identifier(collectionsTable)} WHERE name = ${core.declaration.table}`));
}

/** Adds the columns of fields. */
export async function addColumns(core: TableCore, writer: SqlWriter, fields: readonly DeclaredField[]): Promise<void> {
  for (const field of fields) {
    for (const text of core.engine.tables.addField(core.declaration.table, field)) await writer.run({ sql: text, parameters: [] });
  }
}

/** Fills the columns of fields from the kept metadata. */
export async function fillFields(core: TableCore, writer: SqlWriter, fields: readonly DeclaredField[]): Promise<void> {
  const { dialect } = core;
  const rows = dialect.identifier(core.names.rows);
  for await (const row of eachRow(core, writer)) {
    if (row.metadata === null) continue;
    const metadata = JSON.parse(row.metadata) as JsonObject;
    const values = fields.map((field) => [field, fieldOfKeptMetadata(field, metadata)] as const).filter(([, value]) => value !== null);
    if (values.length === 0) continue;
    const assignments = joinSql(
      values.map(([field, value]) => sql`${dialect.identifier(field.column)} = ${value}`),
      ", ",
    );
    await writer.run(compose(core, sql`UPDATE ${rows} SET ${assignments} WHERE ${dialect.identifier("row")} = ${row.row}`));
  }
}

/** What is read of each row where all of them are gone through. */
export interface PassedRow {
  readonly row: number;
  readonly id: string;
  readonly content: string;
  readonly metadata: string | null;
  readonly text: string | null;
}

/** Rows in batches, so that not all contents are in memory at once. */
export async function* eachRow(core: TableCore, writer: SqlWriter): AsyncGenerator<PassedRow> {
  let last = 0;
  for (;;) {
    const batch = sql`SELECT r.row, r.id, r.content, r.metadata, r.own_text AS text FROM ${core.rows} WHERE r.row > ${last} ORDER BY r.row LIMIT ${batchSize}`;
    const rows = (await writer.all(compose(core, batch))) as unknown as readonly PassedRow[];
    yield* rows;
    if (rows.length < batchSize) return;
    last = rows.at(-1)?.row ?? last;
  }
}

const batchSize = 500;
