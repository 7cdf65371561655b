import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: { readonly model: string; readonly input: readonly string[]; readonly encoding_format: string };
}

export interface EmbeddingServer extends AsyncDisposable {
  readonly origin: string;
  readonly requests: ReceivedRequest[];
  /** Connections that the client has closed. */
  closed: number;
}

/** An HTTP server on a free loopback port that answers as it is told. */
export async function embeddingServer(answer: (request: ReceivedRequest, response: ServerResponse) => void): Promise<EmbeddingServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const received = {
        method: incoming.method ?? "",
        url: incoming.url ?? "",
        headers: incoming.headers,
        body: JSON.parse(Buffer.concat(chunks).toString() || "null"),
      };
      requests.push(received);
      answer(received, response);
    });
    response.on("close", () => {
      running.closed += 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const running: EmbeddingServer = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    closed: 0,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return running;
}

/** Answers with a JSON body. */
export function sendJson(response: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(typeof body === "string" ? body : JSON.stringify(body));
}
