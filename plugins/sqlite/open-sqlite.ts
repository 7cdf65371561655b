import { resolve } from "node:path";
import type { Opened, OpenScope } from "@codesoul-co/ditto/plugin";
import { asMemory } from "../sql/collection-fault.ts";
import { isDriverDatabase, memoryFile, SqliteDatabase, type SqliteLocation, toSqliteDatabase } from "./sqlite-database.ts";
import { sqliteCodes } from "./sqlite-failure.ts";
import { findThreadFile } from "./thread-file.ts";

/** What a pipeline says of a connection. */
export interface SqliteConfiguration {
  readonly file: string;
  readonly threads?: number | undefined;
}

/** Opens a connection; the file is neither read nor made before the first call. */
export function openSqlite({ file, threads }: SqliteConfiguration, scope: OpenScope): Opened<SqliteDatabase> {
  const database = new SqliteDatabase({
    file: file === memoryFile ? file : resolve(scope.folder, file),
    shown: scope.mask(file),
    threads: threadsOf(threads ?? (scope.serving === true ? servingThreads : 0), scope),
  });
  return {
    value: database,
    close: () => database.close(),
    check: async (signal) => await asMemory(sqliteCodes, async () => await database.check(signal)),
  };
}

/** One for vectors, whose index it keeps, and one for everything else. */
const servingThreads = 2;

function threadsOf(threads: number, scope: OpenScope): SqliteLocation["threads"] {
  if (threads === 0) return undefined;
  const threadFile = findThreadFile();
  if (threadFile !== undefined) return { threads, threadFile };
  scope.log("warn", `"${scope.name}" reads on the main thread: the package's files are not beside its code`);
  return undefined;
}

/** Takes an application's Database of better-sqlite3 for a connection, which is never closed here; anything else is for its users to judge. */
export function adoptSqlite(value: unknown): unknown {
  return isDriverDatabase(value) ? toSqliteDatabase(value) : value;
}
