import type { TraceStep } from "../explain/trace-recorder.ts";
import type { Plan } from "../pipeline/model/plan.ts";

/**
 * Says what the parts of a picture did in a search.
 *
 * @param search The whole search as it was recorded.
 * @param at The plan, and the target that was asked.
 * @returns By the part's id: `12 ms, 100 candidates`.
 */
export function touchedParts(search: TraceStep, { plan, target }: { readonly plan: Plan; readonly target: string }): Readonly<Record<string, string>> {
  const touched: Record<string, string> = {};
  const visit = (step: TraceStep): void => {
    const id = partOf(step, { plan, target });
    if (id !== undefined) touched[id] ??= sentence(step);
    for (const below of step.steps) visit(below);
  };
  visit(search);
  if (touched[`targets.${target}`] === undefined) touched[`targets.${target}`] = sentence(search);
  return touched;
}

function partOf({ kind, label }: TraceStep, { plan, target }: { readonly plan: Plan; readonly target: string }): string | undefined {
  const strategies = plan.targets[target]?.strategies ?? {};
  if (kind === "search" && label.startsWith(`${target}/`)) return strategies[label.slice(target.length + 1)];
  if (kind === "branch") return strategies[label];
  if (kind === "statement") return plan.resources[label];
  return kind === "embed" ? plan.components.find(({ role }) => role === "embedding")?.id : undefined;
}

function sentence({ elapsedMs = 0, facts, code }: TraceStep): string {
  const count = facts["candidates"] ?? facts["rows"];
  return [
    `${elapsedMs < 10 ? elapsedMs.toFixed(1) : Math.round(elapsedMs)} ms`,
    ...(typeof count === "number" ? [`${count} found`] : []),
    ...(code === undefined ? [] : [code]),
  ].join(", ");
}
