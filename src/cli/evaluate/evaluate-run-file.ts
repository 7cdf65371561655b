import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { measureAnswers } from "../../evaluate/measure-answers.ts";
import { readRunFile } from "../../evaluate/run-file.ts";
import type { CliCall } from "../cli-command.ts";
import type { ExitCode } from "../exit-codes.ts";
import { reasonOf } from "../read-json-option.ts";
import { UsageError } from "../usage-error.ts";
import { type EvalOptions, throwBadLines } from "./eval-options.ts";
import { measureSystems } from "./evaluate-systems.ts";
import { type MeasuredSystem, tellSystems } from "./tell-systems.ts";

/** Measures TREC run files beside the pipeline's strategies. */
export async function evaluateRunFile(call: CliCall, options: EvalOptions): Promise<ExitCode> {
  const { context } = call;
  const runs = await Promise.all(options.runs.map((path) => readRun(path, { cwd: context.cwd, options })));
  const systems = await measureSystems(call, options);
  return tellSystems([...systems, ...runs], { options, context });
}

async function readRun(path: string, { cwd, options }: { readonly cwd: string; readonly options: EvalOptions }): Promise<MeasuredSystem> {
  const name = relative(cwd, path);
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new UsageError(`--run: the file "${name}" ${reasonOf(error)}`);
  });
  const { answers, diagnostics } = readRunFile({ path: name, text });
  throwBadLines(diagnostics);
  return { name, answers, measured: measureAnswers(answers, options) };
}
