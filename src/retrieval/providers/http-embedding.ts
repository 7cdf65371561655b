import type { EmbeddingProvider, RetrievalExecutionContext } from "../../contracts/retrieval.ts";
import { isRetrievalError, RetrievalError } from "../../contracts/retrieval-error.ts";
import { checkInteger, checkTimeout } from "../numbers.ts";
import { throwIfCancelled } from "../public-error.ts";
import { withTimeout } from "../with-timeout.ts";
import { excerpt } from "./http-excerpt.ts";
import { readEmbeddings } from "./read-embeddings.ts";
import { readBody } from "./read-body.ts";
import { retryAfterMs } from "./retry-after.ts";

/** Options of {@link createHttpEmbeddingProvider}. */
export interface HttpEmbeddingOptions {
  /** The endpoint without `/embeddings`, such as `https://api.example.com/v1`; a query string stays. */
  readonly baseUrl: string;
  readonly model: string;
  /** Sent as a bearer token; absent or empty for servers without one. */
  readonly apiKey?: string | undefined;
  /** Asked for the endpoint's origin before every request. */
  readonly sandbox: { assert(kind: "network", name: string): void };
  /** Deadline of a request with its body in milliseconds, 1..2147483647; 30000 by default. */
  readonly timeoutMs?: number | undefined;
  /** Longest answer in bytes; by default 1 MiB and 256 KiB more for each text. */
  readonly maxBodyBytes?: number | undefined;
  /** Stands in for the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/**
 * Makes an embedding of an HTTP endpoint that speaks the OpenAI protocol.
 *
 * It posts `{ model, input, encoding_format: "float" }` to `<baseUrl>/embeddings`, places the vectors by `data[].index`, follows no
 * redirect and retries nothing. All of a batch goes in one request: `embedContents` makes the batches.
 *
 * @param options See {@link HttpEmbeddingOptions}.
 * @returns An embedding of texts that are not blank. It fails with `RETRIEVAL_INVALID_INPUT` for other contents,
 *   `RETRIEVAL_PERMISSION_DENIED` where the Sandbox refuses the origin, `RETRIEVAL_TIMEOUT` at the deadline,
 *   `RETRIEVAL_CANCELLED` with the caller's signal, `RETRIEVAL_INVALID_EMBEDDING` for wrong vectors, `RETRIEVAL_INVALID_BACKEND_OUTPUT`
 *   for an answer that is none, and `RETRIEVAL_BACKEND_ERROR` otherwise, with `retryAfterMs` where the server tells it.
 * @throws RetrievalError `RETRIEVAL_INVALID_INPUT` for a wrong option.
 * @example
 * ```ts
 * const embedding = createHttpEmbeddingProvider({ baseUrl: "http://localhost:8080/v1", model: "e5", sandbox });
 * ```
 */
export function createHttpEmbeddingProvider(options: HttpEmbeddingOptions): EmbeddingProvider {
  const { model, sandbox, timeoutMs = 30_000, maxBodyBytes, fetch = globalThis.fetch } = options;
  const url = embeddingsUrl(options.baseUrl);
  if (typeof model !== "string" || model === "") throw invalid("model must be a non-empty text");
  if (typeof sandbox?.assert !== "function") throw invalid("sandbox must have an assert method");
  checkTimeout(timeoutMs);
  if (maxBodyBytes !== undefined) checkInteger(maxBodyBytes, { name: "maxBodyBytes" });
  const apiKey = checkApiKey(options.apiKey);
  const headers = { "content-type": "application/json", accept: "application/json", ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }) };

  async function post(texts: readonly string[], context: RetrievalExecutionContext): Promise<readonly (readonly number[])[]> {
    const body = JSON.stringify({ model, input: texts, encoding_format: "float" });
    const signal = context.signal ?? null;
    const response = await fetch(url.href, { method: "POST", headers, body, redirect: "error", signal });
    if (response.redirected || (response.status >= 300 && response.status < 400)) {
      throw new RetrievalError("RETRIEVAL_BACKEND_ERROR", "The embedding endpoint answered with a redirect, which is not followed");
    }
    const text = await readBody(response, maxBodyBytes ?? 2 ** 20 + 2 ** 18 * texts.length);
    if (!response.ok) throw statusError(response, text, apiKey);
    return readEmbeddings(text, { count: texts.length, secret: apiKey });
  }

  return {
    async embed({ contents }, context) {
      const texts = checkTexts(contents);
      if (texts.length === 0) return [];
      throwIfCancelled(context?.signal);
      assertAllowed(sandbox, url.origin);
      try {
        return await withTimeout((inner) => post(texts, inner), { timeoutMs, context, label: "embedding" });
      } catch (error) {
        throwIfCancelled(context?.signal);
        throw isRetrievalError(error) ? error : new RetrievalError("RETRIEVAL_BACKEND_ERROR", "The embedding endpoint could not be reached", { cause: error });
      }
    },
  };
}

/** Appends to the path as it is written: resolving against it would lose its last segment. */
function embeddingsUrl(baseUrl: string): URL {
  if (!URL.canParse(baseUrl)) throw invalid("baseUrl must be an absolute URL");
  const url = new URL(baseUrl);
  if (url.protocol !== "http:" && url.protocol !== "https:") throw invalid("baseUrl must be an http or https URL");
  if (url.username !== "" || url.password !== "") throw invalid("baseUrl must hold no credentials: use apiKey");
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/embeddings`;
  url.hash = "";
  return url;
}

/** A key that no header can carry is refused here: the error of `fetch` would quote it. */
function checkApiKey(apiKey: string | undefined): string | undefined {
  if (apiKey === undefined || apiKey === "") return undefined;
  if (typeof apiKey !== "string" || !/^[\x21-\x7e]+$/.test(apiKey)) throw invalid("apiKey must be printable ASCII without spaces");
  return apiKey;
}

function checkTexts(contents: readonly unknown[]): readonly string[] {
  for (const [index, content] of contents.entries()) {
    if (typeof content !== "string") throw invalid(`contents[${index}] is no text, and the embedding endpoint takes texts only`);
    if (content.trim() === "") throw invalid(`contents[${index}] is blank`);
  }
  return contents as readonly string[];
}

function assertAllowed(sandbox: HttpEmbeddingOptions["sandbox"], origin: string): void {
  try {
    sandbox.assert("network", origin);
  } catch (error) {
    throw new RetrievalError("RETRIEVAL_PERMISSION_DENIED", "The Sandbox does not allow the embedding endpoint's origin", { cause: error });
  }
}

function statusError(response: Response, text: string, secret: string | undefined): RetrievalError {
  const message = `The embedding endpoint answered with status ${response.status}${excerpt(text, secret)}`;
  return new RetrievalError("RETRIEVAL_BACKEND_ERROR", message, { retryAfterMs: retryAfterMs(response.headers.get("retry-after"), Date.now()) });
}

function invalid(message: string): RetrievalError {
  return new RetrievalError("RETRIEVAL_INVALID_INPUT", message);
}
