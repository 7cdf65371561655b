import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canariesIn, canary, type Canary } from "./support/canaries.ts";
import { ditto, folderWith } from "./support/ditto.ts";

const canaries: readonly Canary[] = Array.from({ length: 50 }, (_, index) => canary(index));
const [core, value] = [(index: number): string => canaries[index]?.core ?? "", (index: number): string => canaries[index]?.value ?? ""];

/** Names and values of the environment; what a field must look like stands around the canary. */
function environment(port: number): Record<string, string> {
  const echo = `http://127.0.0.1:${port}/${core(0)}`;
  return {
    S00: echo,
    S01: value(1),
    S02: value(2),
    S03: `${core(3)}`,
    S04: `http://127.0.0.1:9/${core(4)}`,
    S05: value(5),
    S06: `http://${core(6)}.invalid/`,
    S07: value(7),
    S08: `http://127.0.0.1:${port}/${core(8)}/v1`,
    S09: core(9) + value(9).replaceAll(/[^\x21-\x7e]/gu, ""),
    S10: value(10),
    S11: `http://127.0.0.1:${port}/${core(11)}`,
    S12: value(12),
    S13: `redis://:${core(13)}@127.0.0.1:9/0`,
    S14: value(14),
    S15: `${core(15)}.db`,
    S16: `missing/${core(16)}/kb.db`,
    S17: `folder-${core(17)}`,
    S18: `garbage-${core(18)}`,
    S19: `t_${core(19).toLowerCase()}`,
    S20: value(20),
    S21: value(21),
    S22: value(22),
    S23: value(23),
    S24: value(24),
    S25: value(25),
    S26: value(26),
    S27: value(27),
    S28: value(28),
    S29: value(29),
    S30: `ftp://${core(30)}/`,
    S31: `http://user:${core(31)}@127.0.0.1/`,
    S32: `http://127.0.0.1/?key=${core(32)}`,
    S33: `${value(33)}\nsecond line`,
    S34: `${value(34)} with spaces é`,
    S35: `rediss:${core(35)}`,
    S36: core(36),
    S37: `not a url ${value(37)}`,
    S38: value(38),
    S39: core(39),
  };
}

/** Files with a secret each. */
const files: Record<string, string> = {
  ...Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`secrets/s${40 + at}`, `${at === 9 ? core(49) : value(40 + at)}\n`])),
};

const search = (connection: string, path: string): string =>
  `{ http: { connection: ${connection}, path: ${path}, body: { q: "\${ query.content }" }, result: "\${ response.hits }" } }`;

/** Everything opens; each strategy fails in its own way. */
const opens = `version: 1
name: canaries
resources:
  db: { sqlite: { file: "\${env:S15}" } }
  kb:
    sqlite.collection:
      database: db
      table: "\${env:S19}"
      namespace: tenant
      fields: { product: { type: string, default: "\${env:S20}" } }
  embedded: { sqlite.collection: { database: db, embedding: encoder } }
  embedded-too:
    sqlite.collection:
      database: db
      embedding:
        http: { connection: echo, path: /status, model: "\${file:secrets/s42}", label: "\${env:S21}", body: { a: "\${ contents }" }, result: "\${ response }" }
  echo: { http: { url: "\${env:S00}", bearer: "\${env:S01}", headers: { x-key: "\${env:S02}", x-more: "\${file:secrets/s40}" } } }
  closed: { http: { url: "\${env:S04}", bearer: "\${env:S05}", headers: { x-file: "\${file:secrets/s41}" } } }
  nowhere: { http: { url: "\${env:S06}", bearer: "\${env:S07}" } }
  encoder: { http-embedding: { url: "\${env:S08}", apiKey: "\${env:S09}", model: "\${env:S10}" } }
  orders: { cohere: { connection: echo, path: /status, model: "\${env:S22}" } }
  helper: { remote-worker: { url: "\${env:S11}", token: "\${env:S12}", nodes: [RETRIEVAL.SEARCH] } }
ingest:
  plain: { into: kb, input: { type: object }, id: "\${ input.id }", content: "\${ input.body }", metadata: { tenant: a }, records: records.jsonl }
  vectors: { into: embedded, input: { type: object }, id: "\${ input.id }", content: "\${ input.body }", records: records.jsonl }
  vectors-too: { into: embedded-too, input: { type: object }, id: "\${ input.id }", content: "\${ input.body }", records: records.jsonl }
targets:
  failing:
    default: status
    strategies:
      status: ${search("echo", "/status")}
      redirect: ${search("echo", "/redirect")}
      text: ${search("echo", "/text")}
      shape: ${search("echo", "/shape")}
      slow: { http: { connection: echo, path: /slow, timeoutMs: 200, body: {}, result: "\${ response.hits }" } }
      closed: ${search("closed", "/x")}
      nowhere: ${search("nowhere", "/x")}
      vector: { vector: { collection: embedded } }
      keyword: { text: { collection: kb } }
      remote: { remote: { worker: helper, target: kb } }
      reranked: { rerank: { search: found, reranker: orders } }
      found: { http: { connection: echo, path: /found, body: {}, result: "\${ response.hits }" } }
      hybrid: { hybrid: { branches: { closed: { onError: skip }, found: {} } } }
graphs:
  ask:
    input: { type: object, required: [q], properties: { q: { type: string } } }
    nodes: { hits: { node: RETRIEVAL.SEARCH, input: { query: { content: "\${ input.q }" }, target: { name: failing }, strategy: status } } }
    output: \${ hits.output.candidates }
`;

