import { randomBytes } from "node:crypto";
import type { JsonObject, SetupPort } from "@codesoul-co/ditto/plugin";
import { CollectionFault } from "../sql/collection-fault.ts";
import { prepareRow } from "../sql/row.ts";
import { toVector } from "../sql/embed-texts.ts";
import { compareDeclarations, type StoredDeclaration } from "../sql/stored-declaration.ts";
import { type CatalogueEntry, readEntry, writeEntry } from "./catalogue.ts";
import { averageOf, inPieces, tokensOf } from "./change-rows.ts";
import {
  catalogueName,
  type CollectionLayout,
  collectionFields,
  collectionIndexes,
  createCatalogue,
  createCollections,
  rowColumns,
  termsName,
} from "./collection-layout.ts";
import type { MilvusCall } from "./milvus-database.ts";
import type { MilvusCore } from "./milvus-core.ts";
import { CollectionGone, eachRow, type StoredRow, toStoredRow } from "./read-rows.ts";
import { averageDrift, tolerableDrift } from "./reweigh.ts";
import { rowData } from "./row-data.ts";
import { inTurn } from "./write-queue.ts";

/**
 * Makes the setup of a collection: what the server lacks, or a new collection with the rows of the old one where the declaration has
 * changed or the weights of its texts have drifted. Nothing is embedded again.
 */
export function milvusSetup(core: MilvusCore): SetupPort {
  return {
    plan: async (signal) => await plan(core, { signal }),
    apply: async (signal) => await inTurn(core.turn, signal, async () => await apply(core, { signal })),
  };
}

/** Why the data of a collection are to be copied within the server; none where nothing is to be done. */
export async function reasonsToCopy(core: MilvusCore, entry: CatalogueEntry, call: MilvusCall): Promise<readonly string[]> {
  const { declaration, declared, database, counts, index } = core;
  const { problems, newFields } = compareDeclarations(declaration.facts.name, entry.declaration, declared);
  const blocking = problems.find(({ repairable }) => !repairable);
  if (blocking !== undefined) throw new CollectionFault("mismatch", blocking.message);
  const reasons = [...problems.map(({ message }) => message), ...newFields.map((field) => `field "${field}" gets a column`)];
  if (entry.index.type !== index.type) reasons.push(`the index of its vectors is ${entry.index.type}, and ${index.type} is declared`);
  if (!entry.text) {
    if (await keepsText(core, call)) reasons.push("the server can keep full text now");
    return reasons;
  }
  const totals = await counts.read(entry.collection, [], call);
  const rows = await database.count(entry.collection, "tokens > 0", call);
  if (totals === undefined || rows === undefined) return reasons;
  const drift = averageDrift(entry.average, totals);
  if (drift > tolerableDrift) reasons.push(`the average length of its texts has moved by ${Math.round(drift * 100)} % since they were weighed`);
  if (totals.documents !== rows) reasons.push(`${rows} rows have a text, but ${totals.documents} are counted`);
  return reasons;
}

async function plan(core: MilvusCore, call: MilvusCall): Promise<readonly string[]> {
  const { database, declaration } = core;
  const { name } = declaration.facts;
  const entry = await readEntry(database, declaration.table, call);
  if (entry === undefined || (await mustBeginAgain(core, entry, call))) {
    const layout = await layoutFor(core, { collection: declaration.table, dimensions: core.declared.dimensions ?? undefined }, call);
    return [
      ...(entry === undefined ? [] : [`Drop the empty collection "${entry.collection}"`]),
      ...((await database.hasCollection(catalogueName, call)) ? [] : [`Create collection "${catalogueName}", which knows the others`]),
      describeLayout(layout, core),
      ...collectionIndexes(layout).map((index) => `Create index ${JSON.stringify(index)} on "${layout.collection}"`),
      ...(layout.text ? [`Create collection "${termsName(layout.collection)}", which counts terms`] : []),
      `Load "${layout.collection}"`,
    ];
  }
  const reasons = await reasonsToCopy(core, entry, call);
  if (reasons.length === 0) return [];
  return [`Copy the rows of "${name}" to a new collection on the server, index their texts again, and drop "${entry.collection}": ${reasons.join("; ")}`];
}

async function apply(core: MilvusCore, call: MilvusCall): Promise<void> {
  const { database, declaration } = core;
  await createCatalogue(database, call);
  const entry = await readEntry(database, declaration.table, call);
  if (entry === undefined || (await mustBeginAgain(core, entry, call))) {
    if (entry !== undefined) await dropBoth(core, entry, call);
    await createEmpty(core, call);
    return;
  }
  if ((await reasonsToCopy(core, entry, call)).length > 0) await copyRows(core, entry, call);
}

/** An empty collection under another declaration is no loss; one whose rows are gone cannot be kept. */
async function mustBeginAgain(core: MilvusCore, entry: CatalogueEntry, call: MilvusCall): Promise<boolean> {
  const rows = await core.database.count(entry.collection, "", call);
  return rows === undefined || (rows === 0 && compareDeclarations(core.declaration.facts.name, entry.declaration, core.declared).problems.length > 0);
}

async function createEmpty(core: MilvusCore, call: MilvusCall): Promise<void> {
  const { database, declaration, declared } = core;
  const { table, facts } = declaration;
  if (await database.hasCollection(table, call)) {
    throw new CollectionFault("mismatch", `The server has a collection "${table}" already that is none of Ditto's; give "${facts.name}" another \`table\``);
  }
  const dimensions = declared.dimensions ?? (await askDimensions(core, call));
  const layout = await layoutFor(core, { collection: table, dimensions }, call);
  // A term collection that a setup left behind when it was cut off.
  await database.drop(termsName(table), call);
  await createCollections(database, layout, call);
  await writeEntry(database, table, entryFor(core, layout, { ...declared, dimensions: dimensions ?? null }), call);
}

