// Serves a collection under load: `npm run bench -- serve [SECONDS]` (10 for each part unless said).
//
// Three parts: a fixed rate of requests without changes, the same while files change, and as many requests as go through beside a bare
// server of `node:http` that runs the same search. Everything is on loopback, and nothing outlives it.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, request } from "node:http";

const root = process.cwd();
const partSeconds = Number(process.argv[2] ?? 10);
const folder = mkdtempSync(join(tmpdir(), "ditto-bench-serve-"));
const children = new Set<ChildProcess>();
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));
process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

const words = readFileSync(join(root, "pipelines/support-articles.jsonl"), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line) as { readonly title: string; readonly body: string });
const queries = ["refund payment", "reset password", "export data", "invoice", "sign in", "cancel subscription", "delete account", "slow page"];

/** All scores are `mark`, so that an answer shows which text of the file it comes from. */
function pipelineText(mark: number, weight: number): string {
  return `version: 1
name: kb
include: [shared.yaml]
vars: { mark: ${mark} }
ingest:
  articles:
    into: kb
    input: { type: object, required: [id, text], properties: { id: { type: string }, text: { type: string } } }
    id: \${ input.id }
    content: \${ input.text }
    records: articles.jsonl
    fill: true
targets:
  kb:
    default: keyword
    strategies:
      words: { text: { collection: kb } }
      vector: { vector: { collection: kb } }
      keyword: { refine: { search: words, score: "\${ vars.mark + 0 * candidate.score }" } }
      both: { hybrid: { branches: { words: { weight: ${weight} }, vector: { weight: 1 } } } }
      hybrid: { refine: { search: both, score: "\${ vars.mark + 0 * candidate.score }" } }
`;
}

function sharedText(comment: string): string {
  return `# ${comment}
version: 1
name: shared
resources:
  db: { sqlite: { file: "\${env:KB_FILE:-kb.db}" } }
  encoder: { local-embedding: {} }
  kb: { sqlite.collection: { database: db, embedding: encoder } }
`;
}

function projectText(limit: number): string {
  return `workers: { retrieval: { searchLimit: ${limit} } }\n`;
}

let mark = 1;
/** Marks by the hash of their generation: one text, one mark. */
const marks = new Map<string, number>();
const edits: readonly (() => void)[] = [
  () => writeFileSync(join(folder, "kb.yaml"), pipelineText(++mark, 1)),
  () => writeFileSync(join(folder, "shared.yaml"), sharedText(`edit ${mark}`)),
  () => writeFileSync(join(folder, "kb.yaml"), pipelineText(mark, 1 + mark / 10)),
  () => writeFileSync(join(folder, "ditto.yaml"), projectText(10 + (mark % 5))),
  () => writeFileSync(join(folder, "kb.yaml"), "version: 1\nname: kb\ntargets: {"),
  () => writeFileSync(join(folder, "kb.yaml"), pipelineText(++mark, 1)),
];

interface Shot {
  readonly strategy: string;
  readonly ms: number;
  /** Why there is no answer: a status, or that the connection failed. */
  readonly failure: string | undefined;
  readonly mixed: boolean;
}

const agent = new Agent({ keepAlive: true, maxSockets: 128 });

function post(url: string, path: string, body: string): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const asked = request(`${url}${path}`, { method: "POST", agent, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
      response.on("error", reject);
    });
    asked.on("error", reject).end(body);
  });
}

async function search(url: string, strategy: string, index: number): Promise<Shot> {
  const startedAt = performance.now();
  try {
    const { status, text } = await post(url, "/v1/pipelines/kb/search", JSON.stringify({ query: queries[index % queries.length], strategy }));
    const ms = performance.now() - startedAt;
    if (status !== 200) return { strategy, ms, failure: String(status), mixed: false };
    const { generation, output } = JSON.parse(text) as {
      readonly generation: { readonly hash: string };
      readonly output: { readonly candidates: readonly { readonly score: number }[] };
    };
    const seen = new Set(output.candidates.map(({ score }) => score));
    const [own] = seen;
    const known = marks.get(generation.hash) ?? own;
    if (known !== undefined) marks.set(generation.hash, known);
    return { strategy, ms, failure: seen.size > 0 ? undefined : "empty", mixed: seen.size > 1 || own !== known };
  } catch {
    return { strategy, ms: performance.now() - startedAt, failure: "connection", mixed: false };
  }
}

/** A fixed rate, whatever the answers do: a slow server gets no fewer requests. */
async function atRate(
  url: string,
  { strategy, perSecond, seconds }: { readonly strategy: string; readonly perSecond: number; readonly seconds: number },
): Promise<readonly Shot[]> {
  const startedAt = performance.now();
  const shots: Promise<Shot>[] = [];
  const total = seconds * perSecond;
  while (shots.length < total) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) / 1000) * perSecond) + 1);
    while (shots.length < due) shots.push(search(url, strategy, shots.length));
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return Promise.all(shots);
}

/** As many as go through on some connections. */
async function throughput(ask: (index: number) => Promise<unknown>, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1000;
  let done = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() < until) {
      await ask(done);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  return done / seconds;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 100) / 100;
}

