import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Hono } from "hono";
import type { ServeSettings } from "../../../src/configuration/load-serve-settings.ts";
import type { ServeToken } from "../../../src/configuration/read-tokens.ts";
import { RetrievalError } from "../../../src/contracts/retrieval-error.ts";
import type { LivePipelines } from "../../../src/live/live-pipelines.ts";
import { watchPipelines } from "../../../src/live/watch-pipelines.ts";
import { defineKind, definePlugin } from "../../../src/plugin/define-plugin.ts";
import type { PluginDefinition } from "../../../src/plugin/plugin-definition.ts";
import { authenticator } from "../../../src/serve/caller.ts";
import { createApp } from "../../../src/serve/create-app.ts";
import { ReloadLedger } from "../../../src/serve/reload-ledger.ts";
import type { SearchEvent } from "../../../src/serve/search-log.ts";
import { serveLog } from "../../../src/serve/serve-log.ts";
import { createServeMetrics } from "../../../src/serve/serve-metrics.ts";
import type { ServeEnv } from "../../../src/serve/serve-parts.ts";

/** A served folder, without a socket. */
export interface ServedApp {
  readonly app: Hono<ServeEnv>;
  readonly live: LivePipelines;
  readonly folder: string;
  /** What was logged, a JSON object each. */
  readonly logged: Record<string, unknown>[];
  readonly searches: SearchEvent[];
  readonly ending: AbortController;
  readonly state: { draining: boolean; settings: ServeSettings; loopbackOnly: boolean };
  /** Posts JSON and reads the answer. */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  close(): Promise<void>;
}

/** An answer, read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any;
}

/** Settings as they are built in. */
const plainSettings: ServeSettings = {
  host: "127.0.0.1",
  port: 0,
  timeoutMs: 10_000,
  drainMs: 10_000,
  maxBodyBytes: 100_000,
  concurrency: 100,
  origins: [],
  tokens: [],
  workers: {},
};

/** A token of a test. */
export function token(name: string, more: Partial<Omit<ServeToken, "reveal" | "name">> = {}): ServeToken {
  return { name, reveal: () => `${name}-secret`, pipelines: undefined, namespace: undefined, allow: ["search", "run"], ...more };
}

