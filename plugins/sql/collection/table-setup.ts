import type { JsonObject, SetupPort } from "@codesoul-co/ditto/plugin";
import { CollectionFault } from "../collection-fault.ts";
import { fieldColumn } from "../declaration.ts";
import { collectionsTable } from "../engine/table-names.ts";
import type { SqlWriter } from "../engine/sql-engine.ts";
import { checkMetadata } from "../metadata.ts";
import { indexedTextOf } from "../row.ts";
import { joinSql, sql } from "../sql.ts";
import { compareDeclarations, type StoredDeclaration } from "../stored-declaration.ts";
import { changeText, type IndexedText } from "./change-text.ts";
import { compose } from "./collection-reader.ts";
import { createCollection, creatingStatements, dropCollection, eachRow, type PassedRow } from "./make-tables.ts";
import type { TableCore } from "./table-core.ts";
import { lock, type Locked } from "./table-transaction.ts";

/**
 * Makes the setup of a collection: its tables where there are none, and what lets data fit a declaration that changed, without
 * embedding again.
 */
export function tableSetup(core: TableCore): SetupPort {
  return {
    plan: async (signal) => await plan(core, signal),
    apply: async (signal) => await apply(core, signal),
  };
}

async function plan(core: TableCore, signal: AbortSignal): Promise<readonly string[]> {
  const { engine, declaration } = core;
  const { table, facts } = declaration;
  const text = await engine.declaration(table, { signal });
  if (text === undefined) {
    // The first write makes them.
    if (engine.makesTables) return [];
    return [
      ...engine.tables.catalogue(),
      ...creatingStatements(core, await engine.chooseVectors?.({ all: async (statement) => await engine.read(statement, { signal }) })),
    ];
  }
  const stored = JSON.parse(text) as StoredDeclaration;
  const { problems, newFields } = compareDeclarations(facts.name, stored, core.declared);
  if (problems.length > 0 && (await isEmpty(core, signal))) {
    return [
      ...engine.tables.drop(table),
      ...creatingStatements(core, await engine.chooseVectors?.({ all: async (statement) => await engine.read(statement, { signal }) })),
    ];
  }
  assertRepairable(problems);
  const steps: string[] = [];
  const fields = [...new Set([...newFields, ...changedFields(stored, core.declared)])];
  if (fields.length > 0) {
    steps.push(`Fill the columns of ${fields.map((field) => `"${field}"`).join(", ")} of "${facts.name}" (table "${table}") from the kept metadata`);
  }
  if (stored.analysis !== core.declared.analysis) {
    steps.push(`Index the texts of "${facts.name}" (table "${table}") again: analysis ${stored.analysis} becomes ${core.declared.analysis}`);
  }
  return steps;
}

async function apply(core: TableCore, signal: AbortSignal): Promise<void> {
  const { engine, declaration, dialect } = core;
  const catalogue = dialect.identifier(collectionsTable);
  const vectors = await engine.chooseVectors?.({ all: async (statement) => await engine.read(statement, { signal }) });
  if (engine.makesTables && (await engine.declaration(declaration.table, { signal })) === undefined) return;
  await engine.write(
    async (writer) => {
      for (const text of engine.tables.catalogue()) await writer.run({ sql: text, parameters: [] });
      const found = await lock(core, writer);
      if (found === undefined) {
        await createCollection(core, writer, vectors);
        return;
      }
      const { stored } = found;
      const { problems } = compareDeclarations(declaration.facts.name, stored, core.declared);
      if (problems.length > 0 && (await writer.all(oneRow(core))).length === 0) {
        await dropCollection(core, writer);
        await createCollection(core, writer, vectors);
        return;
      }
      assertRepairable(problems);
      const changing = changedFields(stored, core.declared);
      const held = changing.length === 0 ? found : await changeColumns(core, writer, { found, changing });
      if (changing.length > 0) await rebuildFields(core, writer);
      if (stored.analysis !== core.declared.analysis) await rebuildText(core, writer);
      const kept: StoredDeclaration = { ...core.declared, dimensions: stored.dimensions ?? core.declared.dimensions, vectors: stored.vectors };
      const change = held.change + 1;
      await writer.run(
        compose(
          core,
          sql`UPDATE ${catalogue} SET declaration = ${JSON.stringify(kept)}, ${dialect.identifier("change")} = ${change} WHERE name = ${declaration.table}`,
        ),
      );
    },
    { signal },
  );
}

async function isEmpty(core: TableCore, signal: AbortSignal): Promise<boolean> {
  return (await core.engine.read(oneRow(core), { signal })).length === 0;
}

