import { relative, resolve } from "node:path";
import { countNoun } from "../../base/count-noun.ts";
import { deleteWhere } from "../../ingest/delete-where.ts";
import { IngestError } from "../../ingest/ingest-error.ts";
import { ingestRecords } from "../../ingest/ingest-records.ts";
import type { RecordFormat, RecordSource } from "../../ingest/read-records.ts";
import type { Pipeline } from "../../live/pipeline.ts";
import type { CompiledIngest } from "../../pipeline/model/compiled-ingest.ts";
import type { CliCommand } from "../cli-command.ts";
import type { CliContext } from "../cli-context.ts";
import { meantName } from "../collection-argument.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { integerOption } from "../integer-option.ts";
import { declareLoadOptions } from "../load-options.ts";
import { readJsonObject } from "../read-json-option.ts";
import { ProgressLine } from "../render/progress-line.ts";
import { ingestProblems, ingestSummary } from "../render/ingest-summary.ts";
import { paintFor } from "../render/paint.ts";
import { UsageError } from "../usage-error.ts";
import { withPipeline } from "../with-pipeline.ts";

/** Options of `ditto ingest` as they are written. */
interface IngestOptions {
  readonly records?: string;
  readonly format?: string;
  readonly batch?: string;
  readonly onError: string;
  readonly prune?: boolean;
  readonly delete?: boolean;
  readonly where?: string;
  readonly json?: boolean;
}

/** `ditto ingest`: writes records, or removes some. */
export const ingestCommand: CliCommand = {
  declare: (command) => {
    command
      .argument("<file>", "the pipeline file")
      .argument("[name]", "the ingest, where the file has several")
      .option("-r, --records <file>", "a .jsonl or .csv file, or - for standard input; the file's `records` otherwise")
      .option("--format <name>", "jsonl or csv, where the file's name does not tell")
      .option("--batch <n>", "rows of one transaction, 1 to 10000", "64")
      .option("--on-error <what>", "stop at a bad record, or skip it", "stop")
      .option("--prune", "also remove what the source no longer has")
      .option("--delete", "remove records instead; needs --where")
      .option("--where <json>", `which records --delete removes, such as '{"site": "docs.example.com"}'`)
      .option("--json", "print the report as JSON");
    declareLoadOptions(command);
  },
  examples: [
    ["ditto ingest kb.yaml", "write the records that the file names"],
    ["ditto ingest kb.yaml articles -r articles.csv --on-error skip", "another source; leave bad lines out"],
    ["zcat dump.jsonl.gz | ditto ingest kb.yaml -r -", "from standard input"],
    [`ditto ingest kb.yaml --delete --where '{"product": "web"}'`, "remove records"],
  ],
  run: async (call) => {
    const options = call.options as unknown as IngestOptions;
    const { context, args } = call;
    const plan = readOptions(options);
    return withPipeline(args[0], { options: call.options, context, fill: false }, async (pipeline) => {
      const ingest = chooseIngest(pipeline, args[1]);
      return plan.where === undefined ? write(ingest, { ...plan, options, context }) : remove(ingest, { where: plan.where, context });
    });
  },
};

function readOptions(options: IngestOptions) {
  const { onError, format } = options;
  const batchSize = integerOption(options.batch, { name: "--batch", least: 1, most: 10_000 });
  if (onError !== "stop" && onError !== "skip") throw new UsageError(`--on-error is stop or skip, not "${onError}"`);
  if (format !== undefined && format !== "jsonl" && format !== "csv") throw new UsageError(`--format is jsonl or csv, not "${format}"`);
  if (options.delete !== true && options.where !== undefined) throw new UsageError("--where belongs to --delete");
  if (options.delete === true && options.where === undefined) {
    throw new UsageError("--delete needs --where", { hint: `say which: --delete --where '{"site": "docs.example.com"}'` });
  }
  const where = options.where === undefined ? undefined : readJsonObject(options.where, "--where");
  return { batchSize, onError: onError as "stop" | "skip", format: format as RecordFormat | undefined, where };
}

function chooseIngest(pipeline: Pipeline, name: string | undefined): CompiledIngest {
  const names = Object.keys(pipeline.ingests);
  if (names.length === 0) throw new UsageError("the file has no `ingest`", { hint: "declare one: what a record's id, content and metadata are" });
  if (name === undefined && names.length > 1) throw new UsageError("the file has several ingests", { hint: `name one of ${names.join(", ")}` });
  const found = pipeline.ingests[name ?? names[0] ?? ""];
  if (found === undefined) throw new UsageError(`no ingest is called "${name}"`, { hint: meantName(name ?? "", names) });
  return found;
}

interface Writing extends ReturnType<typeof readOptions> {
  readonly options: IngestOptions;
  readonly context: CliContext;
}

async function write(ingest: CompiledIngest, { batchSize, onError, format, options, context }: Writing): Promise<ExitCode> {
  const { source, shown } = sourceOf(ingest, { records: options.records, format, context });
  const line = new ProgressLine(context.err);
  const startedAt = performance.now();
  try {
    const report = await ingestRecords(ingest, {
      source,
      batchSize,
      onError,
      prune: options.prune,
      signal: context.signal,
      onProgress: ({ written, unchanged, failed, bytes, totalBytes }) => {
        const done = (written + unchanged) / ingest.into.length + failed;
        const share = totalBytes === undefined || totalBytes === 0 ? undefined : bytes / totalBytes;
        line.show({ label: ingest.name, done: Math.round(done), total: undefined, unit: "records", share });
      },
    });
    line.clear();
    context.err.write(ingestProblems(report, { source: shown, ingest, paint: paintFor(context.err) }));
    const text = ingestSummary(report, { name: ingest.name, elapsedMs: performance.now() - startedAt });
    context.out.write(options.json === true ? `${JSON.stringify(report, null, 2)}\n` : text);
    if (report.outcome === "cancelled") return exitCodes.interrupted;
    return report.skipped > 0 || report.pruneProblem !== undefined ? exitCodes.failed : exitCodes.fine;
  } catch (error) {
    line.clear();
    if (error instanceof IngestError && error.report !== undefined) {
      context.err.write(ingestSummary(error.report, { name: ingest.name, elapsedMs: performance.now() - startedAt }));
    }
    throw error;
  }
}

function sourceOf(
  ingest: CompiledIngest,
  { records, format, context }: { readonly records: string | undefined; readonly format: RecordFormat | undefined; readonly context: CliContext },
): { readonly source: RecordSource; readonly shown: string } {
  if (records === "-") return { source: { stream: context.stdin, format }, shown: "-" };
  const path = records === undefined ? ingest.records : resolve(context.cwd, records);
  if (path === undefined) throw new UsageError(`"${ingest.name}" names no records`, { hint: "say where they are: --records FILE.jsonl, FILE.csv or -" });
  return { source: { path, format }, shown: records ?? relative(context.cwd, path) };
}

async function remove(
  ingest: CompiledIngest,
  { where, context }: { readonly where: Readonly<Record<string, unknown>>; readonly context: CliContext },
): Promise<ExitCode> {
  for (const { name, collection } of ingest.into) {
    const removed = await deleteWhere(collection, where, { signal: context.signal });
    context.out.write(`${name}: ${countNoun(removed, "row")} removed\n`);
  }
  return exitCodes.fine;
}
