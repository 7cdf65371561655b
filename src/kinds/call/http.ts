import { isRecord } from "../../base/is-record.ts";
import type { ComponentFacts } from "../../contracts/component-facts.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";
import { RetrievalError } from "../../contracts/retrieval-error.ts";
import { defineKind } from "../../plugin/define-plugin.ts";
import type { Call, KindDefinition } from "../../plugin/plugin-definition.ts";
import { type HttpRequestConfiguration, httpRequestSchemas, httpWarnings, sendHttp } from "../http/http-request.ts";
import { timeoutSchema } from "../search-options.ts";

interface HttpCallConfiguration extends HttpRequestConfiguration {
  readonly output?: JsonSchema;
  readonly timeoutMs?: number;
}

const sees = ["query", "filter", "limit", "target"] as const;

/** A question to an HTTP service whose answer other expressions read, such as one to a language model. */
export const httpCallKind: KindDefinition<"call", HttpCallConfiguration> = defineKind({
  kind: "http",
  role: "call",
  summary: "Asks an HTTP service and gives expressions what it answers, such as a language model's queries.",
  schema: {
    type: "object",
    additionalProperties: false,
    required: ["connection", "path", "result"],
    properties: {
      ...httpRequestSchemas(sees, { description: "What `call` is, made of `response`." }),
      output: {
        type: "object",
        "x-ditto-schema": true,
        description: "JSON Schema of the result: expressions are checked by it, and every answer is judged by it.",
      },
      timeoutMs: timeoutSchema,
    },
  },
  example: {
    connection: "llm",
    path: "/v1/chat/completions",
    body: { model: "small", messages: [{ role: "user", content: "${ query.content }" }] },
    result: "${ parseJson(response.choices[0].message.content) }",
    output: { type: "object", required: ["queries"], properties: { queries: { type: "array", items: { type: "string" } } } },
  },
  describe: describeCall,
  open: async (configuration, scope): Promise<{ readonly value: Call }> => {
    const { output, timeoutMs } = configuration;
    const label = configuration.label ?? scope.name;
    const problems = output === undefined ? undefined : await scope.judge(output);
    const call: Call = async (names, context) => {
      const result = await sendHttp(configuration, { names, label, signal: context?.signal, timeoutMs });
      const [problem] = problems?.(result) ?? [];
      if (problem !== undefined)
        throw new RetrievalError("RETRIEVAL_INVALID_BACKEND_OUTPUT", `"${label}" answered with another form than its output: ${problem}`);
      return result;
    };
    return { value: call };
  },
});

function describeCall(configuration: unknown): ComponentFacts {
  const output = isRecord(configuration) && isRecord(configuration.output) ? (configuration.output as JsonSchema) : undefined;
  const warnings = httpWarnings(configuration);
  return output === undefined ? { warnings } : { result: output, expects: { "/result": output }, warnings };
}
