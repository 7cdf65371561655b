import type { CollectionSubject } from "../../src/testing/collection/collection-subject.ts";
import { openCollection, openDatabase } from "../plugins/sqlite/open-test-collection.ts";

/** An engine that runs, and how it ends. */
export interface RunningEngine extends CollectionSubject {
  stop(): Promise<void>;
}

/** Engines by name: each call starts what it needs on this machine. */
export const engines: Readonly<Record<string, () => Promise<RunningEngine>>> = {
  sqlite: async () => ({
    open: async ({ name, ...configuration }) => {
      const database = await openDatabase(":memory:");
      const { collection, close } = await openCollection(configuration, { name, database: database.value });
      return {
        collection,
        close: async () => {
          await close();
          await database.close?.();
        },
      };
    },
    stop: async () => {},
  }),
};

/**
 * Works with an empty collection of an engine.
 *
 * @throws Error Where no engine has the name.
 */
export async function withEngine(name: string, work: (engine: RunningEngine) => Promise<void>): Promise<void> {
  const start = engines[name];
  if (start === undefined) throw new Error(`No engine is called "${name}"; there are ${Object.keys(engines).join(", ")}`);
  const engine = await start();
  try {
    await work(engine);
  } finally {
    await engine.stop();
  }
}
