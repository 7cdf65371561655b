import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Hono } from "hono";
import { PipelineError } from "../live/pipeline-error.ts";
import type { ServeEnv } from "./serve-parts.ts";

/** A server that takes requests. */
export interface Listening {
  /** Such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Takes no new connections; resolves when the last one has ended. */
  drain(): Promise<void>;
  /** Ends every connection. */
  cut(): void;
}

/**
 * Listens for HTTP.
 *
 * @param app What answers.
 * @param at `port` 0 takes a free one; `timeoutMs` that a request may take to arrive.
 * @throws PipelineError `SERVE_PORT_IN_USE`, `SERVE_ADDRESS_REFUSED`
 */
export async function listen(app: Hono<ServeEnv>, at: { readonly host: string; readonly port: number; readonly timeoutMs: number }): Promise<Listening> {
  const { host, port, timeoutMs } = at;
  const serverOptions = { requestTimeout: timeoutMs, headersTimeout: Math.min(timeoutMs, 60_000), keepAliveTimeout: 65_000 };
  const { createAdaptorServer } = await import("@hono/node-server");
  const server = createAdaptorServer({ fetch: app.fetch, createServer, serverOptions }) as Server;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(refused(error, at)));
    server.listen({ host, port }, resolve);
  });
  const { address, family, port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${family === "IPv6" ? `[${address}]` : address}:${taken}`,
    drain: () => new Promise((resolve) => server.close(() => resolve())),
    cut: () => server.closeAllConnections(),
  };
}

function refused(cause: NodeJS.ErrnoException, { host, port }: { readonly host: string; readonly port: number }): PipelineError {
  if (cause.code === "EADDRINUSE")
    return new PipelineError("SERVE_PORT_IN_USE", `The port ${port} is in use: choose another with --port, or 0 for a free one`, { cause });
  if (cause.code === "EACCES") return new PipelineError("SERVE_ADDRESS_REFUSED", `Listening at port ${port} is not permitted`, { cause });
  return new PipelineError("SERVE_ADDRESS_REFUSED", `Listening at "${host}" is not possible (${cause.code ?? "unknown"})`, { cause });
}
