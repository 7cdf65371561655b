import type { CliCall, CliCommand } from "../cli-command.ts";
import { evaluateSystems } from "../evaluate/evaluate-systems.ts";
import { readEvalOptions } from "../evaluate/eval-options.ts";
import { evaluateRunFile } from "../evaluate/evaluate-run-file.ts";
import { sweepFile } from "../evaluate/sweep-file.ts";
import type { ExitCode } from "../exit-codes.ts";
import { declareLoadOptions } from "../load-options.ts";

const repeated = (value: string, all: readonly string[] = []): readonly string[] => [...all, value];

/** `ditto eval`: retrieval quality by judged queries. */
export const evalCommand: CliCommand = {
  declare: (command) => {
    command
      .argument("<file>", "the pipeline file")
      .option("--queries <file>", "judged queries: JSON lines with _id and text, or .tsv; otherwise the only *queries.jsonl beside the pipeline")
      .option("--qrels <file>", "judgments: query, document, gain, or TREC's four columns; otherwise the only *qrels.tsv beside the pipeline")
      .option("--target <name>", "the target, where the file has several")
      .option("--strategy <names>", "strategies with commas between them, the first is the one that others are compared with; all of the target otherwise")
      .option("--compare <file[#strategy]>", "another pipeline to compare with, by its default strategy unless one is named; may be repeated", repeated)
      .option("--metrics <list>", "ndcg, recall, precision, mrr, map and hit, each with @K", "ndcg@10,recall@10,precision@10,mrr@10,map@10,hit@1")
      .option("--limit <n>", "candidates asked for; the largest K otherwise")
      .option("--namespace <value>", "the scope's value, for queries that have none of their own")
      .option("--filter <json>", "a filter, for queries that have none of their own")
      .option("--sweep <name=values>", "try values, such as weight.vector=0..2:0.25 or rrfK=20,60,100; may be repeated", repeated)
      .option("--write", "write the best setting into the file, where the held-out half proves it better")
      .option("--plot <file>", "draw the sweep as an SVG image")
      .option("--save <file>", "write the answers as a TREC run file; with several systems, {name} in the path stands for each")
      .option("--run <file>", "judge a TREC run file beside the pipeline; may be repeated", repeated)
      .option("--threshold <metric=value>", "fail where the first strategy measures less; may be repeated", repeated)
      .option("--state <file>", "keep answers in this file and take them from it")
      .option("--json", "print everything as JSON, each query's values included");
    declareLoadOptions(command);
  },
  examples: [
    ["ditto eval kb.yaml --queries queries.jsonl --qrels qrels.tsv", "every strategy of the file"],
    ["ditto eval kb.yaml --strategy keyword,hybrid", "two of them, with the queries that won and lost"],
    ["ditto eval kb.yaml --compare kb-new.yaml", "against another pipeline"],
    ["ditto eval kb.yaml --sweep weight.vector=0.2..2:0.2 --sweep rrfK=5,10,60 --plot sweep.svg", "find a better setting"],
    ["ditto eval kb.yaml --threshold ndcg@10=0.6", "in a build: fails below it"],
  ],
  run: async (call: CliCall): Promise<ExitCode> => {
    const options = await readEvalOptions(call);
    if (options.axes.length > 0) return sweepFile(call, options);
    return options.runs.length > 0 ? evaluateRunFile(call, options) : evaluateSystems(call, options);
  },
};
