import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { canonicalJson } from "../../base/canonical-json.ts";
import type { JsonValue } from "../../contracts/json.ts";
import { AnswerState } from "../../evaluate/answer-state.ts";
import { askQueries } from "../../evaluate/ask-queries.ts";
import type { Evaluation } from "../../evaluate/evaluation.ts";
import { measureAnswers } from "../../evaluate/measure-answers.ts";
import { type Answers, writeRunFile } from "../../evaluate/run-file.ts";
import type { CliCall } from "../cli-command.ts";
import type { CliContext } from "../cli-context.ts";
import type { ExitCode } from "../exit-codes.ts";
import { ProgressLine } from "../render/progress-line.ts";
import { UsageError } from "../usage-error.ts";
import type { EvalOptions } from "./eval-options.ts";
import { openEvaluation, strategiesOf } from "./open-evaluation.ts";
import { type MeasuredSystem, tellSystems } from "./tell-systems.ts";

/** Measures the strategies of a file, and those of the files that it is compared with. */
export async function evaluateSystems(call: CliCall, options: EvalOptions): Promise<ExitCode> {
  const systems = await measureSystems(call, options);
  return tellSystems(systems, { options, context: call.context });
}

/**
 * Asks all systems and measures them.
 *
 * @returns One for each strategy, the base first; after an interruption those that were complete.
 */
export async function measureSystems(call: CliCall, options: EvalOptions): Promise<readonly MeasuredSystem[]> {
  const { context } = call;
  const state = new AnswerState(options.state ?? join(dirname(options.path), ".ditto", `eval-${basename(options.path)}.jsonl`));
  const files = [
    { path: options.path, target: options.target, strategies: options.strategies ?? (options.compare.length > 0 ? "default" : "all") },
    ...options.compare.map(({ path, strategy }) => ({ path, target: undefined, strategies: strategy === undefined ? "default" : [strategy] })),
  ] as const;
  const systems: MeasuredSystem[] = [];
  try {
    for (const { path, target, strategies } of files) {
      const evaluation = await openEvaluation(path, call);
      try {
        const named = strategiesOf(evaluation.pipeline, { target, strategies: typeof strategies === "string" ? undefined : strategies });
        for (const strategy of strategies === "default" ? named.strategies.slice(0, 1) : named.strategies) {
          const name = options.compare.length > 0 ? `${relative(context.cwd, path)}#${strategy}` : strategy;
          const answers = await ask(evaluation, { ...options, target: named.target, strategy, state, name, context });
          if (answers === undefined) return systems;
          systems.push({ name, answers, measured: measureAnswers(answers, options) });
        }
      } finally {
        await evaluation.close();
      }
    }
    await save(systems, options, context);
    if (options.state === undefined) state.remove();
    return systems;
  } finally {
    state.flush();
    if (context.signal.aborted) context.err.write("interrupted: answers are kept, and the same command goes on from there\n");
  }
}

interface Asking extends Omit<EvalOptions, "target" | "state"> {
  readonly target: string;
  readonly strategy: string;
  readonly name: string;
  readonly state: AnswerState;
  readonly context: CliContext;
}

/** Undefined where Ctrl-C came first. */
async function ask(evaluation: Evaluation, options: Asking): Promise<Answers | undefined> {
  const { queries, target, strategy, limit, state, name, context } = options;
  const { signal } = context;
  const asked = [await evaluation.digest(), target, strategy, limit, options.namespace ?? null, options.filter ?? null];
  const key = createHash("sha256")
    .update(canonicalJson(asked as JsonValue))
    .digest("hex")
    .slice(0, 24);
  const known = new Map(
    [...state.answers(key)].flatMap(([id, documents]) => queries.flatMap((query) => (queryKey(query) === id ? [[query.id, documents] as const] : []))),
  );
  const line = new ProgressLine(context.err);
  let done = known.size;
  const answers = await askQueries(evaluation.pipeline, {
    ...options,
    signal,
    known,
    onAnswer: (query, documents) => {
      state.keep(key, queryKey(query), documents);
      done += 1;
      line.show({ label: name, done, total: queries.length, unit: "queries" });
    },
  }).finally(() => line.clear());
  return signal.aborted ? undefined : answers;
}

/** An edited query is another one. */
function queryKey(query: EvalOptions["queries"][number]): string {
  return canonicalJson(query as unknown as JsonValue);
}

async function save(systems: readonly MeasuredSystem[], { save: path }: EvalOptions, { cwd, err }: CliContext): Promise<void> {
  if (path === undefined) return;
  if (systems.length > 1 && !path.includes("{name}"))
    throw new UsageError("--save needs {name} in its path for several systems", { hint: "write --save 'run-{name}.txt', or name one with --strategy" });
  for (const { name, answers } of systems) {
    const file = resolve(cwd, path.replaceAll("{name}", name.replaceAll(/[^\w.-]+/gu, "-")));
    await writeFile(file, writeRunFile(answers, name));
    err.write(`wrote ${relative(cwd, file)}\n`);
  }
}
