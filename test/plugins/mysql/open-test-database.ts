import type { MysqlDatabase } from "../../../plugins/mysql/mysql-database.ts";
import type { MysqlConfiguration } from "../../../plugins/mysql/mysql-configuration.ts";
import { openMysql } from "../../../plugins/mysql/open-mysql.ts";

/** Opens a connection the way a pipeline does, and its end. */
export async function openTestDatabase(configuration: MysqlConfiguration): Promise<{ readonly database: MysqlDatabase; readonly close: () => Promise<void> }> {
  const opened = await openMysql(configuration, { name: "db" });
  return { database: opened.value, close: async () => await opened.close?.() };
}
