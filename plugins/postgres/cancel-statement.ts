import { connect } from "node:net";
import type { PoolClient } from "pg";

/**
 * Asks the server to end what it does for a connection, by the protocol's own request: it takes neither a login nor a connection of the
 * pool, and goes through proxies.
 *
 * Settles when the server has closed the request's connection, which it does after it has passed the request on.
 *
 * @throws Error When the server cannot be reached within two seconds.
 */
export async function cancelStatement(client: PoolClient): Promise<void> {
  const { processID, secretKey, host, port } = client as unknown as ConnectedClient;
  const request = Buffer.alloc(16);
  for (const [index, value] of [16, cancelCode, processID, secretKey].entries()) request.writeInt32BE(value | 0, index * 4);
  const socket = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  await new Promise<void>((resolve, reject) => {
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error("no answer to the request to cancel")));
    socket.on("error", reject);
    socket.on("close", () => resolve());
    socket.on("connect", () => socket.write(request));
    socket.resume();
  });
}

/** What the driver keeps of a connection; its types leave this out. */
interface ConnectedClient {
  readonly processID: number;
  readonly secretKey: number;
  readonly host: string;
  readonly port: number;
}

const cancelCode = 80_877_102;
const timeoutMs = 2000;
