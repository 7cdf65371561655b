/**
 * What changing pipelines costs while they serve; prints JSON. Run it with `npm run bench -- reload [RELOADS]`.
 *
 * - 1000 reloads under load: open files, sockets and heap afterwards against before, in percent. Every tenth one changes a connection,
 *   every twentieth a plugin's helper file.
 * - The time from a save to its serving, for a change of a weight.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { watchPipelines } from "../../src/live/watch-pipelines.ts";

const reloads = Number(process.argv[2] ?? 1000);
const warmUp = 200;
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const folder = mkdtempSync(join(tmpdir(), "ditto-bench-"));
try {
  console.log(JSON.stringify({ ...(await measureLeaks()), ...(await measureSaves()) }, undefined, 2));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

function pipeline(name: string, { weight, file }: { readonly weight: number; readonly file: string }): string {
  return `version: 1
name: ${name}
resources:
  db: { sqlite: { file: ${file} } }
  encoder: { local-embedding: {} }
  kb:
    sqlite.collection:
      database: db
      embedding: encoder
      fields: { product: { type: string } }
ingest:
  kb:
    into: kb
    input: { type: object, required: [id, body], properties: { id: { type: string }, body: { type: string } } }
    id: "\${ input.id }"
    content: "\${ input.body }"
    records: records.jsonl
    fill: true
targets:
  kb:
    default: hybrid
    strategies:
      vector: { vector: { collection: kb } }
      keyword: { text: { collection: kb } }
      hybrid: { hybrid: { branches: { vector: { weight: ${weight} }, keyword: { weight: 1 } } } }
graphs:
  say:
    input: { type: object }
    nodes: { said: { value: "\${ word() }" } }
    output: "\${ said }"
`;
}

function project(): void {
  write("ditto.yaml", "plugins: [sqlite, local-embedding, ./plugins/word.ts]\n");
  write(
    "plugins/word.ts",
    `import { word } from "./helper.ts";
export default { name: "word", apiVersion: 1, kinds: [], functions: { word: { description: "Says.", parameters: [], result: { type: "string" }, call: () => word } } };
`,
  );
  write("plugins/helper.ts", `export const word: string = "w0";\n`);
  write(
    "pipelines/records.jsonl",
    Array.from({ length: 20 }, (_, index) => JSON.stringify({ id: `r${index}`, body: `a refund of ${index} coins` })).join("\n"),
  );
  for (const name of ["a", "b", "c"]) write(`pipelines/${name}.yaml`, pipeline(name, { weight: 1, file: `${name}.db` }));
}

async function measureLeaks(): Promise<Record<string, unknown>> {
  project();
  const pipelines = await watchPipelines(join(folder, "pipelines"));
  const ask = async (): Promise<void> => {
    for (const name of pipelines.names) {
      const { status, error } = await pipelines.get(name).search({ query: { content: "refund" }, limit: 3 });
      if (status !== "success") throw new Error(`A search ended as ${status}: ${error?.code} ${error?.message}`);
      await pipelines.get(name).run({});
    }
  };
  const change = async (index: number): Promise<void> => {
    if (index % 20 === 0) write("plugins/helper.ts", `export const word: string = "w${index}";\n`);
    write("pipelines/a.yaml", pipeline("a", { weight: 1 + (index % 7), file: index % 10 === 0 ? `a${(index / 10) % 2}.db` : `a.db` }));
    const asking = ask();
    const status = await pipelines.reload();
    await asking;
    const failed = status.pipelines.find(({ error }) => error !== undefined);
    if (failed?.error !== undefined) throw failed.error;
  };
  // What is made once, and compiled by V8, is made before the count begins.
  for (let index = 1; index <= warmUp; index += 1) await change(index);
  const before = await counts(() => pipelines.status().resources);
  const start = performance.now();
  for (let index = warmUp + 1; index <= warmUp + reloads; index += 1) await change(index);
  const reloadMs = (performance.now() - start) / reloads;
  const after = await counts(() => pipelines.status().resources);
  const generation = pipelines.get("a").generation?.number;
  await pipelines.close();
  const grown = Object.fromEntries(Object.entries(after).map(([key, value]) => [key, percent(value, before[key] ?? 0)]));
  return { reloads, reloadMs: round(reloadMs), generation, before, after, grownPercent: grown };
}

async function counts(resources: () => number): Promise<Record<string, number>> {
  for (let index = 0; index < 5; index += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    collectGarbage();
  }
  const active = process.getActiveResourcesInfo();
  return {
    heapMegabytes: round(process.memoryUsage().heapUsed / 2 ** 20),
    openFiles: readdirSync("/proc/self/fd").length,
    sockets: active.filter((name) => /TCP|Socket|Pipe/u.test(name)).length,
    handles: active.length,
    resources: resources(),
  };
}

async function measureSaves(): Promise<Record<string, unknown>> {
  project();
  const pipelines = await watchPipelines(join(folder, "pipelines"), { watch: true });
  const times: number[] = [];
  for (let index = 0; index < 60; index += 1) {
    const serves = new Promise<void>((resolve) => {
      const stop = pipelines.subscribe((event) => {
        if (event.kind !== "switched" || event.pipeline !== "b") return;
        stop();
        resolve();
      });
    });
    const start = performance.now();
    write("pipelines/b.yaml", pipeline("b", { weight: 2 + index, file: "b.db" }));
    await serves;
    times.push(performance.now() - start);
  }
  await pipelines.close();
  times.sort((a, b) => a - b);
  return { saveToServingMs: { median: round(times[30] ?? 0), p90: round(times[54] ?? 0), longest: round(times.at(-1) ?? 0) } };
}

function percent(now: number, before: number): number {
  return before === 0 ? (now === 0 ? 0 : 100) : round((now / before - 1) * 100);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
