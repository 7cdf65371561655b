import { isRecord } from "../base/is-record.ts";
import type { JsonObject } from "../contracts/json.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceFile } from "../document/document.ts";
import { parseJsonLine } from "../ingest/parse-json-line.ts";
import { badLine, type FileLine, linesOf } from "./judged-file.ts";

/** A query that is asked to measure. */
export interface JudgedQuery {
  readonly id: string;
  readonly text: string;
  readonly metadata?: JsonObject | undefined;
  /** Its own filter and scope, where the collection has them. */
  readonly filter?: JsonObject | undefined;
  readonly namespace?: string | undefined;
}

/**
 * Reads queries: JSON lines with `_id` or `id` and `text` (or `query`), or lines of `id<TAB>text` where the file's name ends in `.tsv`.
 *
 * @param file The text and its path.
 * @returns The queries in the order of the file, and every line that is none.
 */
export function readQueries(file: SourceFile): { readonly queries: readonly JudgedQuery[]; readonly diagnostics: readonly Diagnostic[] } {
  const isTable = /\.(?:tsv|txt)$/iu.test(file.path);
  const known = new Map<string, number>();
  const diagnostics: Diagnostic[] = [];
  const queries: JudgedQuery[] = [];
  for (const [index, line] of linesOf(file).entries()) {
    if (isTable && index === 0 && /^(?:query-?id|qid|_?id)\t/iu.test(line.text)) continue;
    const read = isTable ? readRow(line) : readObject(line);
    const problem = "problem" in read ? read.problem : known.has(read.id) ? `the id "${read.id}" was used in line ${known.get(read.id)}` : undefined;
    if (problem !== undefined) diagnostics.push(badLine(file, line, problem));
    else if (!("problem" in read)) {
      known.set(read.id, line.number);
      queries.push(read);
    }
  }
  return { queries, diagnostics };
}

type Reading = JudgedQuery | { readonly problem: string };

function readRow({ text }: FileLine): Reading {
  const at = text.indexOf("\t");
  const [id, query] = at < 0 ? ["", ""] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  return id === "" || query === "" ? { problem: "it is no id and text with a tab between them" } : { id, text: query };
}

function readObject({ text }: FileLine): Reading {
  const read = parseJsonLine(text);
  if ("problem" in read) return read;
  const { value } = read;
  if (!isRecord(value)) return { problem: "it is no JSON object" };
  const id = value["_id"] ?? value["id"];
  const query = value["text"] ?? value["query"];
  const { metadata, filter, namespace } = value as { readonly metadata?: unknown; readonly filter?: unknown; readonly namespace?: unknown };
  if (typeof id !== "string" && typeof id !== "number") return { problem: 'it has no "_id" or "id"' };
  if (typeof query !== "string" || query.trim() === "") return { problem: 'it has no "text", or a blank one' };
  if (filter !== undefined && !isRecord(filter)) return { problem: '"filter" is no object' };
  if (namespace !== undefined && typeof namespace !== "string") return { problem: '"namespace" is no text' };
  return {
    id: String(id),
    text: query,
    ...(isRecord(metadata) && Object.keys(metadata).length > 0 ? { metadata: metadata as JsonObject } : {}),
    ...(filter === undefined ? {} : { filter: filter as JsonObject }),
    ...(namespace === undefined ? {} : { namespace }),
  };
}
