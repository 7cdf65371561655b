import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it sent.
  readonly body: any;
}

export interface JsonServer {
  readonly origin: string;
  readonly requests: ReceivedRequest[];
  /** TCP connections that were opened. */
  connections: number;
}

/** An HTTP server on a free loopback port; gone after the test. What `answer` returns is sent as JSON, unless it answers itself. */
export async function jsonServer(answer: (request: ReceivedRequest, response: ServerResponse) => unknown): Promise<JsonServer> {
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
      const body = answer(received, response);
      if (!response.headersSent && body !== undefined)
        response.writeHead(200, { "content-type": "application/json" }).end(typeof body === "string" ? body : JSON.stringify(body));
    });
  });
  const running: JsonServer = { origin: "", requests, connections: 0 };
  server.on("connection", () => {
    running.connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return Object.assign(running, { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}
