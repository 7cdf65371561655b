import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

const pipeline = `version: 1
name: notes
description: Notes of the team.
resources:
  db: { sqlite: { file: notes.db } }
  notes:
    sqlite.collection:
      database: db
      namespace: team
      fields: { lang: { type: string } }
targets:
  notes: { default: keyword, strategies: { keyword: { text: { collection: notes } } } }
ingest:
  notes:
    into: notes
    input: { type: object, required: [id, text, team], properties: { id: { type: string }, text: { type: string }, team: { type: string } } }
    id: \${ input.id }
    content: \${ input.text }
    metadata: { team: "\${ input.team }", lang: en }
    records: notes.jsonl
    fill: true
graphs:
  greet:
    input: { type: object, required: [name], properties: { name: { type: string } } }
    nodes: { hello: { value: "hello \${ input.name }" } }
    output: { said: "\${ hello }" }
`;

/** The built command and the official client, as an agent's program has them. */
describe("ditto serve --mcp", () => {
  const folder = mkdtempSync(join(tmpdir(), "ditto-mcp-"));
  const file = join(folder, "notes.yaml");
  const client = new Client({ name: "test", version: "1" });

  beforeAll(async () => {
    writeFileSync(file, pipeline);
    writeFileSync(join(folder, "notes.jsonl"), '{"id":"a","text":"noon at the river","team":"blue"}\n{"id":"b","text":"noon in town","team":"red"}\n');
    const args = [join(root, "src/cli/bin.mjs"), "serve", file, "--mcp", "--watch"];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: folder, stderr: "ignore" }));
  }, 30_000);

  afterAll(async () => {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("offers each target and each graph, with what they take", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["search_notes", "run_notes"]);
    expect(tools[0]?.inputSchema).toMatchObject({
      required: ["query", "namespace"],
      properties: { filter: { properties: { lang: {} } }, limit: { maximum: 10_000 } },
    });
    expect(tools[1]?.inputSchema).toMatchObject({ required: ["name"], properties: { name: { type: "string" } } });
  });

  it("searches within the scope", async () => {
    const answer = await client.callTool({ name: "search_notes", arguments: { query: "noon", namespace: "blue" } });
    expect(answer).toMatchObject({ isError: false, structuredContent: { candidates: [{ id: "a" }] } });
    expect((answer.structuredContent as { candidates: unknown[] }).candidates).toHaveLength(1);
  });

  it("runs a graph", async () => {
    expect(await client.callTool({ name: "run_notes", arguments: { name: "Ada" } })).toMatchObject({ structuredContent: { said: "hello Ada" } });
  });

  it("answers a wrong call with every fault at its place", async () => {
    const answer = await client.callTool({ name: "search_notes", arguments: { query: " ", namespace: "blue", limit: 0, colour: 1 } });
    const [content] = answer.content as { text: string }[];
    expect(answer.isError).toBe(true);
    for (const place of ["INVALID_INPUT", "/query", "/limit", "colour"]) expect(content?.text).toContain(place);
    await expect(client.callTool({ name: "search_elsewhere", arguments: {} })).rejects.toThrow("search_elsewhere");
  });

  it("tells the client when a saved file changes the tools", async () => {
    const told = new Promise<void>((resolve) => client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve()));
    writeFileSync(
      file,
      readFileSync(file, "utf8").replace(
        "greet:",
        'welcome:\n    input: { type: object }\n    nodes: { x: { value: 1 } }\n    output: { x: "${ x }" }\n  greet:',
      ),
    );
    await told;
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["search_notes", "run_notes_welcome", "run_notes_greet"]);
  });
});
