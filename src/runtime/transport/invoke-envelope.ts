import { isRecord } from "../../base/is-record.ts";
import type { ExecutionScope } from "../node-context.ts";
import type { WorkerAddress } from "../worker-definition.ts";
import { type EncodedPayload, isEncodedPayload } from "./payload-codec.ts";

/** The version of the messages below. */
const protocolVersion = 1;

/** One call on its way to another process. */
export interface InvokeEnvelope {
  readonly protocol: 1;
  /** Unique; the response carries it too. */
  readonly id: string;
  /** Whom it is meant for; what is absent is not checked, and without a worker any with the capability may take it. */
  readonly target: Partial<WorkerAddress>;
  readonly node: string;
  readonly input: EncodedPayload;
  readonly execution?: ExecutionScope | undefined;
}

/** What comes back. A handler's stack and the cause of its error stay where they are. */
export type InvokeResponse =
  | { readonly protocol: 1; readonly id: string; readonly ok: true; readonly output: EncodedPayload }
  | { readonly protocol: 1; readonly id: string; readonly ok: false; readonly error: TransferredError };

/** An error as it travels. */
export interface TransferredError {
  /** The family whose code it is. */
  readonly family: string;
  readonly code: string;
  readonly message: string;
}

/** Carries calls to another process. Applications may write their own. */
export interface InvokeTransport {
  /** By which `registerRemote` names it. */
  readonly id: string;
  /**
   * Sends a call and waits for the response to it.
   *
   * @param envelope JSON.
   * @param options `signal` ends the wait, not the work over there.
   */
  invoke(envelope: InvokeEnvelope, options?: { readonly signal?: AbortSignal | undefined }): Promise<InvokeResponse>;
}

/** Tells whether something that came from outside is a call of this protocol. */
export function isInvokeEnvelope(value: unknown): value is InvokeEnvelope {
  return (
    isRecord(value) &&
    value["protocol"] === protocolVersion &&
    isText(value["id"]) &&
    isText(value["node"]) &&
    hasTexts(value["target"], ["hostId", "processId", "workerId"], "partly") &&
    isEncodedPayload(value["input"]) &&
    (value["execution"] === undefined || hasTexts(value["execution"], ["graphId", "runId", "nodeId"], "fully"))
  );
}

/** Tells whether something that came from outside is a response of this protocol. */
export function isInvokeResponse(value: unknown): value is InvokeResponse {
  if (!isRecord(value) || value["protocol"] !== protocolVersion || !isText(value["id"])) return false;
  if (value["ok"] === true) return isEncodedPayload(value["output"]);
  return value["ok"] === false && hasTexts(value["error"], ["family", "code", "message"], "fully");
}

function hasTexts(value: unknown, keys: readonly string[], how: "fully" | "partly"): boolean {
  return isRecord(value) && keys.every((key) => typeof value[key] === "string" || (how === "partly" && value[key] === undefined));
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
