// Packs the package, installs it in a clean folder as its users do, and uses it from there: the command, TypeScript's and Node's imports,
// an agent over MCP. `npm run check:package` on this Node, `npm run check:package -- 24` on another (from the registry).
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const root = join(import.meta.dirname, "..");
const [major] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "ditto-package-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

let env = { ...process.env, NO_COLOR: "1" };

function run(command, args, { cwd = project, input } = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, env, input, encoding: "utf8", timeout: 600_000 });
  if (status === 0) return stdout;
  console.error(`${command} ${args.join(" ")} ended with ${status ?? error}\n${stdout}${stderr}`);
  process.exit(1);
}

function step(text) {
  console.log(`- ${text}`);
}

const project = join(folder, "project");
mkdirSync(project);
run("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder], { cwd: root });
const tarball = join(
  folder,
  readdirSync(folder).find((name) => name.endsWith(".tgz")),
);
step(`packed: ${(statSync(tarball).size / 1e6).toFixed(1)} MB`);

if (major !== undefined) {
  // Its binary and headers, taken out of `node_modules`, so that what is compiled is compiled for it.
  const place = join(folder, "node");
  mkdirSync(place);
  writeFileSync(join(place, "package.json"), "{}");
  run("npm", ["install", "--silent", "--no-audit", "--no-fund", `node-${process.platform}-${process.arch}@${major}`], { cwd: place });
  const installed = join(place, "node_modules", `node-${process.platform}-${process.arch}`);
  const home = join(folder, "home");
  cpSync(installed, home, { recursive: true });
  env = { ...env, PATH: `${join(home, "bin")}${delimiter}${env.PATH}`, npm_config_nodedir: home };
}
step(`Node ${run("node", ["--version"]).trim()}`);

writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module", private: true, allowScripts: { "better-sqlite3": true } }));
run("npm", ["install", "--silent", "--no-audit", "--no-fund", tarball, "typescript@6.0.3", "@types/node@20", "@modelcontextprotocol/sdk@^1.20.0"]);
step("installed");

const own = join(project, "node_modules/@codesoul-co/ditto");
for (const name of ["pipelines", "ditto.yaml"]) cpSync(join(own, name), join(project, name), { recursive: true });
const answer = JSON.parse(run("npx", ["ditto", "run", "pipelines/quickstart.yaml", "--query", "I can't get in", "--json"]));
if (answer.candidates?.[0]?.id !== "reset-password") throw new Error(`the quickstart answers ${JSON.stringify(answer.candidates?.[0])}`);
step("the quickstart answers from the package");

run("npx", ["ditto", "init", "mine"]);
run("npx", ["ditto", "validate", "mine/pipelines", "--max-warnings", "0"]);
writeFileSync(join(project, "quickstart.types.ts"), run("npx", ["ditto", "types", "pipelines/quickstart.yaml"]));
step("a project of one's own is written and valid");

writeFileSync(
  join(project, "app.ts"),
  `import { loadPipeline } from "@codesoul-co/ditto/pipeline";
import { createHybridSearchProvider } from "@codesoul-co/ditto/retrieval";
import { defineKind } from "@codesoul-co/ditto/plugin";

const pipeline = await loadPipeline("pipelines/quickstart.yaml");
const { output } = await pipeline.search({ query: { content: "I can't get in" }, limit: 1 });
await pipeline.close();
console.log(output?.candidates[0]?.id, typeof createHybridSearchProvider, typeof defineKind);
`,
);
const flags = ["--strict", "--module", "nodenext", "--target", "es2022", "--skipLibCheck", "false", "--types", "node"];
run("npx", ["tsc", ...flags, "app.ts"]);
const printed = run("node", ["app.js"]).trim();
if (printed !== "reset-password function function") throw new Error(`the application prints ${printed}`);
step("an application compiles under strict and runs");

writeFileSync(
  join(project, "agent.mjs"),
  `import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
const client = new Client({ name: "check", version: "1" });
await client.connect(new StdioClientTransport({ command: "npx", args: ["ditto", "serve", "pipelines/quickstart.yaml", "--mcp"], stderr: "ignore" }));
const { tools } = await client.listTools();
const search = tools.find(({ name }) => name.startsWith("search_"));
const { structuredContent } = await client.callTool({ name: search.name, arguments: { query: "I can't get in", limit: 1 } });
console.log(structuredContent.candidates[0].id);
await client.close();
`,
);
if (run("node", ["agent.mjs"]).trim() !== "reset-password") throw new Error("the agent gets another answer");
step("an agent asks over MCP");

// As the container's last line does: the program itself, which SIGTERM reaches.
const server = spawn(join(project, "node_modules/.bin/ditto"), ["serve", "pipelines/quickstart.yaml", "--port", "0"], {
  cwd: project,
  env,
  stdio: ["ignore", "pipe", "ignore"],
});
const [line] = await once(createInterface({ input: server.stdout }), "line");
const url = /https?:\S+/u.exec(line)[0];
if (!(await fetch(new URL("/ready", url))).ok) throw new Error("the service is not ready");
server.kill("SIGTERM");
const [code] = await once(server, "exit");
if (code !== 0) throw new Error(`the service ends with ${code}`);
step("the service is ready, and drains at SIGTERM");
