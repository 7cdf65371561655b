import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer, type AddressInfo, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { diagnosticMessage } from "../../src/diagnostics/diagnostic.ts";
import { compilePipelineFile } from "../../src/live/compile-file.ts";
import { connectComponents } from "../../src/live/connect-components.ts";
import { loadPipeline } from "../../src/live/load-pipeline.ts";
import { ResourcePool } from "../../src/live/resource-pool.ts";
import { Sandbox } from "../../src/runtime/sandbox/sandbox.ts";
import { line } from "../kinds/support/load-text.ts";

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "ditto-connect-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

async function connect(folder: string, { env = {}, deadlineMs = 5000 }: { readonly env?: Record<string, string>; readonly deadlineMs?: number } = {}) {
  const { compiled, config, diagnostics } = await compilePipelineFile(join(folder, "kb.yaml"), { env: { DITTO_SHARED_SANDBOX_ALLOW_NETWORK: "*", ...env } });
  if (compiled === undefined) throw new Error(diagnostics.map(diagnosticMessage).join("\n"));
  const found = await connectComponents(compiled, {
    pool: new ResourcePool(),
    config,
    sandbox: new Sandbox(config.workspace, config.sandbox),
    injected: {},
    serving: false,
    signal: new AbortController().signal,
    log: () => {},
    deadlineMs,
  });
  return found.map(line);
}

const kb = (embedding: string, file = "kb.db"): string => `version: 1
name: kb
resources:
  db: { sqlite: { file: ${file} } }
  encoder: ${embedding}
  kb: { sqlite.collection: { database: db, embedding: encoder } }
targets:
  kb: { default: keyword, strategies: { keyword: { text: { collection: kb } } } }
`;

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  return (server.address() as AddressInfo).port;
}

describe("opening what a pipeline uses", () => {
  it("finds nothing where all is well, and writes nothing", async () => {
    expect(await connect(folderWith({ "kb.yaml": kb("{ local-embedding: {} }") }))).toEqual([]);
  });

  it("tells of a file that is no database once, and not of what rests on it", async () => {
    const found = await connect(folderWith({ "kb.yaml": kb("{ local-embedding: {} }"), "kb.db": "no database at all, but long enough to be read as one" }));
    expect(found).toEqual([expect.stringMatching(/^4:9 DITTO717 "db" does not serve: SQLITE_UNREADABLE/u)]);
  });

  it("tells of a model whose vectors do not fit those that are kept", async () => {
    const service = createHttpServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => {
        body += chunk;
      });
      request.on("end", () => {
        const { input } = JSON.parse(body) as { input: string[] };
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ data: input.map((_, index) => ({ index, embedding: [1, 2, 3] })) }));
      });
    });
    const url = `http://127.0.0.1:${await listening(service)}/v1`;
    const folder = folderWith({ "kb.yaml": kb(`{ http-embedding: { url: "${url}", model: small, dimensions: 3 } }`) });
    const pipeline = await loadPipeline(join(folder, "kb.yaml"), { env: { DITTO_SHARED_SANDBOX_ALLOW_NETWORK: "*" } });
    await pipeline.run({}).catch(() => {});
    await (pipeline.resource("kb") as { write(input: unknown): Promise<unknown> }).write({ memories: [{ content: "noon" }] });
    await pipeline.close();
    writeFileSync(join(folder, "kb.yaml"), kb(`{ http-embedding: { url: "${url}", model: small, dimensions: 4 } }`));
    const found = await connect(folder);
    expect(found.join("\n")).toMatch(/5:14 DITTO717 "encoder".* 3 dimensions instead of 4/u);
    expect(found.join("\n")).toMatch(/6:9 DITTO717 "kb".* dimension 3, but 4 is declared/u);
  });

  it("tells of a service that is not there, without the secrets of its address", async () => {
    const server = createServer();
    const port = await listening(server);
    await new Promise<void>((resolve) => void server.close(() => resolve()));
    const folder = folderWith({ "kb.yaml": kb('{ http-embedding: { url: "${env:URL}", apiKey: "${env:KEY}", model: m, dimensions: 3 } }') });
    const found = await connect(folder, { env: { URL: `http://127.0.0.1:${port}/secret-path`, KEY: "secret-key" } });
    expect(found).toEqual([expect.stringContaining('5:14 DITTO717 "encoder" does not serve: RETRIEVAL_BACKEND_ERROR')]);
    expect(found.join()).not.toContain("secret");
  });

  it("waits for the deadline only, where a server takes the connection and is silent", async () => {
    const silent = createServer((socket) => void socket.on("error", () => {}).resume());
    const port = await listening(silent);
    const folder = folderWith({ "kb.yaml": kb(`{ http-embedding: { url: "http://127.0.0.1:${port}/v1", model: m, dimensions: 3 } }`) });
    expect(await connect(folder, { deadlineMs: 300 })).toEqual(['5:14 DITTO718 "encoder" did not answer within 300 ms']);
  });
});
