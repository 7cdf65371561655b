import type { Collection, Opened, OpenScope } from "@codesoul-co/ditto/plugin";
import type { CollectionConfiguration } from "../collection-configuration.ts";
import { asMemory } from "../collection-fault.ts";
import { declareCollection } from "../declaration.ts";
import type { SqlEngine } from "../engine/sql-engine.ts";
import { scopeOfNamespace } from "../scope.ts";
import { codedCollection } from "./coded-collection.ts";
import { tableCore } from "./table-core.ts";
import { tableRecords } from "./table-records.ts";
import { tableSetup } from "./table-setup.ts";
import { tableStore } from "./table-store.ts";
import { tableTextSearch } from "./table-text-search.ts";
import { readVectors, tableVectorSearch } from "./table-vector-search.ts";

/**
 * Opens a collection that is kept in an engine's tables; the database is not asked before the first call.
 *
 * @param configuration The collection's, its database aside.
 */
export function openTableCollection(
  configuration: Omit<CollectionConfiguration<unknown>, "database">,
  { engine, scope }: { readonly engine: SqlEngine; readonly scope: OpenScope },
): Opened<Collection> {
  const declaration = declareCollection(scope.name, configuration);
  const { embedding } = configuration;
  const core = tableCore(declaration, { engine, embedding, batchSize: scope.config.retrieval.embedding?.batchSize ?? 64 });
  const setup = tableSetup(core);
  const memory = async <T>(work: () => Promise<T>): Promise<T> => await asMemory(engine.codes, work);
  return {
    value: codedCollection(
      {
        facts: declaration.facts,
        embedding,
        store: tableStore(core),
        text: tableTextSearch(core),
        vector: tableVectorSearch(core),
        vectors: async (ids, options = {}) => await readVectors(core, { ids, scope: scopeOfNamespace(declaration, options.namespace) }, options.signal),
        records: tableRecords(core),
      },
      engine.codes,
    ),
    check: async (signal) => {
      await memory(async () => await core.state(signal));
    },
    setup: {
      plan: async (signal) => await memory(async () => await setup.plan(signal)),
      apply: async (signal) => await memory(async () => await setup.apply(signal)),
    },
  };
}
