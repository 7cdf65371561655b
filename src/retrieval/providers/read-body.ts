import { invalidOutput } from "../check-search-output.ts";

/**
 * Reads a response's body as text, up to a limit; what lies beyond is not read.
 *
 * @param response A response whose body nobody has read.
 * @param maxBytes Longest body in bytes, as decoded.
 * @throws RetrievalError `RETRIEVAL_INVALID_BACKEND_OUTPUT` for a longer body.
 */
export async function readBody(response: Response, maxBytes: number): Promise<string> {
  if (response.body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  // Leaving the loop cancels the stream, and with it the connection.
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw invalidOutput(`The answer is longer than ${maxBytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
