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
}

/** Rows of one transaction: few, since somebody waits and watches. */
const batchSize = 16;

/**
 * Fills empty collections from the `records` of the ingests that say `fill: true`, before a pipeline answers.
 *
 * A collection that holds anything is left alone. When filling ends early, what it wrote is taken back, so that a pipeline never
 * answers from a part of its records as if it were all of them.
 *
 * @param ingests A pipeline's ingests.
 * @param options `signal` ends it early; its reason is thrown.
 * @returns The report of each ingest that ran, by its name.
 * @throws IngestError `INGEST_INVALID_RECORD` for the first bad record, with its line; what reading and writing throw.
 */
export async function fillCollections(ingests: Iterable<CompiledIngest>, options: FillCollectionsOptions = {}): Promise<ReadonlyMap<string, IngestReport>> {
  const reports = new Map<string, IngestReport>();
  for (const ingest of ingests) {
    if (!ingest.fill || ingest.records === undefined || !(await isEmpty(ingest, options.signal))) continue;
    reports.set(ingest.name, await fill(ingest, ingest.records, options));
  }
  return reports;
}

async function isEmpty({ into }: CompiledIngest, signal: AbortSignal | undefined): Promise<boolean> {
  const counts = await Promise.all(into.map(({ collection }) => collection.records.count({ signal })));
  return counts.every((count) => count === 0);
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
    await empty(ingest);
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
