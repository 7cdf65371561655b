import type { JsonObject, SetupPort } from "@codesoul-co/ditto/plugin";
import type { Analyzer } from "../analysis/analyzer.ts";
import { CollectionFault } from "../sql/collection-fault.ts";
import { fieldColumn } from "../sql/declaration.ts";
import { checkMetadata } from "../sql/metadata.ts";
import { indexedTextOf } from "../sql/row.ts";
import { compareDeclarations, type StoredDeclaration } from "../sql/stored-declaration.ts";
import type { CollectionCore } from "./collection-core.ts";
import { statement } from "./collection-tables.ts";
import { addField, dropField } from "./create-tables.ts";
import type { Writer } from "./sqlite-executor.ts";
import { quoteName } from "./sqlite-dialect.ts";
import { collectionsTable } from "./table-names.ts";

/**
 * Makes the setup of a collection: what lets data fit a declaration that changed, without embedding again.
 *
 * Where nothing was written yet there is nothing to set up: the first write makes the tables.
 */
export function collectionSetup(core: CollectionCore): SetupPort {
  return {
    plan: async (signal) => await plan(core, signal),
    apply: async (signal) => await apply(core, signal),
  };
}

async function plan(core: CollectionCore, signal: AbortSignal): Promise<readonly string[]> {
  const agreement = await core.agreement(signal);
  if (agreement === undefined) return [];
  assertRepairable(agreement.problems);
  const { table, facts } = core.declaration;
  const steps: string[] = [];
  const fields = changedFields(agreement.stored, core.declared);
  if (fields.length > 0)
    steps.push(`Fill the columns of ${fields.map((field) => `"${field}"`).join(", ")} of "${facts.name}" (table "${table}") from the kept metadata`);
  if (agreement.stored.analysis !== core.declared.analysis) {
    steps.push(`Index the texts of "${facts.name}" (table "${table}") again: analysis ${agreement.stored.analysis} becomes ${core.declared.analysis}`);
  }
  return steps;
}

async function apply(core: CollectionCore, signal: AbortSignal): Promise<void> {
  const agreement = await core.agreement(signal);
  if (agreement === undefined) return;
  const analyzer = await core.analyzer();
  await core.database.write(
    (writer) => {
      const [found] = writer.all(statement(`SELECT declaration FROM ${collectionsTable} WHERE name = ?`, core.declaration.table));
      const stored = JSON.parse(String(found?.declaration)) as StoredDeclaration;
      assertRepairable(compareDeclarations(core.declaration.facts.name, stored, core.declared).problems);
      if (changedFields(stored, core.declared).length > 0) rebuildFields(writer, core, stored);
      if (stored.analysis !== core.declared.analysis) rebuildText(writer, core, analyzer);
      const kept: StoredDeclaration = { ...core.declared, dimensions: stored.dimensions ?? core.declared.dimensions };
      writer.run(statement(`UPDATE ${collectionsTable} SET declaration = ?, change = change + 1 WHERE name = ?`, JSON.stringify(kept), core.declaration.table));
    },
    { signal },
  );
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

function rebuildFields(writer: Writer, { declaration, declared, tables }: CollectionCore, stored: StoredDeclaration): void {
  for (const [name, field] of Object.entries(stored.fields)) {
    const is = Object.hasOwn(declared.fields, name) ? declared.fields[name] : undefined;
    if (is?.type !== field.type) dropField(writer, declaration.table, fieldColumn(name));
  }
  for (const field of declaration.fields) {
    const was = Object.hasOwn(stored.fields, field.name) ? stored.fields[field.name] : undefined;
    if (was?.type !== declared.fields[field.name]?.type) addField(writer, declaration.table, field);
  }
  if (declaration.fields.length === 0) return;
  const assignments = declaration.fields.map(({ column }) => `${quoteName(column)} = ?`).join(", ");
  for (const row of eachRow(writer, `SELECT r.row, r.id, c.metadata FROM ${tables.source.texts.join("")} WHERE r.row > ? ORDER BY r.row LIMIT ${batchSize}`)) {
    const kept = row.metadata === null ? undefined : (JSON.parse(String(row.metadata)) as JsonObject);
    const { metadata, columns } = checkMetadata(declaration, kept, `row "${String(row.id)}"`);
    writer.run(statement(`UPDATE ${tables.names.rows} SET ${assignments} WHERE row = ?`, ...columns, Number(row.row)));
    writer.run(
      statement(`UPDATE ${tables.names.contents} SET metadata = ? WHERE row = ?`, metadata === undefined ? null : JSON.stringify(metadata), Number(row.row)),
    );
  }
}

function rebuildText(writer: Writer, { tables }: CollectionCore, analyzer: Analyzer): void {
  const { text: index, contents } = tables.names;
  writer.run(statement(`INSERT INTO ${index} (${index}) VALUES ('delete-all')`));
  for (const row of eachRow(writer, `SELECT row, content, text FROM ${contents} WHERE row > ? ORDER BY row LIMIT ${batchSize}`)) {
    const tokens = analyzer.index(indexedTextOf({ content: String(row.content), text: typeof row.text === "string" ? row.text : null }));
    if (tokens.length > 0) writer.run(statement(`INSERT INTO ${index} (rowid, tokens) VALUES (?, ?)`, Number(row.row), tokens.join(" ")));
  }
}

const batchSize = 500;

/** Rows in batches, so that not all contents are in memory at once. */
function* eachRow(writer: Writer, text: string): Generator<ReturnType<Writer["all"]>[number]> {
  let last = 0;
  for (;;) {
    const rows = writer.all(statement(text, last));
    yield* rows;
    if (rows.length < batchSize) return;
    last = Number(rows.at(-1)?.row);
  }
}
