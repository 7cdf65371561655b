import { relative } from "node:path";
import { IngestError } from "./ingest-error.ts";
import { ingestRecords } from "./ingest-records.ts";
import type { CompiledIngest } from "../pipeline/model/compiled-ingest.ts";
import type { IngestReport } from "./ingest-report.ts";
import { countLines } from "./count-lines.ts";

/** Options of {@link fillCollections}. */
export interface FillCollectionsOptions {
  readonly signal?: AbortSignal | undefined;
  /** `total` is the number of lines of the source, where it is known. */
  readonly onProgress?: ((progress: { readonly ingest: string; readonly done: number; readonly total: number | undefined }) => void) | undefined;
  /** Told of a collection that holds something, and less than its source. */
  readonly onPartial?: ((partial: { readonly ingest: string; readonly rows: number; readonly records: number }) => void) | undefined;
}

/** Rows of one transaction: few, since somebody waits and watches. */
const batchSize = 16;

/**
 * Fills empty collections from the `records` of the ingests that say `fill: true`, before a pipeline answers.
 *
 * A collection that holds anything is left alone; one that holds fewer rows than its source has records is told of, since a
 * filling that was interrupted may have left it so. A bad record takes back what was written before it.
 *
 * @param ingests A pipeline's ingests.
 * @param options `signal` ends it early; its reason is thrown.
 * @returns The report of each ingest that ran, by its name.
 * @throws IngestError `INGEST_INVALID_RECORD` for the first bad record, with its line; what reading and writing throw.
 */
export async function fillCollections(ingests: Iterable<CompiledIngest>, options: FillCollectionsOptions = {}): Promise<ReadonlyMap<string, IngestReport>> {
  const reports = new Map<string, IngestReport>();
  for (const ingest of ingests) {
    if (!ingest.fill || ingest.records === undefined) continue;
    const rows = await mostRows(ingest, options.signal);
    if (rows > 0) {
      await tellPartial(ingest, { rows, records: ingest.records, options });
      continue;
    }
    reports.set(ingest.name, await fill(ingest, ingest.records, options));
  }
  return reports;
}

/** Rows of the fullest collection: an ingest is due while all of them are empty. */
async function mostRows({ into }: CompiledIngest, signal: AbortSignal | undefined): Promise<number> {
  return Math.max(0, ...(await Promise.all(into.map(({ collection }) => collection.records.count({ signal })))));
}

async function tellPartial(
  ingest: CompiledIngest,
  { rows, records, options }: { readonly rows: number; readonly records: string; readonly options: FillCollectionsOptions },
): Promise<void> {
  if (options.onPartial === undefined) return;
  const lines = (await countLines(records)) ?? 0;
  if (rows < lines) options.onPartial({ ingest: ingest.name, rows, records: lines });
}

async function fill(ingest: CompiledIngest, records: string, options: FillCollectionsOptions): Promise<IngestReport> {
  const { signal, onProgress } = options;
  const total = onProgress === undefined ? undefined : await countLines(records);
  const onEach = ({ written }: { readonly written: number }): void =>
    onProgress?.({ ingest: ingest.name, done: Math.round(written / ingest.into.length), total });
  try {
    const report = await ingestRecords(ingest, { source: { path: records }, batchSize, signal, onProgress: onEach });
    signal?.throwIfAborted();
    const [bad] = report.failed;
    if (bad !== undefined)
      throw new IngestError(
        "INGEST_INVALID_RECORD",
        `"${ingest.name}" cannot be filled: line ${bad.line} of ${relative(process.cwd(), records)}: ${bad.problem}`,
        { report },
      );
    return report;
  } catch (error) {
    // Another process may be filling as well, so what was written stays when somebody ends this one.
    if (signal?.aborted !== true) await empty(ingest);
    throw error;
  }
}

/** Takes back what was written into collections that were empty. */
async function empty({ into }: CompiledIngest): Promise<void> {
  for (const { collection } of into) {
    const ids = new Map<string | undefined, Set<string>>();
    for await (const rows of collection.records.scan()) {
      for (const { recordId, namespace } of rows) ids.set(namespace, (ids.get(namespace) ?? new Set()).add(recordId));
    }
    for (const [namespace, found] of ids) await collection.records.remove([...found], { namespace });
  }
}
