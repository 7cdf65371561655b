import type { WatchPipelinesOptions } from "../../live/live-pipelines.ts";
import { watchPipelines } from "../../live/watch-pipelines.ts";
import { ReloadLedger } from "../reload-ledger.ts";
import type { ServeLog } from "../serve-log.ts";

/** What is offered to an agent, and how. */
export interface McpServingOptions {
  /** Files and folders of pipelines. */
  readonly paths: readonly string[];
  /** How pipelines are loaded. */
  readonly load: Omit<WatchPipelinesOptions, "onEvent" | "serving" | "signal">;
  readonly log: ServeLog;
  /** Of this package; the client is told. */
  readonly version: string;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/**
 * Serves pipelines to one client over standard input and output, until it hangs up or the signal aborts.
 *
 * @throws PipelineError What is wrong with the pipelines; an import's error where the SDK is not installed, see {@link isSdkMissing}.
 */
export async function serveMcp({ paths, load, log, version, signal }: McpServingOptions): Promise<void> {
  const [{ connectMcp }, { StdioServerTransport }] = await Promise.all([import("./mcp-server.ts"), import("@modelcontextprotocol/sdk/server/stdio.js")]);
  // Nobody reads metrics here.
  const ledger = new ReloadLedger(log, { reloads: { inc: () => {} } });
  const live = await watchPipelines(paths, { ...load, serving: true, signal, onEvent: (event) => ledger.tell(event) });
  try {
    const connection = await connectMcp(live, { version, transport: new StdioServerTransport() });
    log("info", "connected", { pipelines: live.names });
    const end = (): void => void connection.close();
    process.stdin.once("end", end);
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
    await connection.closed;
  } finally {
    await live.close();
  }
}

/** Whether an error of {@link serveMcp} says that the SDK is not there. */
export function isSdkMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND" && error.message.includes("@modelcontextprotocol/sdk");
}
