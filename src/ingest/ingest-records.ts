import { availableParallelism } from "node:os";
import { isRecord } from "../base/is-record.ts";
import { isCodedError } from "../contracts/coded-error.ts";
import type { JsonObject, JsonValue } from "../contracts/json.ts";
import type { CompiledIngest } from "../pipeline/model/compiled-ingest.ts";
import { CollectionWriter, type PreparedRecord } from "./collection-writer.ts";
import { convertCells } from "./convert-cells.ts";
import { InFlight } from "./in-flight.ts";
import { IngestError } from "./ingest-error.ts";
import type { FailedRecord, IngestProgress, IngestReport } from "./ingest-report.ts";
import { pruneCollection } from "./prune-collection.ts";
import { type ReadRecord, type RecordReader, type RecordSource, readRecords } from "./read-records.ts";

/** Options of {@link ingestRecords}. */
export interface IngestRecordsOptions {
  readonly source: RecordSource;
  /** Rows of one transaction, 1 to 10000; 64 by default. */
  readonly batchSize?: number | undefined;
  /** What a bad record does: `stop` (the default) ends the run after what stands before it, `skip` leaves it out. */
  readonly onError?: "stop" | "skip" | undefined;
  /** Also removes what the source no longer has. */
  readonly prune?: boolean | undefined;
  /** Stops between batches; what is written stays. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: IngestProgress) => void) | undefined;
}

/** Two batches, so that the encoder's threads have work while one is written. */
const batchesInFlight = 2;
/** Bad records that a report lists; the rest is only counted. */
const mostListed = 1000;
/** An encoder gains little from more threads than this, and each takes memory. */
const mostThreads = 4;

/**
 * Writes the records of a source into the collections of an ingest.
 *
 * Each record is judged by the ingest's schema, mapped, compared with what is stored, cut into chunks and written in batches of one
 * scope. A record that did not change is left alone, so a run that was interrupted goes on where it stopped.
 *
 * @param ingest A compiled ingest with live collections.
 * @param options The source, and how to treat what is wrong.
 * @returns What was done; `failed` names the bad records.
 * @throws IngestError `INGEST_SOURCE_UNREADABLE`, `INGEST_SOURCE_UNKNOWN`, `INGEST_HEADER_INVALID`, `INGEST_TOKENS_UNKNOWN`; with the code of
 *   the collection or embedding that failed, and the report until then, when a batch cannot be written.
 * @example
 * ```ts
 * const report = await ingestRecords(pipeline.ingests.articles, { source: { path: "articles.jsonl" }, onError: "skip" });
 * ```
 */
export async function ingestRecords(ingest: CompiledIngest, options: IngestRecordsOptions): Promise<IngestReport> {
  checkTokens(ingest);
  const { source, signal } = options;
  const [reader, validate] = await Promise.all([readRecords(source, { signal }), ingest.validator()]);
  const run = new IngestRun(ingest, options, { reader, validate });
  try {
    const outcome = await run.readAll();
    await run.end();
    return run.report(outcome, await run.prune(outcome));
  } catch (error) {
    if (signal?.aborted === true) {
      await run.end().catch(() => undefined);
      return run.report("cancelled");
    }
    if (!isCodedError(error) || error instanceof IngestError) throw error;
    await run.end().catch(() => undefined);
    throw new IngestError(error.code, error.message, { cause: error, report: run.report("stopped") });
  }
}

/** Judges a record by the ingest's schema. */
type Validate = (record: unknown) => readonly string[];

/** One run: its counts, its writers, and what is wrong with its records. */
class IngestRun {
  readonly #ingest: CompiledIngest;
  readonly #options: IngestRecordsOptions;
  readonly #reader: RecordReader;
  readonly #validate: Validate;
  readonly #inFlight = new InFlight(batchesInFlight);
  readonly #writers: readonly CollectionWriter[];
  readonly #failed: FailedRecord[] = [];
  #failures = 0;
  #read = 0;
  #bytes = 0;

