import type { Activity } from "./activity.ts";
import type { TraceSpan } from "../contracts/trace.ts";
import type { ExecutionScope } from "./node-context.ts";
import type { WorkerAddress } from "./worker-definition.ts";

/** One call of a node, on its way to a worker. */
export interface NodeCall {
  readonly node: string;
  readonly input: unknown;
  readonly execution: ExecutionScope | undefined;
  readonly signal: AbortSignal | undefined;
  /** The step of the trace that this call is; absent where nobody traces. */
  readonly trace?: TraceSpan | undefined;
}

/** An entry of the directory: a worker of this process, or one behind a transport. */
export interface RegisteredWorker {
  readonly address: WorkerAddress;
  readonly capabilities: readonly string[];
  /** Those of them that only calls naming this worker reach. */
  readonly pinned?: ReadonlySet<string> | undefined;
  /** Calls at a time; unlimited when absent. */
  readonly concurrency: number | undefined;
  /** Its taken slots. */
  readonly activity: Activity;
  /** Whether it is in this process and called directly. */
  readonly direct: boolean;
  available: boolean;
  /** Takes a slot and runs the call; the promise ends with the call's answer, the slot with all of its work. */
  start(call: NodeCall): Promise<unknown>;
  /** Gives its resources back; called once, after its last call. */
  dispose(): Promise<void>;
}

/** Whether a worker would take one more call. */
export function hasRoom(worker: RegisteredWorker): boolean {
  return worker.available && (worker.concurrency === undefined || worker.activity.open < worker.concurrency);
}
