import type { Collection, Opened, OpenScope } from "@codesoul-co/ditto/plugin";
import { asMemory } from "../sql/collection-fault.ts";
import { codedCollection } from "../sql/collection/coded-collection.ts";
import { declareCollection } from "../sql/declaration.ts";
import { scopeOfNamespace } from "../sql/scope.ts";
import type { MilvusCollectionConfiguration } from "./milvus-collection-configuration.ts";
import { milvusCore } from "./milvus-core.ts";
import { milvusCodes } from "./milvus-failure.ts";
import { milvusRecords } from "./milvus-records.ts";
import { milvusSetup, reasonsToCopy } from "./milvus-setup.ts";
import { milvusStore } from "./milvus-store.ts";
import { toMilvusDatabase } from "./open-milvus.ts";
import { textSearch } from "./text-search.ts";
import { readVectors, vectorSearch } from "./vector-search.ts";

/**
 * Opens a collection; the server is not spoken to before the first call.
 *
 * @throws MemoryError `MILVUS_UNAVAILABLE` When what stands in `database` is no connection to a Milvus server.
 */
export async function openMilvusCollection(configuration: MilvusCollectionConfiguration, scope: OpenScope): Promise<Opened<Collection>> {
  const database = await asMemory(milvusCodes, async () => toMilvusDatabase(configuration.database, scope));
  const declaration = declareCollection(scope.name, configuration);
  const { embedding, index = "flat", hnsw = {} } = configuration;
  const core = milvusCore(declaration, {
    database,
    embedding,
    index: index === "flat" ? { type: index } : { type: index, m: hnsw.m, efConstruction: hnsw.efConstruction },
    ef: hnsw.ef,
    log: scope.log,
    batchSize: scope.config.retrieval.embedding?.batchSize ?? 64,
  });
  const setup = milvusSetup(core);
  const memory = async <T>(work: () => Promise<T>): Promise<T> => await asMemory(milvusCodes, work);
  return {
    value: codedCollection(
      {
        facts: declaration.facts,
        embedding,
        store: milvusStore(core),
        text: textSearch(core),
        vector: vectorSearch(core),
        vectors: async (ids, options = {}) => await readVectors(core, { ids, scope: scopeOfNamespace(declaration, options.namespace) }, options),
        records: milvusRecords(core),
      },
      milvusCodes,
    ),
    check: async (signal) => {
      await memory(async () => {
        const reasons = await reasonsToCopy(core, await core.freshState({ signal }), { signal });
        if (reasons.length > 0) scope.log("warn", `\`ditto setup --apply\` would index "${scope.name}" again: ${reasons.join("; ")}`);
      });
    },
    setup: {
      plan: async (signal) => await memory(async () => await setup.plan(signal)),
      apply: async (signal) => await memory(async () => await setup.apply(signal)),
    },
  };
}
