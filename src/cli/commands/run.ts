import type { CliCall, CliCommand } from "../cli-command.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { integerOption } from "../integer-option.ts";
import { declareLoadOptions } from "../load-options.ts";
import { readJsonObject, readJsonOption } from "../read-json-option.ts";
import { runGraph } from "../run-graph.ts";
import { runRecords } from "../run-records.ts";
import { runSearch } from "../run-search.ts";
import { UsageError } from "../usage-error.ts";
import { watchPipeline } from "../watch-pipeline.ts";
import { withPipeline } from "../with-pipeline.ts";

/** Options of `ditto run` as they are written. */
interface RunOptions {
  readonly query?: string;
  readonly queryMetadata?: string;
  readonly input?: string;
  readonly records?: string;
  readonly batch?: string;
  readonly graph?: string;
  readonly target?: string;
  readonly strategy?: string;
  readonly namespace?: string;
  readonly filter?: string;
  readonly limit?: string;
  readonly json?: boolean;
  readonly explain?: boolean | string;
  readonly trace?: boolean;
  readonly watch?: boolean;
}

const searchOnly = ["queryMetadata", "target", "strategy", "namespace", "filter", "limit", "explain"] as const;

/** `ditto run`: a search, or a graph. */
export const runCommand: CliCommand = {
  declare: (command) => {
    command
      .argument("<file>", "the pipeline file")
      .option("-q, --query <text>", "search for this text")
      .option("--query-metadata <json>", "metadata of the query, as a JSON object")
      .option("-i, --input <json>", "run a graph with this input: JSON, @FILE, or - for standard input")
      .option("--records <file>", "run a graph over every record of a .jsonl or .csv file, or of - for standard input")
      .option("--batch <n>", "records that run at a time, 1 to 1000; 8 otherwise")
      .option("--graph <name>", "the graph, where the file has several")
      .option("--target <name>", "the target to search, where the file has several")
      .option("--strategy <name>", "the strategy; the target's default otherwise")
      .option("--namespace <value>", "the scope's value, for collections with one")
      .option("--filter <json>", `a filter, such as '{"product": "web"}'`)
      .option("--limit <n>", "most results, 1 to 10000")
      .option("--json", "print the answer as JSON, with --explain and --trace in it")
      .option("--explain [id]", "say why each result stands where it stands; with =ID why one document does, or why it is not there")
      .option("--trace", "show every step with its milliseconds")
      .option("--watch", "run again whenever the file changes, until Ctrl-C");
    declareLoadOptions(command);
  },
  examples: [
    ['ditto run kb.yaml --query "reset password"', "search the file's target"],
    ['ditto run kb.yaml -q "reset password" --strategy keyword --limit 3', "by one strategy"],
    [`ditto run kb.yaml -q refund --filter '{"product": "web"}' --json`, "filtered, for a program"],
    ['ditto run kb.yaml -q "reset password" --explain=doc-7', "why is this document not in the answer?"],
    [`ditto run chat.yaml --input '{"question": "How do refunds work?"}'`, "run the file's graph"],
    ["ditto run chat.yaml --records questions.jsonl > answers.jsonl", "run it over a file, one line of JSON each"],
  ],
  run: async (call) => {
    const options = call.options as RunOptions;
    checkTogether(options);
    if (options.query !== undefined) return search(call, options);
    return options.records === undefined ? graph(call, options) : graphOverRecords(call, options, options.records);
  },
};

/** Everything that is wrong with the options alone, before anything is loaded. */
function checkTogether(options: RunOptions): void {
  const given = (["query", "input", "records"] as const).filter((name) => options[name] !== undefined);
  const [only] = given;
  if (only === undefined) throw new UsageError("there is nothing to run", { hint: "--query TEXT searches, --input JSON runs a graph" });
  if (given.length > 1) throw new UsageError(`${given.map((name) => `--${name}`).join(" and ")} exclude each other: give one of them`);
  if (options.query?.trim() === "") throw new UsageError("--query is blank", { hint: 'write what to search for: --query "reset password"' });
  const misplaced = [
    ...(only === "query" ? (["graph"] as const) : searchOnly),
    ...(only === "records" ? (["trace", "watch"] as const) : (["batch"] as const)),
  ].find((name) => options[name] !== undefined);
  if (misplaced !== undefined) throw new UsageError(`--${kebab(misplaced)} does not go with --${only}`);
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
}

async function search({ args, options: all, context }: CliCall, options: RunOptions): Promise<ExitCode> {
  const { query = "", target, strategy, namespace } = options;
  const limit = integerOption(options.limit, { name: "--limit", least: 1, most: 10_000 });
  const filter = options.filter === undefined ? undefined : readJsonObject(options.filter, "--filter");
  const metadata = options.queryMetadata === undefined ? undefined : { ...readJsonObject(options.queryMetadata, "--query-metadata") };
  const request = { query: { content: query, metadata }, target, strategy, namespace, filter, limit };
  return withOneOrMany(options)(args[0], { options: all, context }, (pipeline) =>
    runSearch(pipeline, { request, context, json: options.json === true, explain: options.explain, trace: options.trace === true }),
  );
}

async function graph({ args, options: all, context }: CliCall, options: RunOptions): Promise<ExitCode> {
  const input = await readJsonOption(options.input ?? "", "--input", context);
  return withOneOrMany(options)(args[0], { options: all, context }, async (pipeline) => {
    await runGraph(pipeline, { input, graph: options.graph, trace: options.trace === true, json: options.json === true, context });
    return exitCodes.fine;
  });
}

/** Once, or again for every generation. */
function withOneOrMany({ watch }: RunOptions): (...args: Parameters<typeof watchPipeline>) => Promise<ExitCode> {
  return watch === true ? watchPipeline : withPipeline;
}

async function graphOverRecords({ args, options: all, context }: CliCall, { graph: name, batch }: RunOptions, records: string): Promise<ExitCode> {
  const batchSize = integerOption(batch, { name: "--batch", least: 1, most: 1000 }) ?? 8;
  return withPipeline(args[0], { options: all, context }, (pipeline) => runRecords(pipeline, { records, graph: name, batchSize, context }));
}
