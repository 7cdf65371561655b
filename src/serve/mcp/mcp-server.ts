import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { LivePipelines } from "../../live/live-pipelines.ts";
import { callTool, listTools } from "./call-tool.ts";

/**
 * Speaks MCP over a transport: each target is a search tool, each graph a tool that runs it. A reload changes the tools, and the client
 * is told.
 *
 * @param live The pipelines.
 * @param options `version` of the package; `transport` as the SDK has them.
 * @returns When it is connected: `closed` resolves when the client is gone, `close` ends it from this side.
 */
export async function connectMcp(
  live: LivePipelines,
  { version, transport }: { readonly version: string; readonly transport: Transport },
): Promise<{ readonly closed: Promise<void>; readonly close: () => Promise<void> }> {
  const [{ Server }, { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError }] = await Promise.all([
    import("@modelcontextprotocol/sdk/server/index.js"),
    import("@modelcontextprotocol/sdk/types.js"),
  ]);
  const server = new Server({ name: "ditto", version }, { capabilities: { tools: { listChanged: true } } });
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: (await listTools(live)).map(({ name, description, inputSchema }) => ({ name, description, inputSchema: inputSchema as { type: "object" } })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }): Promise<CallToolResult> => {
    const answer = await callTool(live, { name: params.name, input: params.arguments ?? {}, signal });
    if (answer === undefined) throw new McpError(ErrorCode.InvalidParams, `there is no tool "${params.name}"`);
    const { isError, text, data } = answer;
    return { isError, content: [{ type: "text", text }], ...(data === undefined ? {} : { structuredContent: data }) };
  });
  const unsubscribe = live.subscribe(({ kind }) => {
    // A client that is gone cannot be told, and need not be.
    if (kind === "switched" || kind === "removed") server.sendToolListChanged().catch(() => {});
  });
  const closed = new Promise<void>((resolve) => {
    server.onclose = () => {
      unsubscribe();
      resolve();
    };
  });
  await server.connect(transport);
  return { closed, close: () => server.close() };
}
