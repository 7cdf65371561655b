import type { MysqlServer } from "./mysql-server.ts";

/**
 * A reading statement with the time that it may take at the server. Nothing of it stays with the connection.
 *
 * @param text One statement.
 * @returns Undefined for a text that begins like no reading statement.
 */
export function limitedRead(text: string, { isMariadb }: Pick<MysqlServer, "isMariadb">, timeoutMs: number): string | undefined {
  const head = leading.exec(text)?.[0] ?? "";
  const word = /^(?:SELECT|WITH|VALUES|TABLE)\b/i.exec(text.slice(head.length))?.[0];
  if (word === undefined) return undefined;
  if (isMariadb) return `SET STATEMENT max_statement_time=${timeoutMs / 1000} FOR ${text}`;
  const behind = head.length + word.length;
  // MySQL takes one hint for the whole statement, right behind its first SELECT; an author's own hints stay the only ones.
  if (!/^SELECT$/i.test(word) || text.includes("/*+")) return text;
  return `${text.slice(0, behind)} /*+ MAX_EXECUTION_TIME(${timeoutMs}) */${text.slice(behind)}`;
}

/** Space, brackets, and comments that are only comments: what stands in the others is run. */
const leading = /^(?:[\s(]|\/\*(?![!+M])[\s\S]*?\*\/|--[^\S\n]*(?=\n|$)|--[^\S\n][^\n]*|#[^\n]*)*/;
