import type { CollectionSubject } from "../../../src/testing/collection/collection-subject.ts";
import { readEntry } from "../../../plugins/milvus/catalogue.ts";
import { termsName } from "../../../plugins/milvus/collection-layout.ts";
import type { MilvusDatabase } from "../../../plugins/milvus/milvus-database.ts";
import { openTestCollection } from "./open-test-collection.ts";

/**
 * A subject for the cases of collections. Making and loading a collection takes a Milvus server a second and more, so one that a case has
 * closed is emptied for the next case that declares the same.
 */
export function pooledCollections(database: () => MilvusDatabase): CollectionSubject {
  const free = new Map<string, string[]>();
  let tables = 0;
  return {
    open: async ({ name, ...configuration }) => {
      const declared = JSON.stringify([configuration.fields, configuration.namespace ?? null, configuration.embedding?.facts ?? null]);
      const known = free.get(declared)?.pop();
      tables += 1;
      const table = known ?? `case_${tables}`;
      const { collection } = await openTestCollection({ ...configuration, table }, { name, database: database(), setUp: known === undefined });
      if (known !== undefined) await empty(database(), table);
      return { collection, close: async () => void free.set(declared, [...(free.get(declared) ?? []), table]) };
    },
  };
}

async function empty(database: MilvusDatabase, table: string): Promise<void> {
  const entry = await readEntry(database, table, {});
  if (entry === undefined) throw new Error(`no collection ${table}`);
  await database.remove(entry.collection, 'pk != ""');
  if (entry.text) await database.remove(termsName(entry.collection), 'pk != ""');
}