/** The length of an embedding's vectors, where it does not say it: collections are made for one length. */
async function askDimensions({ embedding }: MilvusCore, { signal }: MilvusCall): Promise<number | undefined> {
  if (embedding === undefined) return undefined;
  const [vector] = await embedding.embed({ contents: ["dimension"], purpose: "document" }, { signal });
  return toVector(vector, "The vector of a first text").length;
}

async function layoutFor(core: MilvusCore, given: Pick<CollectionLayout, "collection" | "dimensions">, call: MilvusCall): Promise<CollectionLayout> {
  return { ...given, fields: core.declaration.fields, text: await keepsText(core, call), index: core.index };
}

async function keepsText({ database }: MilvusCore, call: MilvusCall): Promise<boolean> {
  const [major, minor] = await database.version(call);
  return major > 2 || (major === 2 && minor >= 4);
}

function entryFor(core: MilvusCore, layout: CollectionLayout, declaration: StoredDeclaration, average?: number): CatalogueEntry {
  return { declaration, collection: layout.collection, text: layout.text, average, index: core.index };
}

function describeLayout(layout: CollectionLayout, { embedding }: MilvusCore): string {
  const unknown = embedding !== undefined && layout.dimensions === undefined ? "; the embedding is asked for the length of its vectors" : "";
  const fields = collectionFields(layout).map((field) => {
    const { name, data_type, dim } = field as { readonly name: string; readonly data_type: string; readonly dim?: number };
    return `${name} ${data_type}${dim === undefined ? "" : `(${dim})`}`;
  });
  return `Create collection "${layout.collection}" (${fields.join(", ")})${unknown}`;
}

async function dropBoth({ database }: MilvusCore, { collection }: Pick<CatalogueEntry, "collection">, call: MilvusCall): Promise<void> {
  await database.drop(collection, call);
  await database.drop(termsName(collection), call);
}

/**
 * Copies the rows to a new collection, and lets the entry lead to it when all are there: who searches meanwhile finds the old one. A copy
 * that is cut off leaves only a collection that nobody knows.
 */
async function copyRows(core: MilvusCore, entry: CatalogueEntry, call: MilvusCall): Promise<void> {
  const { database, declaration, declared, counts } = core;
  const analyzer = await core.analyzer();
  const dimensions = entry.declaration.dimensions ?? undefined;
  const layout = await layoutFor(core, { collection: `${declaration.table}__${randomBytes(4).toString("hex")}`, dimensions }, call);
  const texts: (readonly string[])[] = [];
  const frequencies = new Map<string, number>();
  for await (const rows of everyRow(core, entry, call)) {
    for (const row of rows) {
      // All rows are judged before anything is made.
      const tokens = layout.text ? tokensOf(analyzer, prepared(core, row).text) : [];
      texts.push({ length: tokens.length } as readonly string[]);
      for (const term of new Set(tokens)) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
    }
  }
  const average = averageOf(texts);
  const totals = texts.reduce<{ documents: number; tokens: number }>(
    (sum, { length }) => ({ documents: sum.documents + Number(length > 0), tokens: sum.tokens + length }),
    { documents: 0, tokens: 0 },
  );
  await createCollections(database, layout, call);
  try {
    for await (const rows of everyRow(core, entry, call)) {
      const state = { dimensions, text: layout.text, hasColumn: () => true };
      const data = rows.map((stored) => {
        const row = prepared(core, stored);
        return rowData(declaration, state, row, { vector: stored.vector, tokens: layout.text ? tokensOf(analyzer, row.text) : [], average: average ?? 1 });
      });
      for (const piece of inPieces(data)) await database.upsert(layout.collection, piece, call);
    }
    if (layout.text) await counts.write(layout.collection, [...frequencies], totals, call);
    await writeEntry(database, declaration.table, entryFor(core, layout, { ...declared, dimensions: dimensions ?? null }, average), call);
  } catch (error) {
    await dropBoth(core, layout, {}).catch(() => undefined);
    throw error;
  }
  await dropBoth(core, entry, call);
}

async function* everyRow(core: MilvusCore, entry: CatalogueEntry, call: MilvusCall): AsyncGenerator<readonly StoredRow[]> {
  const columns = entry.declaration.dimensions === null ? rowColumns : [...rowColumns, "vector"];
  try {
    for await (const rows of eachRow(core, { collection: entry.collection, where: "", columns, pageSize: 1_000 }, call)) yield rows.map(toStoredRow);
  } catch (error) {
    if (error instanceof CollectionGone) throw new CollectionFault("conflict", "Somebody else sets the collection up at the same time; try again");
    throw error;
  }
}

/** @throws CollectionFault `input` For a row that does not meet the declaration. */
function prepared({ declaration }: MilvusCore, row: StoredRow): ReturnType<typeof prepareRow> {
  const metadata = row.metadata === null ? undefined : (JSON.parse(row.metadata) as JsonObject);
  const origin = { id: row.id, scope: row.scope, recordId: row.record, key: row.key, hash: row.hash, place: `row "${row.id}"` };
  return prepareRow(declaration, { content: JSON.parse(row.content) as unknown, metadata }, origin);
}
