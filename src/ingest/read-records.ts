import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { extname } from "node:path";
import { addAbortSignal, type Readable } from "node:stream";
import { countNoun } from "../base/count-noun.ts";
import type { JsonValue } from "../contracts/json.ts";
import { IngestError } from "./ingest-error.ts";
import { type CsvCell, parseCsvRow } from "./parse-csv-row.ts";
import { parseJsonLine } from "./parse-json-line.ts";
import { type Row, splitRows } from "./split-rows.ts";

/** Where records come from. */
export type RecordSource =
  /** A file; `.csv` is CSV, `.jsonl` and `.ndjson` hold one JSON value a line. */
  | { readonly path: string; readonly format?: RecordFormat | undefined }
  /** A stream such as standard input, JSONL unless said. */
  | { readonly stream: Readable; readonly format?: RecordFormat | undefined };

/** How records are written. */
export type RecordFormat = "jsonl" | "csv";

/** One record, or what is wrong with its line. */
export type ReadRecord =
  | { readonly line: number; readonly record: JsonValue; readonly problem?: undefined }
  | { readonly line: number; readonly problem: string; readonly record?: undefined };

/** An open source. */
export interface RecordReader extends AsyncIterable<ReadRecord> {
  readonly format: RecordFormat;
  /** Size of the source in bytes; unknown for a stream. */
  readonly totalBytes: number | undefined;
  /** Bytes up to the end of the record that was given last. */
  readonly bytes: number;
}

/** Options of {@link readRecords}. */
export interface ReadRecordsOptions {
  readonly maxRowBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Longest line or CSV row in bytes, by default. */
const defaultMaxRowBytes = 16 * 1024 * 1024;

/**
 * Opens a source of records. It is read as it is iterated, a bounded number of bytes at a time.
 *
 * Blank lines are skipped. A line that is no JSON, no UTF-8, too long, or a CSV row that does not fit the header, is given with
 * its problem. CSV needs a header row; its values are texts, and an empty cell without quotes is absent.
 *
 * @param source A file or a stream.
 * @param options `maxRowBytes`: the longest line, 16 MiB by default. `signal` ends the records early, without an error.
 * @throws IngestError `INGEST_SOURCE_UNREADABLE`, `INGEST_SOURCE_UNKNOWN` for a file of another kind, and while reading `INGEST_HEADER_INVALID`.
 * @example
 * ```ts
 * for await (const { line, record, problem } of await readRecords({ path: "articles.jsonl" })) { ... }
 * ```
 */
export async function readRecords(source: RecordSource, options: ReadRecordsOptions = {}): Promise<RecordReader> {
  const format = source.format ?? ("path" in source ? formatOf(source.path) : "jsonl");
  const totalBytes = "path" in source ? await sizeOf(source.path) : undefined;
  const rows = splitRows(piecesOf(source, options.signal), { quoted: format === "csv", maxRowBytes: options.maxRowBytes ?? defaultMaxRowBytes });

  const progress = { bytes: 0 };
  const records = format === "csv" ? readCsv(rows, progress) : readJsonl(rows, progress);
  return {
    format,
    totalBytes,
    get bytes() {
      return progress.bytes;
    },
    [Symbol.asyncIterator]: () => records,
  };
}

function formatOf(path: string): RecordFormat {
  const extension = extname(path).toLowerCase();
  if (extension === ".csv") return "csv";
  if (extension === ".jsonl" || extension === ".ndjson") return "jsonl";
  throw new IngestError("INGEST_SOURCE_UNKNOWN", `Records come as .jsonl (one JSON object a line) or .csv, and "${path}" is neither`);
}

async function sizeOf(path: string): Promise<number | undefined> {
  const found = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  if (found.isDirectory()) throw new IngestError("INGEST_SOURCE_UNREADABLE", `The records "${path}" are a folder`);
  return found.isFile() ? found.size : undefined;
}

async function* piecesOf(source: RecordSource, signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
  const stream = "path" in source ? createReadStream(source.path, { highWaterMark: 256 * 1024 }) : source.stream;
  if (signal !== undefined) addAbortSignal(signal, stream);
  try {
    yield* stream as AsyncIterable<Buffer>;
  } catch (error) {
    if (signal?.aborted !== true) throw unreadable("path" in source ? source.path : "-", error);
  }
}

function unreadable(path: string, cause: unknown): IngestError {
  const code = (cause as { readonly code?: unknown } | null)?.code;
  const reason = code === "ENOENT" ? "do not exist" : code === "EACCES" ? "may not be read" : `cannot be read (${String(code)})`;
  return new IngestError("INGEST_SOURCE_UNREADABLE", `The records "${path}" ${reason}`, { cause });
}

type Rows = AsyncGenerator<readonly Row[]>;

async function* readJsonl(rows: Rows, progress: { bytes: number }): AsyncGenerator<ReadRecord> {
  for await (const batch of rows) {
    for (const row of batch) {
      progress.bytes = row.offset;
      const decoded = decode(row);
      if (decoded.problem !== undefined) yield { line: row.line, problem: decoded.problem };
      if (decoded.text === undefined || decoded.text.trim() === "") continue;
      const parsed = parseJsonLine(decoded.text);
      yield "problem" in parsed ? { line: row.line, problem: parsed.problem } : { line: row.line, record: parsed.value };
    }
  }
}

async function* readCsv(rows: Rows, progress: { bytes: number }): AsyncGenerator<ReadRecord> {
  let header: readonly string[] | undefined;
  for await (const batch of rows) {
    for (const row of batch) {
      progress.bytes = row.offset;
      const decoded = decode(row);
      if (decoded.text === "") continue;
      const parsed = decoded.text === undefined ? { problem: decoded.problem } : parseCsvRow(decoded.text);
      if (header === undefined) header = headerOf(row.line, parsed);
      else if ("problem" in parsed) yield { line: row.line, problem: parsed.problem };
      else yield csvRecord(row.line, { header, cells: parsed.cells });
    }
  }
}

function headerOf(line: number, parsed: { readonly cells: readonly CsvCell[] } | { readonly problem: string }): readonly string[] {
  const wrong = (problem: string): IngestError => new IngestError("INGEST_HEADER_INVALID", `Line ${line}, the header of the CSV: ${problem}`);
  if ("problem" in parsed) throw wrong(parsed.problem);
  const names = parsed.cells.map((cell) => cell?.trim() ?? "");
  const empty = names.indexOf("");
  if (empty >= 0) throw wrong(`column ${empty + 1} has no name`);
  const double = names.find((name, index) => names.indexOf(name) !== index);
  if (double !== undefined) throw wrong(`the name "${double}" is there twice`);
  return names;
}

function csvRecord(line: number, { header, cells }: { readonly header: readonly string[]; readonly cells: readonly CsvCell[] }): ReadRecord {
  if (cells.length !== header.length) return { line, problem: `${countNoun(cells.length, "column")}, where the header has ${header.length}` };
  const members = header.flatMap((name, index): [string, string][] => (cells[index] === undefined ? [] : [[name, cells[index]]]));
  return { line, record: Object.fromEntries(members) };
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decode(row: Row): { readonly text: string; readonly problem?: undefined } | { readonly problem: string; readonly text?: undefined } {
  if (row.bytes === undefined) return { problem: "the line is too long" };
  try {
    return { text: utf8.decode(row.bytes) };
  } catch {
    return { problem: "the text is not UTF-8" };
  }
}
