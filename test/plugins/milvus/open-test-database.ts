import type { MilvusConfiguration } from "../../../plugins/milvus/milvus-configuration.ts";
import type { MilvusDatabase } from "../../../plugins/milvus/milvus-database.ts";
import { openMilvus } from "../../../plugins/milvus/open-milvus.ts";

/** Opens a connection the way a pipeline does, and its end. */
export async function openTestDatabase(
  configuration: MilvusConfiguration,
): Promise<{ readonly database: MilvusDatabase; readonly close: () => Promise<void> }> {
  const opened = await openMilvus(configuration, { name: "db" });
  return { database: opened.value, close: async () => await opened.close?.() };
}
