import { isCodedError } from "../contracts/coded-error.ts";
import type { NodeResult } from "../contracts/node-result.ts";
import type { NodeType } from "../contracts/node-contract-map.ts";
import { stepNode } from "../pipeline/compile/compile-graph.ts";
import type { GraphStep, StepResult } from "../pipeline/model/compiled.ts";
import type { NodeContext } from "../runtime/node-context.ts";
import type { WorkerDefinition } from "../runtime/worker-definition.ts";
import { defineNode } from "../worker/define-node.ts";
import { defineWorker } from "../worker/define-worker.ts";
import { PipelineError } from "./pipeline-error.ts";

const workerType = "PIPELINE";

/**
 * Makes the worker that runs a pipeline's graph steps: it evaluates a step's expressions, invokes its node, and judges the answer.
 *
 * A step that chooses a worker names its resource, which is the worker's id.
 */
export function createStepWorker(): WorkerDefinition {
  const handler = (step: GraphStep, context: NodeContext): Promise<StepResult> => runStep(step, context);
  return defineWorker({ type: workerType, nodes: { [stepNode]: defineNode(workerType, stepNode as never, handler as never) } });
}

async function runStep(step: GraphStep, context: NodeContext): Promise<StepResult> {
  const result = await resultOf(step, context);
  if (!result.present) context.trace?.add({ skipped: result.reason });
  return result;
}

async function resultOf(step: GraphStep, context: NodeContext): Promise<StepResult> {
  if (step.when !== undefined && step.when(step.names) !== true) return { present: false, reason: "when" };
  const value = step.evaluate(step.names);
  if (step.node === undefined) return value === undefined ? { present: false, reason: "absent" } : { present: true, value };
  try {
    return { present: true, value: judge(step, await invoke(step, value, context)) };
  } catch (error) {
    if (!step.allowFailure || context.signal?.aborted === true) throw error;
    return { present: false, reason: isCodedError(error) ? error.code : "failed" };
  }
}

async function invoke(step: GraphStep, input: unknown, context: NodeContext): Promise<unknown> {
  const call = (signal: AbortSignal | undefined): Promise<unknown> => context.invoke(step.node as NodeType, input as never, { workerId: step.worker, signal });
  if (step.timeoutMs === undefined) return call(undefined);
  const deadline = AbortSignal.timeout(step.timeoutMs);
  const signal = context.signal === undefined ? deadline : AbortSignal.any([context.signal, deadline]);
  const work = call(signal);
  const late = new Promise<never>((_resolve, reject) => {
    deadline.addEventListener(
      "abort",
      () => reject(new PipelineError("PIPELINE_NODE_TIMEOUT", `The node "${step.id}" took longer than ${step.timeoutMs} ms`)),
      { once: true },
    );
  });
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    // The caller has its answer; the slot is free when the work has really ended.
    if (deadline.aborted) {
      context.hold(work);
      throw new PipelineError("PIPELINE_NODE_TIMEOUT", `The node "${step.id}" took longer than ${step.timeoutMs} ms`, { cause: error });
    }
    throw error;
  }
}

/** MEMORY and RETRIEVAL tell failures in their result; every other node rejects. */
function judge(step: GraphStep, result: unknown): unknown {
  if (!isNodeResult(result) || result.status === "success") return result;
  throw new PipelineError(result.error?.code ?? result.status, result.error?.message ?? `The node "${step.id}" ended as ${result.status}`);
}

function isNodeResult(value: unknown): value is NodeResult<unknown> {
  if (typeof value !== "object" || value === null) return false;
  const result = value as Partial<NodeResult<unknown>>;
  return typeof result.executionId === "string" && typeof result.node === "string" && typeof result.status === "string";
}