function oneRow(core: TableCore): ReturnType<typeof compose> {
  return compose(core, sql`SELECT 1 AS found FROM ${core.rows} LIMIT 1`);
}

function assertRepairable(problems: readonly { readonly message: string; readonly repairable: boolean }[]): void {
  const problem = problems.find(({ repairable }) => !repairable);
  if (problem !== undefined) throw new CollectionFault("mismatch", problem.message);
}

/** Fields that are new, gone, of another type, or guaranteed from now on. */
function changedFields(stored: StoredDeclaration, declared: StoredDeclaration): readonly string[] {
  const names = new Set([...Object.keys(stored.fields), ...Object.keys(declared.fields)]);
  return [...names].filter((name) => {
    const was = Object.hasOwn(stored.fields, name) ? stored.fields[name] : undefined;
    const is = Object.hasOwn(declared.fields, name) ? declared.fields[name] : undefined;
    return was?.type !== is?.type || (is?.guaranteed === true && was?.guaranteed !== true);
  });
}

/**
 * Makes the columns fit. Some engines end the transaction where tables change, and its lock with it: so all rows are looked at before,
 * the entry says meanwhile that its fields are changing (nobody reads half of them, and a setup that was cut off begins again), and the
 * lock is taken anew.
 */
async function changeColumns(
  core: TableCore,
  writer: SqlWriter,
  { found, changing }: { readonly found: Locked; readonly changing: readonly string[] },
): Promise<Locked> {
  const { declaration, declared, dialect, engine } = core;
  const { stored } = found;
  for await (const row of eachRow(core, writer)) checkRow(core, row);
  const differ = changing.filter((name) => stored.fields[name]?.type !== declared.fields[name]?.type);
  const mark = Object.fromEntries(differ.map((name) => [name, { type: "changing", guaranteed: false }]));
  const marked = JSON.stringify({ ...stored, fields: { ...stored.fields, ...mark } });
  const catalogue = dialect.identifier(collectionsTable);
  await writer.run(compose(core, sql`UPDATE ${catalogue} SET declaration = ${marked} WHERE name = ${declaration.table}`));
  for (const name of differ) {
    const field = declaration.fields.find((each) => each.name === name);
    const texts = [
      ...(Object.hasOwn(stored.fields, name) ? engine.tables.dropField(declaration.table, fieldColumn(name)) : []),
      ...(field === undefined ? [] : engine.tables.addField(declaration.table, field)),
    ];
    for (const text of texts) await writer.run({ sql: text, parameters: [] });
  }
  const held = await lock(core, writer);
  if (held?.text !== marked) throw new CollectionFault("conflict", "Somebody else sets the collection up at the same time; try again");
  return held;
}

async function rebuildFields(core: TableCore, writer: SqlWriter): Promise<void> {
  const { declaration, dialect } = core;
  if (declaration.fields.length === 0) return;
  for await (const row of eachRow(core, writer)) {
    const { metadata, columns } = checkRow(core, row);
    const values = [
      ...declaration.fields.map(({ column }, index) => sql`${dialect.identifier(column)} = ${columns[index] ?? null}`),
      sql`metadata = ${metadata === undefined ? null : JSON.stringify(metadata)}`,
    ];
    await writer.run(
      compose(core, sql`UPDATE ${dialect.identifier(core.names.rows)} SET ${joinSql(values, ", ")} WHERE ${dialect.identifier("row")} = ${row.row}`),
    );
  }
}

/** @throws CollectionFault `input` For a row that does not meet the declaration. */
function checkRow({ declaration }: TableCore, { id, metadata }: PassedRow): ReturnType<typeof checkMetadata> {
  return checkMetadata(declaration, metadata === null ? undefined : (JSON.parse(metadata) as JsonObject), `row "${id}"`);
}

async function rebuildText(core: TableCore, writer: SqlWriter): Promise<void> {
  const { dialect, names, declaration } = core;
  for (const table of [names.postings, names.terms]) await writer.run(compose(core, sql`DELETE FROM ${dialect.identifier(table)}`));
  let counters = { lastRow: 0, documents: 0, tokens: 0 };
  let added: IndexedText[] = [];
  const write = async (): Promise<void> => {
    counters = { lastRow: 0, ...(await changeText(core, { writer, counters }, { removed: [], added })) };
    added = [];
  };
  for await (const row of eachRow(core, writer)) {
    added.push({ row: row.row, text: indexedTextOf(row) });
    if (added.length >= 500) await write();
  }
  await write();
  const catalogue = dialect.identifier(collectionsTable);
  const { documents, tokens } = counters;
  await writer.run(compose(core, sql`UPDATE ${catalogue} SET documents = ${documents}, tokens = ${tokens} WHERE name = ${declaration.table}`));
}
