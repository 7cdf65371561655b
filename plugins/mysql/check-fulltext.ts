import type { OpenScope } from "@codesoul-co/ditto/plugin";
import { CollectionFault } from "../sql/collection-fault.ts";
import { quoteName } from "./mysql-dialect.ts";
import type { FulltextConfiguration } from "./fulltext-configuration.ts";
import type { MysqlDatabase } from "./mysql-database.ts";

/**
 * Looks whether the table has what a full-text search needs, and tells the log what its index cannot find.
 *
 * @throws CollectionFault `missing` When table, column or index is not there; `mismatch` When the index cuts texts otherwise than is said.
 */
export async function checkFulltext(
  { table, columns, id, content, metadata = [], namespace, fields = {}, parser = "words" }: FulltextConfiguration,
  { database, scope, signal }: { readonly database: MysqlDatabase; readonly scope: Pick<OpenScope, "log" | "name">; readonly signal: AbortSignal },
): Promise<void> {
  const read = async (sql: string, ...parameters: readonly string[]) => await database.read({ sql, parameters }, { signal });
  const named = [
    ...columns,
    id,
    ...(content === undefined ? [] : [content]),
    ...metadata,
    ...(namespace === undefined ? [] : [namespace]),
    ...Object.keys(fields),
  ];
  const found = await read("SELECT column_name AS name FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = ?", table);
  if (found.length === 0) throw new CollectionFault("missing", `The database has no table "${table}"`);
  const there = new Set(found.map(({ name }) => String(name).toLowerCase()));
  const absent = named.find((name) => !there.has(name.toLowerCase()));
  if (absent !== undefined) throw new CollectionFault("missing", `The table "${table}" has no column "${absent}"`);
  const index = await findIndex(read, table, columns);
  if (index === undefined) {
    const statement = `ALTER TABLE ${quoteName(table)} ADD FULLTEXT (${columns.map(quoteName).join(", ")})`;
    throw new CollectionFault("missing", `The table "${table}" has no FULLTEXT index of these columns together: ${statement}`);
  }
  const isNgram = await hasNgramParser(database, { table, index, signal });
  if (isNgram !== (parser === "ngram")) {
    throw new CollectionFault(
      "mismatch",
      `The FULLTEXT index "${index}" of "${table}" ${isNgram ? "has" : "lacks"} the ngram parser, but \`parser\` says otherwise`,
    );
  }
  const [shortest] = await read("SELECT CAST(@@innodb_ft_min_token_size AS SIGNED) AS letters");
  if (!isNgram && Number(shortest?.letters) > 1) {
    scope.log("warn", `"${scope.name}" finds no word with fewer than ${String(shortest?.letters)} letters (innodb_ft_min_token_size)`);
  }
}

type Read = (sql: string, ...parameters: readonly string[]) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/** MATCH takes exactly the columns of an index, in any order. */
async function findIndex(read: Read, table: string, columns: readonly string[]): Promise<string | undefined> {
  const text =
    "SELECT index_name AS name, column_name AS `column` FROM information_schema.statistics " +
    "WHERE table_schema = DATABASE() AND table_name = ? AND index_type = 'FULLTEXT' ORDER BY index_name, seq_in_index";
  const indexes = new Map<string, string[]>();
  for (const row of await read(text, table)) {
    const name = String(row.name);
    indexes.set(name, [...(indexes.get(name) ?? []), String(row.column).toLowerCase()]);
  }
  const wanted = columns.map((column) => column.toLowerCase()).sort();
  return [...indexes].find(([, names]) => names.sort().join("\n") === wanted.join("\n"))?.[0];
}

/** Only the statement that would make the table tells which parser an index has. */
async function hasNgramParser(
  database: MysqlDatabase,
  { table, index, signal }: { readonly table: string; readonly index: string; readonly signal: AbortSignal },
): Promise<boolean> {
  const [made] = await database.read({ sql: `SHOW CREATE TABLE ${quoteName(table)}`, parameters: [] }, { signal });
  const line = String(made?.["Create Table"])
    .split("\n")
    .find((each) => each.includes(`FULLTEXT KEY ${quoteName(index)} `));
  return line !== undefined && /WITH PARSER\s+`ngram`/i.test(line);
}