/** Nothing here is what its field asks for. */
const wrong = `version: 1
name: wrong
resources:
  a: { http: { url: "\${env:S30}", bearer: "\${env:S24}", timeoutMs: "\${env:S25}", maxBodyBytes: "\${file:secrets/s43}" } }
  b: { http: { url: "\${env:S31}", headers: { x-a: "\${env:S33}" } } }
  c: { http: { url: "\${env:S32}", "\${env:S26}": 1 } }
  d: { http: { url: "\${env:S37}", bearer: "\${env:S34}" } }
  e: { http-embedding: { url: "\${env:S36}", model: m, batchSize: "\${file:secrets/s44}", dimensions: "\${env:S27}" } }
  f: { local-embedding: { threads: "\${env:S28}", maxTokens: "x\${env:S29}" } }
  g: { redis: { url: "\${env:S35}", ttlMs: "\${file:secrets/s45}", keyPrefix: "\${env:S14}" } }
  db: { sqlite: { file: "\${env:S36}", more: "\${file:secrets/s46}" } }
  kb:
    sqlite.collection:
      database: "\${env:S38}"
      table: "\${env:S38}"
      language: "\${env:S39}"
      namespace: "\${file:secrets/s47}"
      fields: { price: { type: "\${file:secrets/s48}" }, n: { type: integer, default: "\${env:S23}" } }
  w: { remote-worker: { url: "\${env:S37}", token: "\${env:S03}", nodes: ["\${file:secrets/s49}"] } }
targets: { kb: { strategies: { k: { text: { collection: kb } }, m: "\${env:S36}" } } }
`;

/** A database that cannot be written, or a store that cannot be reached. */
const failing = (file: string, redis = "redis://127.0.0.1:9"): string => `version: 1
name: failing
resources:
  db: { sqlite: { file: "${file}" } }
  kb: { sqlite.collection: { database: db } }
  sessions: { redis: { url: "${redis}", timeoutMs: 300 } }
context: { store: sessions }
ingest:
  kb: { into: kb, input: { type: object }, id: "\${ input.id }", content: "\${ input.body }", records: records.jsonl }
targets: { kb: { strategies: { k: { text: { collection: kb } } } } }
graphs:
  kept:
    input: { type: object }
    nodes: { kept: { node: CONTEXT.LOAD, input: { scope: { sessionId: a }, sources: [] } } }
    output: "\${ size(kept.items) }"
`;

