import type { AddressInfo } from "node:net";
import type { Server } from "node:http";
import type { Hono } from "hono";

/** A server of this machine. */
export interface LocalServer {
  readonly url: string;
  /** Ends open connections too. */
  close(): Promise<void>;
}

/**
 * Serves an application on 127.0.0.1.
 *
 * @param app The application.
 * @param options `port`: exactly this one, 0 for any; without it `usualPort`, or any other where that is taken.
 * @throws What listening throws, such as `EADDRINUSE`.
 */
export async function listenLocally(app: Hono, { port, usualPort }: { readonly port: number | undefined; readonly usualPort: number }): Promise<LocalServer> {
  const { createAdaptorServer } = await import("@hono/node-server");
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  await listen(server, port ?? usualPort).catch((error: NodeJS.ErrnoException) => {
    if (port !== undefined || error.code !== "EADDRINUSE") throw error;
    return listen(server, 0);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve();
    });
  });
}