async function part(url: string, change: boolean, seconds = partSeconds): Promise<Readonly<Record<string, unknown>>> {
  await (await fetch(`${url}/metrics`)).text();
  let edited = 0;
  const timer = change ? setInterval(() => edits[edited++ % edits.length]?.(), 700) : undefined;
  const shots = (
    await Promise.all([atRate(url, { strategy: "keyword", perSecond: 200, seconds }), atRate(url, { strategy: "hybrid", perSecond: 30, seconds })])
  ).flat();
  clearInterval(timer);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const latency = (strategy: string): Readonly<Record<string, number>> => {
    const own = shots.filter((shot) => shot.strategy === strategy).map(({ ms }) => ms);
    return { requests: own.length, p50Ms: quantile(own, 0.5), p99Ms: quantile(own, 0.99), maxMs: quantile(own, 1) };
  };
  const metric = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, "mu").exec(metrics)?.[1]);
  return {
    failed: shots.filter(({ failure }) => failure !== undefined).length,
    failures: [...new Set(shots.flatMap(({ failure }) => failure ?? []))],
    mixed: shots.filter(({ mixed }) => mixed).length,
    edits: edited,
    keyword: latency("keyword"),
    hybrid: latency("hybrid"),
    eventLoopLagP99Ms: Math.round(metric("nodejs_eventloop_lag_p99_seconds") * 1000),
    reloads: Object.fromEntries(
      [...metrics.matchAll(/^ditto_reloads_total\{pipeline="\w*",result="(\w+)"\} (\d+)$/gmu)].map(([, result, count]) => [result, Number(count)]),
    ),
  };
}

/** Starts a process that prints an address. */
function start(args: readonly string[]): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "pipe", "ignore"] });
  children.add(child);
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (more: string) => {
      text += more;
      const url = /^listening on (\S+)$/mu.exec(text)?.[1];
      if (url !== undefined) resolve({ url, child });
    });
    child.on("exit", (code) => reject(new Error(`a server ended with ${code}`)));
  });
}

const bare = `
import { createServer } from "node:http";
import { loadPipeline } from ${JSON.stringify(join(root, "dist/pipeline.js"))};
const pipeline = await loadPipeline("kb.yaml", { serving: true });
const server = createServer(async (incoming, outgoing) => {
  const chunks = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const { query, strategy } = JSON.parse(Buffer.concat(chunks).toString());
  const { output } = await pipeline.search({ query: { content: query }, strategy });
  outgoing.setHeader("content-type", "application/json");
  outgoing.end(JSON.stringify({ output }));
});
server.listen(0, "127.0.0.1", () => console.log("listening on http://127.0.0.1:" + server.address().port));
`;

writeFileSync(join(folder, "ditto.yaml"), projectText(10));
writeFileSync(join(folder, "shared.yaml"), sharedText("first"));
writeFileSync(join(folder, "kb.yaml"), pipelineText(1, 1));
writeFileSync(join(folder, "bare.mjs"), bare);
const records = Array.from({ length: 300 }, (_, index) => {
  const { title, body } = words[index % words.length] ?? { title: "", body: "" };
  // Short, since every one of them is embedded first.
  return `${JSON.stringify({ id: `a${index}`, text: `${title} ${index}. ${body.split(". ", 1)[0]}` })}\n`;
});
writeFileSync(join(folder, "articles.jsonl"), records.join(""));

const command = join(root, "src/cli/bin.mjs");
const served = await start([command, "serve", "kb.yaml", "--port", "0", "--watch"]);
for (const index of queries.keys()) await Promise.all([search(served.url, "keyword", index), search(served.url, "hybrid", index)]);
await part(served.url, false, Math.min(5, partSeconds));
const calm = await part(served.url, false);
const changing = await part(served.url, true);
writeFileSync(join(folder, "kb.yaml"), pipelineText(mark, 1));

const other = await start([join(folder, "bare.mjs")]);
const askServed = (index: number) =>
  post(served.url, "/v1/pipelines/kb/search", JSON.stringify({ query: queries[index % queries.length], strategy: "keyword" }));
const askBare = (index: number) => post(other.url, "/", JSON.stringify({ query: queries[index % queries.length], strategy: "keyword" }));
await throughput(askBare, 1);
await throughput(askServed, 1);
// By turns, so that what else the machine does meets both.
const rates = { served: 0, bare: 0 };
const turns = 4;
for (let turn = 0; turn < turns; turn += 1) {
  rates.served += (await throughput(askServed, partSeconds / turns / 2)) / turns;
  rates.bare += (await throughput(askBare, partSeconds / turns / 2)) / turns;
}

console.log(
  JSON.stringify(
    {
      seconds: partSeconds,
      calm,
      changing,
      throughput: {
        servedPerSecond: Math.round(rates.served),
        barePerSecond: Math.round(rates.bare),
        ratio: Math.round((rates.served / rates.bare) * 100) / 100,
      },
    },
    null,
    2,
  ),
);
for (const { child } of [served, other]) child.removeAllListeners("exit").kill("SIGTERM");
agent.destroy();
process.exit(0);
