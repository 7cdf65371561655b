import { isRecord } from "../../base/is-record.ts";
import type { ComponentFacts, FactWarning } from "../../contracts/component-facts.ts";
import type { HttpAnswer, HttpPort } from "../../contracts/http-port.ts";
import type { JsonValue } from "../../contracts/json.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";
import { isRetrievalError, RetrievalError } from "../../contracts/retrieval-error.ts";
import type { Evaluate } from "../../plugin/plugin-definition.ts";
import { labelSchema } from "../search-options.ts";

/** What every use of an HTTP connection is configured with. */
export interface HttpRequestConfiguration {
  readonly connection: HttpPort;
  readonly path: string;
  readonly method: "GET" | "POST" | "PUT";
  readonly body?: Evaluate;
  readonly result: Evaluate;
  readonly label?: string;
}

/** The connection in a slot of a request. */
export const connectionSlot: JsonSchema = { description: "The HTTP connection that it goes through.", "x-ditto-slot": { role: "connection", kinds: ["http"] } };

/** The path of a request. */
export const pathSchema: JsonSchema = { type: "string", pattern: "^/", description: "Added to the connection's URL; may hold a query string." };

/**
 * The schemas of {@link HttpRequestConfiguration}.
 *
 * @param sees The names that `body` sees; `result` sees `response` too.
 * @param result What `result` must give.
 */
export function httpRequestSchemas(sees: readonly string[], result: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return {
    connection: connectionSlot,
    path: pathSchema,
    method: { enum: ["POST", "PUT", "GET"], default: "POST", description: "With GET, the members of `body` become the query string." },
    body: { description: "What is sent, as JSON.", "x-ditto-place": { sees } },
    result: { ...result, "x-ditto-place": { sees: [...sees, "response"] } },
    label: labelSchema,
  };
}

/** Sends a request and reads its answer by `result`. */
export async function sendHttp(
  configuration: HttpRequestConfiguration,
  request: {
    readonly names: Readonly<Record<string, unknown>>;
    readonly label: string;
    readonly signal: AbortSignal | undefined;
    readonly timeoutMs?: number | undefined;
    readonly maxBodyBytes?: number | undefined;
    /** Called once the body is made and before anything is sent. */
    readonly assertRead?: (() => void) | undefined;
  },
): Promise<JsonValue> {
  const { connection, path, method, body, result } = configuration;
  const { names, label, signal, timeoutMs, maxBodyBytes, assertRead } = request;
  if (typeof connection?.send !== "function") throw new RetrievalError("RETRIEVAL_PROVIDER_UNAVAILABLE", "The connection has no send method");
  const sent = body?.(names);
  assertRead?.();
  const answer = await connection.send({ path, method, body: sent, label, timeoutMs, maxBodyBytes }, { signal });
  return readAnswer(answer, { result, names });
}

/** What the answer itself says stands beside what the expression missed in it. */
function readAnswer(answer: HttpAnswer, { result, names }: { readonly result: Evaluate; readonly names: Readonly<Record<string, unknown>> }): JsonValue {
  try {
    // Own members only are read by expressions, and those of `names` may be getters that must not all be read.
    const seen = Object.create(null, { ...Object.getOwnPropertyDescriptors(names), response: { value: answer.json, enumerable: true } });
    return result(seen as Readonly<Record<string, unknown>>);
  } catch (error) {
    if (!isRetrievalError(error)) throw error;
    throw new RetrievalError(error.code, `${error.message}${answer.excerpt()}`, { cause: error });
  }
}

/** What can be wrong in the configuration of a request. */
export function httpWarnings(configuration: unknown): NonNullable<ComponentFacts["warnings"]> {
  const settings = isRecord(configuration) ? configuration : {};
  const warnings: FactWarning[] = [];
  if (typeof settings.path === "string" && settings.path.split(/[/?]/).includes("..")) {
    warnings.push({ pointer: "/path", severity: "error", message: 'a path must not hold ".."', hint: "write the path as the server has it" });
  }
  return warnings;
}