/** Tells its configuration wherever it can. */
const carelessPlugin = `import { defineKind, definePlugin, RetrievalError } from ${JSON.stringify(join(import.meta.dirname, "../../dist/plugin.js"))};
const text = { type: "string" };
export default definePlugin({
  name: "careless",
  apiVersion: 1,
  kinds: [
    defineKind({
      kind: "careless",
      role: "connection",
      summary: "Tells all.",
      schema: { type: "object", required: ["url"], properties: { url: text, how: text }, additionalProperties: false },
      example: { url: "a", how: "open" },
      open: async ({ url, how }, { log }) => {
        log("warn", "opening " + url + " " + encodeURIComponent(url) + " " + Buffer.from(url).toString("base64"));
        if (how === "open") throw new RetrievalError("RETRIEVAL_BACKEND_ERROR", "cannot reach " + url, { cause: new Error("no " + url) });
        return { value: { url, how } };
      },
    }),
    defineKind({
      kind: "careless.search",
      role: "search",
      summary: "Fails.",
      schema: { type: "object", required: ["from"], properties: { from: { "x-ditto-slot": { role: "connection" } } }, additionalProperties: false },
      example: { from: "a" },
      create: ({ from }) => ({
        search: async () => {
          if (from.how === "error") throw new Error("asked " + from.url, { cause: from.url });
          if (from.how === "type") throw new TypeError("asked " + from.url);
          if (from.how === "text") throw "asked " + encodeURIComponent(from.url);
          if (from.how === "many") throw new AggregateError([new Error(from.url)], JSON.stringify(from.url));
          throw new RetrievalError("RETRIEVAL_BACKEND_ERROR", "asked " + from.url, { cause: new Error(from.url) });
        },
      }),
    }),
  ],
});
`;

/** Answers with what it was sent, in every form that a careless service may choose. */
function careless(): Server {
  return createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on("data", (chunk: Buffer) => chunks.push(chunk))
      .on("end", () => {
        const sent = `${request.url} ${Object.values(request.headers).flat().join(" ")} ${Buffer.concat(chunks).toString()}`;
        const told = [sent, encodeURIComponent(sent), Buffer.from(sent).toString("base64"), JSON.stringify(sent)].join(" ");
        const path = (request.url ?? "").replace(/^.*\//u, "/");
        const json = (status: number, body: unknown): void => void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
        if (path === "/status") json(401, { error: { message: `no access: ${told}` } });
        else if (path === "/redirect") response.writeHead(302, { location: `/${encodeURIComponent(sent)}` }).end();
        else if (path === "/text") response.end(told);
        else if (path === "/shape") json(200, { hits: [{ content: 1, score: told, [sent]: told }] });
        else if (path === "/found")
          json(200, {
            hits: [
              { id: "a", content: "found" },
              { id: "b", content: "found too" },
            ],
          });
        else if (path !== "/slow") json(500, { error: told });
      });
  });
}

