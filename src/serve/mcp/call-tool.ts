import { isCodedError } from "../../contracts/coded-error.ts";
import type { JsonValue } from "../../contracts/json.ts";
import type { Plan } from "../../pipeline/model/plan.ts";
import type { GenerationUse, LivePipelines } from "../../live/live-pipelines.ts";
import type { PipelineSearchRequest } from "../../live/pipeline.ts";
import { compileDataJudge, type DataFault } from "../../validation/compile-data-validator.ts";
import { type PipelineTool, pipelineTools } from "./pipeline-tools.ts";

/** What a tool answers: a failure is an answer too, for the agent may do better with it. */
export interface ToolAnswer {
  readonly isError: boolean;
  /** For the model. */
  readonly text: string;
  /** The same as data, where it is an object. */
  readonly data: Readonly<Record<string, unknown>> | undefined;
}

/** The tools of every pipeline that serves now. */
export async function listTools(live: LivePipelines): Promise<readonly PipelineTool[]> {
  const lists = await Promise.all(live.names.map((name) => live.get(name).use(async ({ pipeline }) => toolsOf(pipeline.plan))));
  return lists.flat().map(({ tool }) => tool);
}

/**
 * Calls a tool on the generation that serves now.
 *
 * @returns Undefined where no pipeline has a tool of that name.
 */
export async function callTool(
  live: LivePipelines,
  call: { readonly name: string; readonly input: unknown; readonly signal: AbortSignal },
): Promise<ToolAnswer | undefined> {
  for (const name of live.names) {
    const answer = await live.get(name).use(
      async (use) => {
        const found = toolsOf(use.pipeline.plan).find(({ tool }) => tool.name === call.name);
        return found === undefined ? undefined : await answerCall(use, found, call.input);
      },
      { signal: call.signal },
    );
    if (answer !== undefined) return answer;
  }
  return undefined;
}

async function answerCall({ pipeline, signal }: GenerationUse, { tool, judge }: JudgedTool, input: unknown): Promise<ToolAnswer> {
  const faults = (await judge())(input);
  if (faults.length > 0) return failure("INVALID_INPUT", faults.map(({ path, message }) => `${path === "" ? "the input" : path} ${message}`).join("; "));
  try {
    if (tool.does.kind === "run") return success((await pipeline.run(input, { graph: tool.does.graph, signal })) as JsonValue);
    const { query, ...request } = input as Omit<PipelineSearchRequest, "query"> & { readonly query: string };
    const { output, error } = await pipeline.search({ ...request, query: { content: query }, target: tool.does.target }, { signal });
    return output === undefined ? failure(error?.code ?? "RETRIEVAL_CANCELLED", error?.message ?? "The search was cancelled") : success(output);
  } catch (error) {
    // Of an error without a code nothing is shown, for its text may hold anything.
    return isCodedError(error) ? failure(error.code, error.message) : failure("UNEXPECTED", "the call failed in a way that it should not");
  }
}

function success(output: unknown): ToolAnswer {
  const isObject = typeof output === "object" && output !== null && !Array.isArray(output);
  return { isError: false, text: JSON.stringify(output), data: isObject ? (output as Readonly<Record<string, unknown>>) : undefined };
}

function failure(code: string, message: string): ToolAnswer {
  return { isError: true, text: `${code}: ${message}`, data: undefined };
}

interface JudgedTool {
  readonly tool: PipelineTool;
  readonly judge: () => Promise<(value: unknown) => readonly DataFault[]>;
}

/** Made once for each plan, and gone with it. */
const known = new WeakMap<Plan, readonly JudgedTool[]>();

function toolsOf(plan: Plan): readonly JudgedTool[] {
  const tools = known.get(plan) ?? pipelineTools(plan).map(judged);
  known.set(plan, tools);
  return tools;
}

function judged(tool: PipelineTool): JudgedTool {
  let judge: Promise<(value: unknown) => readonly DataFault[]> | undefined;
  return {
    tool,
    judge: () => {
      judge ??= compileDataJudge(tool.inputSchema);
      return judge;
    },
  };
}
