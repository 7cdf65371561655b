import type { HttpPort } from "../../contracts/http-port.ts";
import { defineKind } from "../../plugin/define-plugin.ts";
import type { KindDefinition } from "../../plugin/plugin-definition.ts";
import { createHttpConnection } from "../http/http-connection.ts";

interface HttpConnectionConfiguration {
  readonly url: string;
  readonly bearer?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly maxBodyBytes: number;
}

/** An HTTP service: where it is, and what every request to it carries. */
export const httpConnectionKind: KindDefinition<"connection", HttpConnectionConfiguration> = defineKind({
  kind: "http",
  role: "connection",
  summary: "An HTTP service that speaks JSON: its origin, its credentials, its deadline.",
  schema: {
    type: "object",
    additionalProperties: false,
    required: ["url"],
    properties: {
      url: {
        type: "string",
        minLength: 1,
        description: "An http or https URL; its origin must be allowed by the Sandbox, its path stands before every request's.",
      },
      bearer: { type: "string", description: "Sent as a bearer token; nothing is sent where it is empty." },
      headers: { type: "object", additionalProperties: { type: "string" }, description: "Sent with every request." },
      timeoutMs: {
        type: "integer",
        minimum: 1,
        maximum: 2147483647,
        description: "Deadline of every exchange with its bodies in milliseconds; `runtime.timeoutMs` unless said.",
      },
      maxBodyBytes: { type: "integer", minimum: 1, maximum: 1073741824, default: 4194304, description: "Longest answer in bytes." },
    },
  },
  example: { url: "https://api.example.com", bearer: "${env:API_KEY}" },
  describe: () => ({ addresses: ["/url"] }),
  open: async ({ url, bearer, headers, timeoutMs, maxBodyBytes }, { sandbox, config }): Promise<{ readonly value: HttpPort }> => {
    const value = createHttpConnection({ url, bearer, headers, timeoutMs: timeoutMs ?? config.timeoutMs, maxBodyBytes, sandbox });
    sandbox.assert("network", new URL(url).origin);
    return { value };
  },
});
