import type { Collection, Opened, OpenScope } from "@codesoul-co/ditto/plugin";
import { openTableCollection } from "../sql/collection/open-table-collection.ts";
import type { CollectionConfiguration } from "../sql/collection-configuration.ts";
import { asMemory } from "../sql/collection-fault.ts";
import { mysqlEngine } from "./mysql-engine.ts";
import { mysqlCodes } from "./mysql-failure.ts";
import { toMysqlDatabase } from "./open-mysql.ts";

/**
 * Opens a collection; the server is not spoken to before the first call.
 *
 * @throws MemoryError `MYSQL_UNAVAILABLE` When what stands in `database` is no connection to a MySQL server.
 */
export async function openMysqlCollection(configuration: CollectionConfiguration<unknown>, scope: OpenScope): Promise<Opened<Collection>> {
  const database = await asMemory(mysqlCodes, async () => toMysqlDatabase(configuration.database, scope));
  return openTableCollection(configuration, { engine: mysqlEngine(database), scope });
}
