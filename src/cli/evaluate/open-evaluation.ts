import { nearestName } from "../../base/nearest-names.ts";
import { Evaluation } from "../../evaluate/evaluation.ts";
import type { Pipeline } from "../../live/pipeline.ts";
import type { CliCall } from "../cli-command.ts";
import { readLoadOptions } from "../load-options.ts";
import { LoadTeller } from "../load-teller.ts";
import { UsageError } from "../usage-error.ts";

/** Opens a pipeline to be measured; loading is told about on standard error. */
export async function openEvaluation(path: string, { options, context }: CliCall): Promise<Evaluation> {
  const load = await readLoadOptions(options, context);
  const teller = new LoadTeller(context);
  try {
    const evaluation = await Evaluation.open(path, { ...load, signal: context.signal, onProgress: (progress) => teller.tell(progress) });
    await teller.end("loaded");
    return evaluation;
  } catch (error) {
    await teller.end("failed");
    throw error;
  }
}

/** The target and strategies that are meant, the first one the one that others are compared with. */
export function strategiesOf(
  { plan }: Pipeline,
  { target, strategies }: { readonly target: string | undefined; readonly strategies: readonly string[] | undefined },
): { readonly target: string; readonly strategies: readonly string[] } {
  const targets = Object.keys(plan.targets);
  if (targets.length === 0) throw new UsageError("the file has no target to measure");
  if (target === undefined && targets.length > 1) throw new UsageError("the file has several targets", { hint: `name one: --target ${targets.join(" or ")}` });
  const name = target ?? targets[0] ?? "";
  const found = plan.targets[name];
  if (found === undefined) throw new UsageError(`there is no target "${name}"`, { hint: meant(name, targets) });
  const all = Object.keys(found.strategies);
  const wrong = strategies?.find((strategy) => !all.includes(strategy));
  if (wrong !== undefined) throw new UsageError(`the target "${name}" has no strategy "${wrong}"`, { hint: meant(wrong, all) });
  return { target: name, strategies: strategies ?? [found.default, ...all.filter((strategy) => strategy !== found.default)] };
}

function meant(name: string, names: readonly string[]): string {
  const near = nearestName(name, names);
  return near === undefined ? `there are ${names.join(", ")}` : `did you mean "${near}"?`;
}
