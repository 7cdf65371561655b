import type { IncomingMessage } from "node:http";
import { RuntimeError } from "../runtime-error.ts";

/**
 * Reads a request's or response's body as text.
 *
 * @param message Not read from yet.
 * @param maxBodyBytes Reading stops at the first byte over it.
 * @throws RuntimeError `PAYLOAD_TOO_LARGE`
 */
export async function readBody(message: IncomingMessage, maxBodyBytes: number): Promise<string> {
  const tooLarge = new RuntimeError("PAYLOAD_TOO_LARGE", `The body is longer than ${maxBodyBytes} bytes`);
  if (Number(message.headers["content-length"] ?? 0) > maxBodyBytes) throw tooLarge;
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  // Without destroying the message: a server still has to answer.
  for await (const chunk of message.iterator({ destroyOnReturn: false })) {
    sizeBytes += (chunk as Buffer).byteLength;
    if (sizeBytes > maxBodyBytes) throw tooLarge;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString("utf8");
}
