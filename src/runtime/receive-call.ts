import { isRecord } from "../base/is-record.ts";
import type { TraceSpan } from "../contracts/trace.ts";
import { NoWorkerAvailableError } from "./no-worker-available-error.ts";
import type { RegisteredWorker } from "./registered-worker.ts";
import type { RuntimeCore } from "./runtime-core.ts";
import { RuntimeError } from "./runtime-error.ts";
import { type InvokeEnvelope, type InvokeResponse, isInvokeEnvelope } from "./transport/invoke-envelope.ts";
import { transferError } from "./transport/transferred-error.ts";
import { traced } from "./traced.ts";
import type { WorkerAddress } from "./worker-definition.ts";

/**
 * Runs a call that came from another process, on a worker of this one: it never travels on.
 *
 * @param core The Runtime's middle.
 * @param call The message and where it arrived.
 * @returns The response; failures, malformed calls among them, are responses too.
 */
export async function receiveCall(
  core: RuntimeCore,
  call: { readonly envelope: unknown; readonly home: Omit<WorkerAddress, "workerId">; readonly trace?: TraceSpan | undefined },
): Promise<InvokeResponse> {
  const { envelope } = call;
  try {
    if (!isInvokeEnvelope(envelope)) throw new RuntimeError("INVALID_ENVELOPE", "The message is no call of protocol 1");
    core.assertOpen();
    checkTarget(core, envelope, call.home);
    return await core.activity.during(() => answer(core, envelope, call.trace));
  } catch (error) {
    const id = isRecord(envelope) && typeof envelope["id"] === "string" ? envelope["id"] : "";
    return { protocol: 1, id, ok: false, error: transferError(error) };
  }
}

async function answer(core: RuntimeCore, envelope: InvokeEnvelope, trace: TraceSpan | undefined): Promise<InvokeResponse> {
  const { id, node, target, execution } = envelope;
  const input = await core.codec.decode(envelope.input);
  const worker = target.workerId === undefined ? core.directory.selectDirect(node) : core.directory.select(node, target.workerId);
  if (worker === undefined) throw new NoWorkerAvailableError(node);
  const call = { node, input, execution, signal: undefined };
  const output = await (trace === undefined
    ? worker.start(call)
    : traced((inner) => worker.start({ ...call, trace: inner }), { kind: "node", label: node, trace }));
  return { protocol: 1, id, ok: true, output: await core.codec.encode(output) };
}

/** Before anything is read: whether the call is meant for this process and for something that it offers. */
function checkTarget(core: RuntimeCore, { node, target }: InvokeEnvelope, home: Omit<WorkerAddress, "workerId">): void {
  const { hostId = home.hostId, processId = home.processId, workerId } = target;
  if (hostId !== home.hostId || processId !== home.processId) throw new RuntimeError("WRONG_TARGET", "The call is meant for another process");
  const named = workerId === undefined ? undefined : core.directory.get(workerId);
  if (workerId !== undefined && !named?.direct) throw new RuntimeError("WRONG_TARGET", "The call is meant for another worker");
  if (!offers(core, node, named)) throw new RuntimeError("CAPABILITY_NOT_OFFERED", `${node} is not offered here`);
}

function offers(core: RuntimeCore, node: string, worker: RegisteredWorker | undefined): boolean {
  return worker === undefined ? core.directory.offersDirect(node) : worker.capabilities.includes(node);
}
