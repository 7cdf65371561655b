import { isRemoteWorker, type RemoteWorkerResource } from "../kinds/worker/remote-worker.ts";
import type { Plan } from "../pipeline/model/plan.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { WorkerDefinition } from "../runtime/worker-definition.ts";
import { PipelineError } from "./pipeline-error.ts";

/** The workers that a file declares under `resources`, by name: definitions of plugins, and workers of other processes. */
export interface ResourceWorkers {
  readonly local: ReadonlyMap<string, WorkerDefinition>;
  readonly remote: readonly RemoteWorkerResource[];
}

/**
 * Finds a plan's live workers.
 *
 * @throws PipelineError `PIPELINE_NOT_OPEN` for something that is no worker, such as what an application gave in its place.
 */
export function resourceWorkers({ components, resources }: Plan, values: ReadonlyMap<string, unknown>): ResourceWorkers {
  const local = new Map<string, WorkerDefinition>();
  const remote: RemoteWorkerResource[] = [];
  for (const { id, name, role } of components) {
    if (role !== "worker" || resources[name] !== id) continue;
    const value = values.get(id);
    if (isRemoteWorker(value)) remote.push(value);
    else if (isDefinition(value)) local.set(name, value);
    else throw new PipelineError("PIPELINE_NOT_OPEN", `The resource "${name}" is no worker`);
  }
  return { local, remote };
}

/**
 * Registers the workers of other processes under their resources' names. What this process serves itself they get only from calls that
 * name them.
 */
export function registerRemoteWorkers(runtime: Runtime, remote: readonly RemoteWorkerResource[]): void {
  const served = new Set(runtime.workers().flatMap(({ capabilities }) => capabilities));
  for (const { workerId, nodes, concurrency, transport } of remote) {
    runtime.registerRemote({
      address: { hostId: `remote:${workerId}`, processId: workerId, workerId },
      target: {},
      capabilities: nodes,
      pinned: nodes.filter((node) => served.has(node)),
      transportId: transport.id,
      concurrency,
    });
  }
}

function isDefinition(value: unknown): value is WorkerDefinition {
  if (typeof value !== "object" || value === null) return false;
  const { type, instantiate, capabilities } = value as Partial<WorkerDefinition>;
  return typeof type === "string" && typeof instantiate === "function" && Array.isArray(capabilities);
}
