import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { hashedVector } from "./hashed-embedding.ts";

/** What the server was asked. */
interface EmbeddingRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: { readonly model: string; readonly input: readonly string[]; readonly encoding_format: string };
}

/** A server on the loopback that speaks the OpenAI protocol, and answers in reverse order, as the protocol allows. */
export interface EmbeddingServer {
  readonly origin: string;
  readonly requests: EmbeddingRequest[];
  close(): Promise<void>;
}

/** Starts the server on a free port. */
export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  const requests: EmbeddingRequest[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = JSON.parse(Buffer.concat(parts).toString()) as EmbeddingRequest["body"];
    requests.push({ method: request.method ?? "", path: request.url ?? "", authorization: request.headers.authorization, body });
    const data = body.input.map((text, index) => ({ object: "embedding", index, embedding: hashedVector(text) })).reverse();
    response.setHeader("content-type", "application/json").end(JSON.stringify({ object: "list", model: body.model, data }));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  // A block that fails before it closes its world must not keep the process alive.
  server.unref();
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
