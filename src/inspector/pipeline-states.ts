import { relative, sep } from "node:path";
import { codeFrame } from "../diagnostics/code-frame.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { diagnosticRecord } from "../diagnostics/format-json.ts";
import type { LivePipelines, PipelineStatus } from "../live/live-pipelines.ts";
import type { Plan } from "../pipeline/model/plan.ts";
import type { InspectorState, PipelineState, Problem } from "./inspector-data.ts";

/**
 * Says how all pipelines stand, for the page.
 *
 * @param live The pipelines.
 * @param folder Absolute; paths are told from here.
 */
export async function pipelineStates(live: LivePipelines, folder: string): Promise<InspectorState> {
  const { watching, pipelines } = live.status();
  const states = await Promise.all(pipelines.map((status) => pipelineState(live, { status, folder })));
  return { folder, watching, pipelines: states.toSorted((a, b) => (a.path < b.path ? -1 : 1)) };
}

async function pipelineState(live: LivePipelines, { status, folder }: { readonly status: PipelineStatus; readonly folder: string }): Promise<PipelineState> {
  const { path, name, generation, running, error, diagnostics } = status;
  const plan = name === undefined || !live.has(name) ? undefined : await live.get(name).use(async ({ pipeline }) => pipeline.plan);
  return {
    path: relative(folder, path).split(sep).join("/"),
    name,
    generation,
    running,
    error: error === undefined ? undefined : { code: error.code, message: error.message },
    problems: diagnostics.map(problemOf),
    targets: plan === undefined ? [] : targetsOf(plan),
    graphs: Object.keys(plan?.graphs ?? {}),
  };
}

function targetsOf({ targets }: Plan): PipelineState["targets"] {
  return Object.entries(targets).map(([name, target]) => ({
    name,
    default: target.default ?? Object.keys(target.strategies)[0] ?? "",
    strategies: Object.keys(target.strategies),
  }));
}

function problemOf(diagnostic: Diagnostic): Problem {
  const { suggestion, hint } = diagnostic;
  const help = suggestion === undefined ? hint : `did you mean "${suggestion}"?`;
  return { ...diagnosticRecord(diagnostic), help, frame: codeFrame(diagnostic.file, diagnostic.span) };
}