describe("what comes from outside is never shown", () => {
  const server = careless();
  let env: Record<string, string> = {};

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    env = { ...environment((server.address() as AddressInfo).port), DITTO_SHARED_SANDBOX_ALLOW_NETWORK: "*" };
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Runs commands and returns how each ended, once none of them gave anything away. */
  async function keepsSecrets(cwd: string, commands: readonly (readonly string[])[]): Promise<readonly string[]> {
    const ends: string[] = [];
    for (const args of commands) {
      const [plain, debugged] = await Promise.all(["", "1"].map((debug) => ditto(args, { cwd, env: { ...env, DITTO_DEBUG: debug } })));
      const found = [plain, debugged].flatMap((end) => canariesIn(`${end?.stdout}\n${end?.stderr}`, canaries));
      expect({ args, found }).toEqual({ args, found: [] });
      const shown = args.filter((arg) => !arg.startsWith("-")).join(" ");
      ends.push(`${shown}: ${plain?.code} ${/\b[A-Z]+_[A-Z_]+\b|DITTO\d+/u.exec(plain?.stderr ?? "")?.[0] ?? ""}`.trimEnd());
    }
    return ends;
  }

  test("all fifty are used", () => {
    const text = [opens, wrong, failing("${env:S16} ${env:S17} ${env:S18}", "${env:S13}")].join("");
    for (const name of [...Object.keys(environment(1)), ...Object.keys(files)]) expect(text).toContain(name);
    for (const { core } of canaries) expect(JSON.stringify([environment(1), files]).toLowerCase()).toContain(core.toLowerCase());
  });

  test("by whatever reads a file without opening it", { timeout: 120_000 }, async () => {
    const cwd = folderWith({ "opens.yaml": opens, "wrong.yaml": wrong, ...files, "records.jsonl": "" });
    const formats = ["pretty", "json", "github", "sarif", "junit"].map((format) => ["validate", "opens.yaml", "wrong.yaml", "--format", format]);
    const drawn = ["mermaid", "dot", "json", "svg"].map((format) => ["graph", "opens.yaml", "--format", format]);
    await keepsSecrets(cwd, [
      ...formats,
      ["validate", "wrong.yaml", "--fix"],
      ["validate", "wrong.yaml", "--no-env"],
      ...drawn,
      ...["opens.yaml", "wrong.yaml"].flatMap((file) => [
        ["print", file],
        ["print", file, "--json"],
        ["types", file],
      ]),
      ["plugins"],
      ["plugins", "http"],
      ["schema"],
      ["explain", "DITTO112"],
      ["completion", "bash"],
      ["init", "new"],
    ]);
  });

  test("by whatever runs, however it fails", { timeout: 120_000 }, async () => {
    const record = `${JSON.stringify({ id: "a", body: "a body" })}\n`;
    const cwd = folderWith({ "opens.yaml": opens, ...files, "records.jsonl": record });
    const strategies = [...opens.slice(opens.indexOf("targets:")).matchAll(/^ {6}([a-z]+): \{/gmu)].map(([, name]) => name as string);
    const searches = strategies.map((name) => ["run", "opens.yaml", "-q", "a", "--strategy", name, "--trace", "--json"]);
    expect(
      await keepsSecrets(cwd, [
        ...searches,
        ["run", "opens.yaml", "-q", "a", "--strategy", "hybrid", "--explain"],
        ["run", "opens.yaml", "--input", '{"q": "a"}', "--trace"],
        ["ingest", "opens.yaml", "plain"],
        ["ingest", "opens.yaml", "vectors"],
        ["ingest", "opens.yaml", "vectors-too", "--json"],
        ["copy", "opens.yaml", "kb", "embedded"],
        ["setup", "opens.yaml"],
        ["setup", "opens.yaml", "--apply"],
      ]),
    ).toEqual([
      "run opens.yaml a status: 1 RETRIEVAL_BACKEND_ERROR",
      "run opens.yaml a redirect: 1 RETRIEVAL_BACKEND_ERROR",
      "run opens.yaml a text: 1 RETRIEVAL_INVALID_BACKEND_OUTPUT",
      "run opens.yaml a shape: 1 RETRIEVAL_INVALID_BACKEND_OUTPUT",
      "run opens.yaml a slow: 1 RETRIEVAL_TIMEOUT",
      "run opens.yaml a closed: 1 RETRIEVAL_BACKEND_ERROR",
      "run opens.yaml a nowhere: 1 RETRIEVAL_BACKEND_ERROR",
      "run opens.yaml a vector: 1 RETRIEVAL_BACKEND_ERROR",
      "run opens.yaml a keyword: 1 RETRIEVAL_INVALID_INPUT",
      "run opens.yaml a remote: 1 TRANSPORT_INVALID_RESPONSE",
      "run opens.yaml a reranked: 1 RETRIEVAL_BACKEND_ERROR",
      "run opens.yaml a found: 0",
      "run opens.yaml a hybrid: 0",
      "run opens.yaml a hybrid: 0",
      'run opens.yaml {"q": "a"}: 1 RETRIEVAL_BACKEND_ERROR',
      "ingest opens.yaml plain: 0",
      "ingest opens.yaml vectors: 1 RETRIEVAL_BACKEND_ERROR",
      "ingest opens.yaml vectors-too: 1 RETRIEVAL_BACKEND_ERROR",
      "copy opens.yaml kb embedded: 1 RETRIEVAL_BACKEND_ERROR",
      "setup opens.yaml: 0",
      "setup opens.yaml: 0",
    ]);
  });

  test("by resources that do not open, and files that are not valid", { timeout: 120_000 }, async () => {
    const cwd = folderWith({
      ...files,
      "records.jsonl": `${JSON.stringify({ id: "a", body: "a body" })}\n`,
      "no-folder.yaml": failing("${env:S16}"),
      "folder.yaml": failing("${env:S17}"),
      "garbage.yaml": failing("${env:S18}"),
      "redis.yaml": failing("kb.db", "${env:S13}"),
      "wrong.yaml": wrong,
      [`garbage-${core(18)}`]: "this is no database, however long one reads on in it".repeat(100),
      [`missing`]: "a file where a folder should be",
    });
    mkdirSync(join(cwd, `folder-${core(17)}`));
    expect(
      await keepsSecrets(
        cwd,
        ["no-folder", "folder", "garbage", "redis", "wrong"].flatMap((name) => [
          ["run", `${name}.yaml`, "-q", "a"],
          ["run", `${name}.yaml`, "--input", "{}"],
          ["setup", `${name}.yaml`],
          ["ingest", `${name}.yaml`],
        ]),
      ),
    ).toEqual([
      ...["no-folder", "folder", "garbage"].flatMap((name) => [
        `run ${name}.yaml a: ${name === "no-folder" ? "0" : "1 RETRIEVAL_BACKEND_ERROR"}`,
        `run ${name}.yaml {}: 1 STATE_STORE_UNAVAILABLE`,
        `setup ${name}.yaml: ${name === "no-folder" ? "0" : "1 SQLITE_UNREADABLE"}`,
        `ingest ${name}.yaml: 1 SQLITE_UNREADABLE`,
      ]),
      "run redis.yaml a: 0",
      "run redis.yaml {}: 1 STATE_STORE_UNAVAILABLE",
      "setup redis.yaml: 0",
      "ingest redis.yaml: 0",
      ...["run wrong.yaml a", "run wrong.yaml {}", "setup wrong.yaml", "ingest wrong.yaml"].map((call) => `${call}: 1 DITTO208`),
    ]);
  });

  test("by a plugin that is careless", { timeout: 120_000 }, async () => {
    const cwd = folderWith({
      ...files,
      "ditto.yaml": "plugins: [./careless.mjs]\n",
      "careless.mjs": carelessPlugin,
      "opens.yaml": `version: 1
name: opens
resources: { a: { careless: { url: "\${env:S36}", how: open } } }
targets: { a: { strategies: { a: { careless.search: { from: a } } } } }
`,
      "runs.yaml": `version: 1
name: runs
resources: { a: { careless: { url: "Bearer \${env:S36}", how: run } } }
targets: { a: { strategies: { a: { careless.search: { from: a } } } } }
`,
      ...Object.fromEntries(
        ["run", "error", "type", "text", "many"].map((how) => [
          `${how}.yaml`,
          `version: 1
name: ${how}
resources: { a: { careless: { url: "Bearer \${env:S36}", how: ${how} } } }
targets: { a: { strategies: { a: { careless.search: { from: a } } } } }
graphs:
  ask:
    input: { type: object }
    nodes: { found: { node: RETRIEVAL.SEARCH, input: { target: { name: a }, query: { content: x } } } }
    output: \${ found.status }
`,
        ]),
      ),
    });
    for (const how of ["run", "error", "type", "text", "many"]) {
      const ways = [
        ["-q", "a", "--json"],
        ["-q", "a", "--trace"],
        ["-q", "a", "--explain=b"],
        ["-i", "{}"],
      ];
      await keepsSecrets(
        cwd,
        ways.map((way) => ["run", `${how}.yaml`, ...way]),
      );
    }
    await keepsSecrets(cwd, [
      ["validate", "opens.yaml", "--connect"],
      ["setup", "opens.yaml"],
    ]);
    const shown = await Promise.all(["opens", "runs"].map((name) => ditto(["run", `${name}.yaml`, "-q", "a"], { cwd, env })));
    expect(shown.map(({ stderr }) => stderr)).toEqual([expect.stringContaining("cannot reach ${env:S36}"), expect.stringContaining("asked Bearer ${env:S36}")]);
    expect(
      await keepsSecrets(
        cwd,
        ["opens", "runs"].map((name) => ["run", `${name}.yaml`, "-q", "a", "--trace"]),
      ),
    ).toEqual(["run opens.yaml a: 1 DITTO701", "run runs.yaml a: 1 RETRIEVAL_BACKEND_ERROR"]);
  });
});