/** The header that brings it. */
export function bearer(name: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${name}-secret` };
}

/** Serves files from a folder of its own. */
export async function serveApp(
  files: Readonly<Record<string, string>>,
  settings: Partial<ServeSettings> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<ServedApp> {
  const folder = mkdtempSync(join(tmpdir(), "ditto-serve-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const logged: Record<string, unknown>[] = [];
  const searches: SearchEvent[] = [];
  const log = serveLog((line) => logged.push(JSON.parse(line) as Record<string, unknown>));
  const metrics = await createServeMetrics({ generations: () => ({}), runningByPipeline: () => ({}), resources: () => live.status().resources });
  const ledger = new ReloadLedger(log, metrics);
  const live = await watchPipelines(folder, { plugins: [probe], env, onEvent: (event) => ledger.tell(event) });
  const ending = new AbortController();
  const state = { draining: false, settings: { ...plainSettings, ...settings }, loopbackOnly: false };
  const app = await createApp({
    live,
    access: () => ({ settings: state.settings, authenticate: authenticator(state.settings.tokens), loopbackOnly: state.loopbackOnly }),
    metrics,
    ledger,
    log,
    onSearch: (event) => searches.push(event),
    ending: ending.signal,
    draining: () => state.draining,
  });
  const ask = async (path: string, init: RequestInit): Promise<Answer> => {
    const response = await app.request(path, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text.startsWith("{") ? JSON.parse(text) : text };
  };
  return {
    app,
    live,
    folder,
    logged,
    searches,
    ending,
    state,
    post: (path, body, headers = {}) => {
      const content = typeof body === "string" ? body : JSON.stringify(body);
      return ask(path, { method: "POST", body: content, headers: { "content-type": "application/json", ...headers } });
    },
    get: (path, headers = {}) => ask(path, { headers }),
    close: async () => {
      await live.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Searches that wait for their end, and what they told of it. */
export const waiting: { started: () => void; readonly ended: unknown[] } = { started: () => {}, ended: [] };

/** A search that does as the query says: fails with the code, waits until it is told to stop, or finds one thing. */
const probe: PluginDefinition = definePlugin({
  name: "probe",
  apiVersion: 1,
  kinds: [
    defineKind<"search", { readonly name?: string }>({
      kind: "probe",
      role: "search",
      summary: "Does as the query says.",
      schema: { type: "object", additionalProperties: false, properties: {} },
      example: {},
      describe: () => ({ reaches: [undefined] }),
      create: () => ({
        search: async ({ query, target }, context) => {
          const text = String(query.content);
          if (text === "wait") return untilAborted(context?.signal);
          if (text === "break") throw new TypeError("postgres://user:hunter2@db");
          if (/^[A-Z_]+$/u.test(text)) throw new RetrievalError(text, "It failed", { retryAfterMs: 2500 });
          return { candidates: [{ id: "one", content: target.namespace ?? "no namespace", score: 1 }], target };
        },
      }),
    }),
  ],
});

function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener("abort", () => {
      waiting.ended.push(signal.reason);
      reject(signal.reason as Error);
    });
    waiting.started();
  });
}

/** Searches through the probe. */
export const probePipeline: string = `version: 1
name: probe
targets:
  things: { default: probe, strategies: { probe: { probe: {} } } }
  others: { default: other, strategies: { other: { probe: {} }, third: { probe: {} } } }
graphs:
  find:
    input: { type: object, required: [text], additionalProperties: false, properties: { text: { type: string }, n: { type: integer, maximum: 3 } } }
    nodes: { search: { node: RETRIEVAL.SEARCH, input: { query: { content: "\${ input.text }" }, target: { name: things } } } }
    output: "\${ size(search.output.candidates) }"
`;

/** One collection for several tenants, filled; \`by-filter\` takes the scope from where a caller can write. */
export const tenantFiles: Readonly<Record<string, string>> = {
  "tenants.yaml": `version: 1
name: tenants
resources:
  db: { sqlite: { file: tenants.db } }
  notes: { sqlite.collection: { database: db, namespace: tenant, fields: { topic: { type: string } } } }
ingest:
  notes:
    into: notes
    input: { type: object, required: [id, tenant, text], properties: { id: { type: string }, tenant: { type: string }, text: { type: string } } }
    id: \${ input.id }
    content: \${ input.text }
    metadata: { tenant: "\${ input.tenant }" }
    records: notes.jsonl
    fill: true
targets:
  notes:
    default: keyword
    strategies:
      keyword: { text: { collection: notes } }
      by-query: { rewrite: { search: keyword, namespace: "\${ coalesce(query.?metadata.?tenant, 'none') }" } }
memory: { store: notes, search: notes/keyword }
graphs:
  recall:
    input: { type: object, required: [question, tenant], properties: { question: { type: string }, tenant: { type: string } } }
    nodes: { search: { node: MEMORY.SEARCH, input: { query: "\${ input.question }", filter: { tenant: "\${ input.tenant }" } } } }
    output: "\${ search.output.map(h, text(h.memory.content)) }"
  remember:
    input: { type: object, required: [text, tenant], properties: { text: { type: string }, tenant: { type: string } } }
    nodes: { write: { node: MEMORY.WRITE, input: { memories: [{ content: "\${ input.text }", metadata: { tenant: "\${ input.tenant }" } }] } } }
    output: "\${ size(write.output) }"
`,
  "notes.jsonl": [
    { id: "a1", tenant: "acme", text: "the acme refund rule" },
    { id: "u1", tenant: "umbrella", text: "the umbrella refund secret" },
  ]
    .map((record) => `${JSON.stringify(record)}\n`)
    .join(""),
};
