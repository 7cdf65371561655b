import { isRecord } from "../../base/is-record.ts";
import { withinScope } from "../../live/caller-scope.ts";
import type { LivePipeline } from "../../live/live-pipelines.ts";
import { RuntimeError } from "../../runtime/runtime-error.ts";
import type { InvokeResponse } from "../../runtime/transport/invoke-envelope.ts";
import { transferError } from "../../runtime/transport/transferred-error.ts";
import type { Caller } from "../caller.ts";
import { HttpFault } from "../http-fault.ts";
import type { Exchange, ServeParts } from "../serve-parts.ts";

/** What a worker's call is made of. */
export interface InvokeCall {
  readonly parts: Pick<ServeParts, "live" | "access">;
  readonly exchange: Exchange;
  readonly caller: Caller;
  /** The pipeline that the address names; undefined: the only one that offers the node. */
  readonly pipeline: string | undefined;
  /** An `InvokeEnvelope`, not yet checked. */
  readonly envelope: unknown;
}

/**
 * Takes a call of another process on a pipeline's workers. As everywhere in this protocol, failures are responses.
 *
 * @returns The body of the response.
 * @throws HttpFault 403 for a pipeline that the token does not open.
 */
export async function answerInvoke(call: InvokeCall): Promise<string> {
  const { parts, exchange, caller, envelope } = call;
  const node = isRecord(envelope) && typeof envelope.node === "string" ? envelope.node : "";
  const id = isRecord(envelope) && typeof envelope.id === "string" ? envelope.id : "";
  exchange.facts.node = node;
  try {
    const live = chosenPipeline(call, node);
    exchange.pipeline = live.name;
    const response = await live.use(({ pipeline, generation }) => {
      exchange.facts.generation = generation.number;
      return withinScope(caller.namespace, () => pipeline.receive(envelope));
    });
    if (!response.ok) exchange.facts.code = response.error.code;
    return limited(response, parts.access().settings.maxBodyBytes);
  } catch (error) {
    if (error instanceof HttpFault) throw error;
    return JSON.stringify(failure(id, error));
  }
}

/** The pipeline that offers the node to this caller. */
function chosenPipeline({ parts, caller, pipeline }: InvokeCall, node: string): LivePipeline {
  const { workers } = parts.access().settings;
  if (pipeline !== undefined) {
    if (!caller.opens(pipeline)) throw new HttpFault({ status: 403, code: "SERVE_FORBIDDEN" }, "The token does not allow this");
    if (!offers(workers, pipeline, node)) throw notOffered(node);
    return parts.live.get(pipeline);
  }
  const names = parts.live.names.filter((name) => offers(workers, name, node) && caller.opens(name));
  const [only] = names;
  if (only === undefined) throw notOffered(node);
  if (names.length > 1) throw new RuntimeError("WRONG_TARGET", `${node} is offered by several pipelines: add /v1/pipelines/NAME to the worker's address`);
  return parts.live.get(only);
}

function offers(workers: Readonly<Record<string, readonly string[]>>, pipeline: string, node: string): boolean {
  return Object.hasOwn(workers, pipeline) && workers[pipeline]?.includes(node) === true;
}

function notOffered(node: string): RuntimeError {
  return new RuntimeError("CAPABILITY_NOT_OFFERED", node === "" ? "The message is no call of protocol 1" : `${node} is not offered here`);
}

function limited(response: InvokeResponse, maxBodyBytes: number): string {
  const body = JSON.stringify(response);
  if (Buffer.byteLength(body) <= maxBodyBytes) return body;
  return JSON.stringify(failure(response.id, new RuntimeError("PAYLOAD_TOO_LARGE", `The response is longer than ${maxBodyBytes} bytes`)));
}

function failure(id: string, error: unknown): InvokeResponse {
  return { protocol: 1, id, ok: false, error: transferError(error) };
}
