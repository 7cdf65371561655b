import { resolve } from "node:path";
import type { Opened, OpenScope } from "@codesoul-co/ditto/plugin";
import { asMemory } from "../sql/collection-fault.ts";
import { isDriverDatabase, memoryFile, SqliteDatabase, toSqliteDatabase } from "./sqlite-database.ts";
import { sqliteCodes } from "./sqlite-failure.ts";

/** Opens a connection; the file is neither read nor made before the first call. */
export function openSqlite(file: string, scope: OpenScope): Opened<SqliteDatabase> {
  const database = new SqliteDatabase({ file: file === memoryFile ? file : resolve(scope.folder, file), shown: scope.mask(file) });
  return {
    value: database,
    close: () => database.close(),
    check: async (signal) => await asMemory(sqliteCodes, async () => await database.check(signal)),
  };
}

/** Takes an application's Database of better-sqlite3 for a connection, which is never closed here; anything else is for its users to judge. */
export function adoptSqlite(value: unknown): unknown {
  return isDriverDatabase(value) ? toSqliteDatabase(value) : value;
}
