import { isRecord } from "../../base/is-record.ts";
import { defineKind } from "../../plugin/define-plugin.ts";
import type { KindDefinition } from "../../plugin/plugin-definition.ts";
import { createHttpTransport } from "../../runtime/transport/create-http-transport.ts";
import type { InvokeTransport } from "../../runtime/transport/invoke-envelope.ts";

interface RemoteWorkerConfiguration {
  readonly url: string;
  readonly token: string;
  readonly nodes: readonly string[];
  readonly concurrency?: number;
  readonly timeoutMs?: number;
  readonly maxBodyBytes?: number;
}

/** A worker in another process, ready to be registered. */
export interface RemoteWorkerResource {
  /** The resource's name: its id in the Runtime, by which calls choose it. */
  readonly workerId: string;
  readonly nodes: readonly string[];
  readonly concurrency: number | undefined;
  readonly transport: InvokeTransport;
}

/** A worker in another process: `createHttpTransport` and `registerRemote`. */
export const remoteWorkerKind: KindDefinition<"worker", RemoteWorkerConfiguration> = defineKind({
  kind: "remote-worker",
  role: "worker",
  summary: "A worker in another process, reached over HTTP; it serves the nodes that are named, and none that the file serves itself unless it is chosen.",
  schema: {
    type: "object",
    additionalProperties: false,
    required: ["url", "token", "nodes"],
    properties: {
      url: { type: "string", minLength: 1, description: "The other process, http or https; `/ditto/invoke` is added to its path." },
      token: { type: "string", minLength: 1, description: "The bearer token that the other side expects." },
      nodes: {
        type: "array",
        minItems: 1,
        uniqueItems: true,
        items: { type: "string", pattern: "^[A-Z][A-Z0-9_]*(?:\\.[A-Z0-9_]+)+$" },
        description: "The nodes that it serves, such as RETRIEVAL.SEARCH.",
      },
      concurrency: { type: "integer", minimum: 1, description: "Calls at a time from here; unlimited by default." },
      timeoutMs: {
        type: "integer",
        minimum: 1,
        maximum: 2147483647,
        description: "Deadline of a call with its bodies in milliseconds; `runtime.timeoutMs` unless said.",
      },
      maxBodyBytes: { type: "integer", minimum: 1, maximum: 1073741824, default: 1048576, description: "Longest request and answer in bytes." },
    },
  },
  example: { url: "https://search.example.com", token: "${env:SEARCH_TOKEN}", nodes: ["RETRIEVAL.SEARCH"] },
  describe: (configuration) => {
    const nodes = isRecord(configuration) && Array.isArray(configuration.nodes) ? configuration.nodes : [];
    return { nodes: nodes.filter((node) => typeof node === "string") };
  },
  open: async ({ url, token, nodes, concurrency, timeoutMs, maxBodyBytes }, { name, config }): Promise<{ readonly value: RemoteWorkerResource }> => {
    const transport = createHttpTransport({ id: name, url, token, timeoutMs: timeoutMs ?? config.timeoutMs, maxBodyBytes });
    return { value: Object.freeze({ workerId: name, nodes, concurrency, transport }) };
  },
});

/** Tells whether a live thing is a remote worker. */
export function isRemoteWorker(value: unknown): value is RemoteWorkerResource {
  if (typeof value !== "object" || value === null) return false;
  const { workerId, nodes, transport } = value as Partial<RemoteWorkerResource>;
  return typeof workerId === "string" && Array.isArray(nodes) && typeof transport?.invoke === "function";
}
