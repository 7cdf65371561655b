import { resolve } from "node:path";
import { countNoun } from "../base/count-noun.ts";
import { isCodedError } from "../contracts/coded-error.ts";
import type { JsonValue } from "../contracts/json.ts";
import { type ReadRecord, type RecordReader, type RecordSource, readRecords } from "../ingest/read-records.ts";
import type { Pipeline } from "../live/pipeline.ts";
import type { CliContext } from "./cli-context.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { ProgressLine } from "./render/progress-line.ts";
import { graphName } from "./run-graph.ts";

/** How a graph is run over records. */
export interface RunRecordsOptions {
  /** A file, or `-` for standard input. */
  readonly records: string;
  readonly graph: string | undefined;
  /** Records that run at a time. */
  readonly batchSize: number;
  readonly context: CliContext;
}

/** What became of one record, as one line of the output. */
type RecordOutcome =
  | { readonly line: number; readonly output: JsonValue }
  | { readonly line: number; readonly error: { readonly code: string; readonly message: string } };

/**
 * Runs a graph once for each record and prints one line of JSON a record, in their order.
 *
 * A record that fails is a line with its error; the others go on.
 */
export async function runRecords(pipeline: Pipeline, { records, graph: asked, batchSize, context }: RunRecordsOptions): Promise<ExitCode> {
  const { out, err, signal } = context;
  const graph = graphName(pipeline, asked);
  const source: RecordSource = records === "-" ? { stream: context.stdin } : { path: resolve(context.cwd, records) };
  const reader = await readRecords(source, { signal });
  const line = new ProgressLine(err);
  let done = 0;
  let failed = 0;
  for await (const batch of batchesOf(reader, batchSize)) {
    const outcomes = await Promise.all(batch.map((item) => outcomeOf(pipeline, item, { graph, signal })));
    if (signal.aborted) break;
    done += outcomes.length;
    failed += outcomes.filter((outcome) => "error" in outcome).length;
    line.clear();
    out.write(outcomes.map((outcome) => `${JSON.stringify(outcome)}\n`).join(""));
    line.show({
      label: graph,
      done,
      total: undefined,
      unit: "records",
      share: reader.totalBytes === undefined ? undefined : reader.bytes / Math.max(1, reader.totalBytes),
    });
  }
  line.clear();
  err.write(
    `${countNoun(done, "record")}, ${failed} failed${signal.aborted ? "; interrupted: the lines that are printed are whole, and the rest was not run" : ""}\n`,
  );
  if (signal.aborted) return exitCodes.interrupted;
  return failed > 0 ? exitCodes.failed : exitCodes.fine;
}

async function* batchesOf(reader: RecordReader, size: number): AsyncGenerator<readonly ReadRecord[]> {
  let batch: ReadRecord[] = [];
  for await (const item of reader) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function outcomeOf(
  pipeline: Pipeline,
  { line, record, problem }: ReadRecord,
  { graph, signal }: { readonly graph: string; readonly signal: AbortSignal },
): Promise<RecordOutcome> {
  if (problem !== undefined) return { line, error: { code: "INGEST_INVALID_RECORD", message: problem } };
  try {
    return { line, output: await pipeline.run(record, { graph, signal }) };
  } catch (error) {
    if (!isCodedError(error)) throw error;
    return { line, error: { code: error.code, message: error.message } };
  }
}