  constructor(ingest: CompiledIngest, options: IngestRecordsOptions, input: { readonly reader: RecordReader; readonly validate: Validate }) {
    this.#ingest = ingest;
    this.#options = options;
    this.#reader = input.reader;
    this.#validate = input.validate;
    const { batchSize = 64, signal } = options;
    this.#writers = ingest.into.map(({ name, collection }) => {
      collection.embedding?.growTo?.(Math.min(availableParallelism(), mostThreads));
      const told = { onFailed: (failed: FailedRecord) => this.#fail(failed), onWritten: () => this.#tell() };
      return new CollectionWriter({ name, collection, ingest: ingest.name, chunk: ingest.chunk, batchSize, inFlight: this.#inFlight, signal, ...told });
    });
  }

  async readAll(): Promise<IngestReport["outcome"]> {
    const { onError = "stop", signal } = this.#options;
    for await (const item of this.#reader) {
      if (isAborted(signal)) break;
      this.#read += 1;
      await this.#take(item);
      if (this.#failures > 0 && onError === "stop") break;
      this.#tell();
    }
    if (!isAborted(signal)) {
      for (const writer of this.#writers) await writer.flush();
      await this.#inFlight.end();
    }
    if (isAborted(signal)) return "cancelled";
    return this.#failures > 0 && onError === "stop" ? "stopped" : "complete";
  }

  /** Waits for the batches that are being written. */
  async end(): Promise<void> {
    await this.#inFlight.end();
    this.#tell();
  }

  async prune(outcome: IngestReport["outcome"]): Promise<{ readonly removed: number; readonly problem?: string }> {
    const { prune = false, signal } = this.#options;
    if (!prune || outcome === "cancelled") return { removed: 0 };
    if (this.#failures > 0) return { removed: 0, problem: "nothing was pruned, for bad records may be ones that are still there" };
    if (this.#read === 0) return { removed: 0, problem: "nothing was pruned, for the source holds no records" };
    let removed = 0;
    for (const [index, { collection }] of this.#ingest.into.entries()) {
      const writer = this.#writers[index];
      const keeps = (id: string, namespace: string | undefined): boolean => writer?.has(id, namespace) === true;
      removed += await pruneCollection(collection, { ingest: this.#ingest.name, keeps, signal });
    }
    return { removed };
  }

  report(outcome: IngestReport["outcome"], pruned: { readonly removed: number; readonly problem?: string } = { removed: 0 }): IngestReport {
    return Object.freeze({
      outcome,
      read: this.#read,
      written: this.#sum("written"),
      unchanged: this.#sum("unchanged"),
      removed: pruned.removed,
      chunks: this.#sum("chunks"),
      cut: this.#sum("cut"),
      skipped: this.#failures,
      failed: [...this.#failed].sort((a, b) => a.line - b.line),
      ...(pruned.problem === undefined ? {} : { pruneProblem: pruned.problem }),
    });
  }

  async #take(item: ReadRecord): Promise<void> {
    const { line } = item;
    const prepared = item.problem === undefined ? this.#prepare(line, this.#typed(item.record)) : item.problem;
    if (typeof prepared === "string") return this.#fail({ line, problem: prepared });
    const problem = this.#writers.map((writer) => writer.problemWith(prepared)).find((found) => found !== undefined);
    if (problem !== undefined) return this.#fail({ line, problem });
    for (const writer of this.#writers) await writer.add(prepared);
  }

  /** Judges and maps a record; a text is what is wrong with it. */
  #prepare(line: number, record: JsonValue): PreparedRecord | string {
    const problems = this.#validate(record);
    if (problems.length > 0) return problems.join("; ");
    try {
      const { id, content, metadata = {} } = this.#ingest.map(record);
      return typeof id === "string" && id !== "" ? { line, id, content, metadata } : "the id is empty";
    } catch (error) {
      if (isCodedError(error)) return error.message;
      throw error;
    }
  }

  #typed(record: JsonValue): JsonValue {
    return this.#reader.format === "csv" && isRecord(record) ? convertCells(record as JsonObject, this.#ingest.input) : record;
  }

  #fail(failed: FailedRecord): void {
    this.#failures += 1;
    if (this.#failed.length < mostListed) this.#failed.push(failed);
  }

  #sum(count: "written" | "unchanged" | "chunks" | "cut"): number {
    return this.#writers.reduce((total, writer) => total + writer.counts[count], 0);
  }

  /** Reading runs ahead of writing, so the bytes are those of the records that are done. */
  #tell(): void {
    const { onProgress } = this.#options;
    if (onProgress === undefined) return;
    const written = this.#sum("written");
    const unchanged = this.#sum("unchanged");
    const done = (written + unchanged) / this.#writers.length + this.#failures;
    const share = this.#read === 0 ? 0 : Math.min(1, done / this.#read);
    this.#bytes = Math.max(this.#bytes, Math.floor(this.#reader.bytes * share));
    onProgress({ read: this.#read, written, unchanged, failed: this.#failures, bytes: this.#bytes, totalBytes: this.#reader.totalBytes });
  }
}

/** Asked anew at each place: the compiler would take the answer of one for that of all. */
function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

function checkTokens(ingest: CompiledIngest): void {
  if (ingest.chunk?.unit !== "tokens") return;
  const mute = ingest.into.find(({ collection }) => collection.embedding?.countTokens === undefined);
  if (mute === undefined) return;
  throw new IngestError("INGEST_TOKENS_UNKNOWN", `The embedding of "${mute.name}" does not count tokens; give the chunk's size in characters`);
}
