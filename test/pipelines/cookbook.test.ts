import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Collection } from "../../src/contracts/collection.ts";
import { copyCollection } from "../../src/ingest/copy-collection.ts";
import { ingestRecords } from "../../src/ingest/ingest-records.ts";
import { compilePipelineFile } from "../../src/live/compile-file.ts";
import { loadPipeline } from "../../src/live/load-pipeline.ts";
import type { LoadPipelineOptions, Pipeline } from "../../src/live/pipeline.ts";
import type { CompiledIngest } from "../../src/pipeline/model/compiled-ingest.ts";
import { recordedTrace, stepsOf } from "../retrieval/support/recorded-trace.ts";
import { jsonServer } from "../kinds/support/json-server.ts";
import { line } from "../kinds/support/load-text.ts";
import { workerServer } from "../kinds/support/worker-server.ts";
import { contents, found, invoke, write } from "./support/ask.ts";
import { chatCompletions, cohereRerank } from "./support/services.ts";

const folder = join(import.meta.dirname, "../../pipelines");
const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
  (name) => name.endsWith(".yaml") && !name.endsWith(".test.yaml") && !name.startsWith("shared"),
);
const env = { DITTO_SHARED_SANDBOX_ALLOW_NETWORK: "*" };

/** Articles that the tests ask for, of all the samples: few, so that filling is quick. */
const wanted = new Set([
  "reset-password",
  "change-password",
  "refund-policy",
  "cancel-subscription",
  "download-invoices",
  "set-up-two-factor",
  "set-up-saml",
  "compare-plans",
]);

/** A copy of the pipelines in a folder of its own, with few articles; gone after the test. */
function copyPipelines(): string {
  const copy = mkdtempSync(join(tmpdir(), "ditto-cookbook-"));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  for (const name of [...files, "shared/articles.yaml"]) {
    mkdirSync(join(copy, name, ".."), { recursive: true });
    copyFileSync(join(folder, name), join(copy, name));
  }
  const articles = readFileSync(join(folder, "support-articles.jsonl"), "utf8").trim().split("\n");
  let chinese = 0;
  const few = articles.filter((text) => {
    const { id, lang } = JSON.parse(text) as { readonly id: string; readonly lang: string };
    if (lang === "zh") chinese += 1;
    return wanted.has(id) || (lang === "zh" && chinese <= 6);
  });
  writeFileSync(join(copy, "support-articles.jsonl"), `${few.join("\n")}\n`);
  return copy;
}

async function open(name: string, options: LoadPipelineOptions = {}, copy: string = copyPipelines()): Promise<Pipeline> {
  const pipeline = await loadPipeline(join(copy, name), { env, ...options });
  onTestFinished(() => pipeline.close());
  return pipeline;
}

async function ingest(pipeline: Pipeline, copy: string): Promise<void> {
  const { outcome } = await ingestRecords(pipeline.ingests.articles as CompiledIngest, { source: { path: join(copy, "support-articles.jsonl") } });
  expect(outcome).toBe("complete");
}

const titles = async (pipeline: Pipeline, question: string, more?: Parameters<typeof found>[2]): Promise<unknown[]> =>
  (await found(pipeline, question, more)).map(({ metadata }) => metadata?.title);

it.each(files)("%s says what it is for, and nothing about it is doubtful", async (name) => {
  expect(
    readFileSync(join(folder, name), "utf8")
      .split("\n")
      .slice(0, 2)
      .every((text) => text.startsWith("# ")),
  ).toBe(true);
  const { diagnostics } = await compilePipelineFile(join(folder, name), {
    env: { LLM_URL: "http://a.example", COHERE_KEY: "k", API_URL: "http://b.example", ...env },
  });
  expect(diagnostics.map(line)).toEqual([]);
});

it("docs/cookbook.md explains every one of them", () => {
  const page = readFileSync(join(folder, "../docs/cookbook.md"), "utf8");
  expect(files.filter((name) => !page.includes(`pipelines/${name}`))).toEqual([]);
});

describe("hybrid-tenants.yaml", () => {
  it("finds a tenant's articles by filters, and never another tenant's", async () => {
    const copy = copyPipelines();
    const acme = await open("hybrid-tenants.yaml", {}, copy);
    expect(await titles(acme, "refund", { namespace: "acme", limit: 1 })).toEqual(["Refunds: who gets money back, and when"]);
    const langs = (await found(acme, "password", { namespace: "acme", filter: { lang: "zh" } })).map(({ metadata }) => metadata?.lang);
    expect(new Set(langs)).toEqual(new Set(["zh"]));
    expect(await found(acme, "refund", { namespace: "acme", filter: { updated: { gte: "2999-01-01T00:00:00Z" } } })).toEqual([]);
    expect(await found(acme, "refund", { namespace: "globex" })).toEqual([]);
    const globex = await open("hybrid-tenants.yaml", { vars: { tenant: "globex" } }, copy);
    await ingest(globex, copy);
    expect((await found(globex, "refund", { namespace: "globex", limit: 1 }))[0]?.metadata).toMatchObject({ tenant: "globex" });
    expect((await globex.search({ query: { content: "refund" } })).error?.code).toBe("RETRIEVAL_INVALID_INPUT");
  });
});

describe("agent-memory.yaml", () => {
  it("remembers for each user and recalls what is relevant", async () => {
    const pipeline = await open("agent-memory.yaml");
    const remember = (user: string, fact: string, importance?: number) =>
      pipeline.run({ user, fact, ...(importance === undefined ? {} : { importance }) }, { graph: "remember" });
    await remember("ada", "Ada prefers trains over planes", 0.8);
    await remember("ada", "Ada is allergic to peanuts");
    await remember("bo", "Bo prefers planes");
    const recalled = (await pipeline.run({ user: "ada", question: "How does she like to travel?" }, { graph: "recall" })) as unknown as {
      readonly fact: string;
    }[];
    expect(recalled[0]?.fact).toBe("Ada prefers trains over planes");
    expect(recalled.map(({ fact }) => fact)).not.toContain("Bo prefers planes");
  });

  it("prefers the newer of two equal memories and still finds the only relevant old one", async () => {
    const pipeline = await open("agent-memory.yaml");
    const ago = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
    await write(pipeline, "memories", [
      { content: "Ada prefers trains", metadata: { user: "ada", createdAt: ago(90) } },
      { content: "Ada prefers trains", metadata: { user: "ada", createdAt: ago(1) } },
      { content: "Ada's cat is called Miso", metadata: { user: "ada", createdAt: ago(300) } },
      { content: "Ada wants short answers", metadata: { user: "ada", createdAt: ago(2) } },
    ]);
    const hits = await found(pipeline, "trains or planes?", { namespace: "ada", limit: 4 });
    const [newer, older] = hits.filter(({ content }) => content === "Ada prefers trains");
    expect(Date.parse(String(newer?.metadata?.createdAt))).toBeGreaterThan(Date.parse(String(older?.metadata?.createdAt)));
    expect(await contents(pipeline, "What is her cat called?", { namespace: "ada", limit: 4 })).toContain("Ada's cat is called Miso");
  });
});

describe("several-collections.yaml", () => {
  it("answers from articles, solved tickets and notes at once", async () => {
    const copy = copyPipelines();
    const pipeline = await open("several-collections.yaml", {}, copy);
    await write(pipeline, "tickets", [
      { content: "Refund took three weeks, solved by finance", metadata: { status: "closed" } },
      { content: "Refund is late", metadata: { status: "open" } },
    ]);
    await write(pipeline, "notes", ["Customer asked for a refund on Monday"]);
    const hits = await found(pipeline, "refund");
    expect(new Set(hits.map(({ source }) => source?.target))).toEqual(new Set(["articles", "tickets", "notes"]));
    expect(hits.map(({ content }) => content)).not.toContain("Refund is late");
  });
});

describe("chunks-to-parents.yaml", () => {
  it("searches chunks and answers with whole documents, each once", async () => {
    const pipeline = await open("chunks-to-parents.yaml");
    const hits = await found(pipeline, "How long is the link to reset the password valid?", { limit: 3 });
    expect(hits[0]).toMatchObject({
      id: "reset-password",
      source: { target: "documents" },
      metadata: { title: "Reset your password when you cannot sign in" },
    });
    expect(String(hits[0]?.content).length).toBeGreaterThan(250);
    expect(new Set(hits.map(({ id }) => id)).size).toBe(hits.length);
  });
});

describe("query-expansion.yaml", () => {
  it("searches in the words of the articles as well", async () => {
    const pipeline = await open("query-expansion.yaml");
    const { output } = await pipeline.search({ query: { content: "Money back for my 2FA" }, limit: 3 });
    expect(output?.metadata).toMatchObject({ fusion: { branches: [{}, {}, {}] } });
    expect(output?.candidates.map(({ metadata }) => metadata?.title)).toContain("Refunds: who gets money back, and when");
    expect((await pipeline.search({ query: { content: "plans" } })).output?.metadata).toMatchObject({ fusion: { branches: [{}] } });
  });
});

describe("language-routing.yaml", () => {
  it("answers a question in its own language", async () => {
    const pipeline = await open("language-routing.yaml");
    const langs = async (question: string): Promise<Set<unknown>> => new Set((await found(pipeline, question)).map(({ metadata }) => metadata?.lang));
    expect(await langs("怎么重置密码")).toEqual(new Set(["zh"]));
    expect(await langs("reset my password")).toEqual(new Set(["en"]));
  });
});

describe("rerank-with-fallback.yaml", () => {
  it("reranks, and keeps the words' order where there is no time for it", async () => {
    const copy = copyPipelines();
    const pipeline = await open("rerank-with-fallback.yaml", {}, copy);
    const ranked = await pipeline.search({ query: { content: "refund" }, limit: 1 });
    expect(ranked.output?.candidates[0]?.metadata?.title).toBe("Refunds: who gets money back, and when");
    expect(ranked.output?.metadata?.degraded).toBeUndefined();
    const hurried = await open("rerank-with-fallback.yaml", { vars: { rerankMs: 1 } }, copy);
    const { output } = await hurried.search({ query: { content: "refund for the subscription" }, limit: 2 });
    expect(output?.candidates.length).toBeGreaterThan(0);
    expect(output?.metadata?.degraded).toMatchObject([{ step: "by meaning", code: "RETRIEVAL_TIMEOUT" }]);
  });
});

describe("environments.yaml", () => {
  it("opens another database and asks for a larger pool in production", async () => {
    const copy = copyPipelines();
    const here = await open("environments.yaml", {}, copy);
    expect(here.plan.vars).toEqual({ pool: 20 });
    expect(await titles(here, "refund", { limit: 1 })).toEqual(["Refunds: who gets money back, and when"]);
    const production = await open("environments.yaml", { profile: "production", env: { ...env, KB_FILE: join(copy, "production.db") }, fill: false }, copy);
    expect(production.plan.vars).toEqual({ pool: 200 });
    expect(await found(production, "refund")).toEqual([]);
    await expect(open("environments.yaml", { profile: "production" }, copy)).rejects.toMatchObject({
      code: "PIPELINE_INVALID",
      message: expect.stringContaining("the production database"),
    });
  });

  it("takes another kind of encoder where a profile says so", async () => {
    const server = await jsonServer(({ body }) => ({
      data: body.input.map((text: string, index: number) => ({
        index,
        embedding: Array.from({ length: 1024 }, (_, at) => (at === text.length % 1024 ? 1 : 0.001)),
      })),
    }));
    const pipeline = await open("environments.yaml", { profile: "hosted-model", env: { ...env, EMBEDDING_URL: server.origin, EMBEDDING_KEY: "k" } });
    expect((await found(pipeline, "refund")).length).toBeGreaterThan(0);
    expect(server.requests.length).toBeGreaterThan(1);
  });
});

describe("experiment.yaml", () => {
  it("gives a user the same weights every time", async () => {
    const pipeline = await open("experiment.yaml");
    const branch = async (user: string): Promise<string | undefined> => {
      const trace = recordedTrace();
      await pipeline.search({ query: { content: "refund", metadata: { user } } }, { trace });
      return stepsOf(trace).find((step) => /^branch:(control|candidate)$/.test(step));
    };
    const users = Array.from({ length: 30 }, (_, index) => `user-${index}`);
    const first = await Promise.all(users.map(branch));
    expect(await Promise.all(users.map(branch))).toEqual(first);
    expect(new Set(first)).toEqual(new Set(["branch:control", "branch:candidate"]));
  });
});

describe("chat-turn.yaml", () => {
  it("gathers facts and articles within the budget and keeps the working set", async () => {
    const pipeline = await open("chat-turn.yaml");
    expect(await pipeline.run({ user: "ada", fact: "Ada is on the Business plan" }, { graph: "remember" })).toBe(1);
    expect(await pipeline.run({ user: "bo", fact: "Bo is on the Free plan" }, { graph: "remember" })).toBe(1);
    const turn = (await pipeline.run({ user: "ada", session: "s1", message: "Can I get a refund?" }, { graph: "turn" })) as unknown as {
      readonly items: string[];
      readonly kept: number;
    };
    expect(turn.items).toContain("article:refund-policy");
    expect(turn.items.filter((id) => id.startsWith("memory:"))).toHaveLength(1);
    expect(turn.kept).toBe(turn.items.length);
  });
});

describe("ingest-and-re-embed.yaml", () => {
  it("writes both sides, copies what was there before, and removes by filter", async () => {
    const copy = copyPipelines();
    const pipeline = await open("ingest-and-re-embed.yaml", {}, copy);
    const [articles, next] = ["articles", "articles-next"].map((name) => pipeline.resource(name) as Collection) as [Collection, Collection];
    await articles.records.replace([
      { id: "old", hash: "", parts: [{ id: "old", content: "An article from before", metadata: { title: "Old", product: "mobile" } }] },
    ]);
    await ingest(pipeline, copy);
    expect(await next.records.count()).toBe((await articles.records.count()) - 1);
    const report = await copyCollection(articles, next);
    expect(report).toMatchObject({ outcome: "complete", written: 1 });
    expect(await next.records.count()).toBe(await articles.records.count());
    expect((await titles(pipeline, "refund", { limit: 1 }))[0]).toBe("Refunds: who gets money back, and when");
    expect(await articles.records.removeWhere({ product: "mobile" })).toBeGreaterThan(0);
  });
});

describe("remote-worker.yaml", () => {
  it("asks the other process, and answers from here where that one is away", async () => {
    const copy = copyPipelines();
    const host = await open("experiment.yaml", {}, copy);
    const server = await workerServer(host.workers);
    const there = { SEARCH_HOST_URL: server.url, SEARCH_HOST_TOKEN: server.token };
    const pipeline = await open("remote-worker.yaml", { env: { ...env, ...there } }, copy);
    await write(pipeline, "notes", ["A note about a refund"]);
    expect(await titles(pipeline, "refund", { limit: 1 })).toEqual(["Refunds: who gets money back, and when"]);
    expect(await pipeline.run({ question: "refund" })).toMatchObject({
      notes: ["A note about a refund"],
      articles: [expect.stringContaining("Refunds"), expect.anything(), expect.anything()],
    });

    const alone = await open("remote-worker.yaml", { env: { ...env, SEARCH_HOST_URL: "http://127.0.0.1:9" } }, copy);
    const { output } = await alone.search({ query: { content: "refund" } });
    expect(output?.candidates.map(({ content }) => content)).toEqual(["A note about a refund"]);
    expect(output?.metadata?.degraded).toMatchObject([{ step: "far" }]);
    expect(await alone.run({ question: "refund" })).toEqual({ articles: [], notes: ["A note about a refund"] });
  });
});

describe("no-answer.yaml", () => {
  it("answers what the articles can answer, and says so where they cannot", async () => {
    const pipeline = await open("no-answer.yaml");
    const answered = (await pipeline.run({ question: "How do I reset my password?" })) as unknown as {
      readonly answerable: boolean;
      readonly items: readonly { readonly id: string }[];
    };
    expect(answered.answerable).toBe(true);
    expect(answered.items.map(({ id }) => id)).toContain("reset-password");
    expect(await pipeline.run({ question: "Which enzymes break down cellulose in termites?" })).toEqual({ answerable: false, items: [] });
  });
});

describe("quickstart.yaml", () => {
  it("finds by meaning and by words, and hands memories to the context", async () => {
    const pipeline = await open("quickstart.yaml");
    expect((await titles(pipeline, "I can't get in", { limit: 3 })).some((title) => /password|sign in/.test(String(title)))).toBe(true);
    expect(await pipeline.run({ question: "How do refunds work?" })).toMatchObject([{ id: "memory:refund-policy" }, {}, {}, {}, {}]);
    expect((await invoke(pipeline, "MEMORY.GET", { ids: ["refund-policy"] })).output).toHaveLength(1);
  });
});

describe("services/model-expansion.yaml", () => {
  it("searches for the model's queries, and for the question alone without the model", async () => {
    const copy = copyPipelines();
    await open("quickstart.yaml", {}, copy);
    const llm = await chatCompletions(() => '{"queries": ["refund", "money back"]}');
    const pipeline = await open("services/model-expansion.yaml", { env: { ...env, LLM_URL: llm.origin } }, copy);
    const { output } = await pipeline.search({ query: { content: "They should pay me back" }, limit: 1 });
    expect(output?.candidates[0]?.id).toBe("refund-policy");
    const alone = await open("services/model-expansion.yaml", { env: { ...env, LLM_URL: "http://127.0.0.1:9" } }, copy);
    expect((await alone.search({ query: { content: "refund" } })).output?.metadata?.degraded).toMatchObject([
      { step: "expanded", code: "RETRIEVAL_BACKEND_ERROR" },
    ]);
  });
});

describe("services/hosted-rerank.yaml", () => {
  it("orders by the service, and by words without it", async () => {
    const copy = copyPipelines();
    await open("quickstart.yaml", {}, copy);
    const service = await cohereRerank();
    const pipeline = await open("services/hosted-rerank.yaml", { env: { ...env, COHERE_URL: service.origin, COHERE_KEY: "k" } }, copy);
    expect((await found(pipeline, "refund"))[0]?.score).toBeGreaterThan(0.1);
    const alone = await open("services/hosted-rerank.yaml", { env: { ...env, COHERE_URL: "http://127.0.0.1:9", COHERE_KEY: "k" } }, copy);
    expect((await alone.search({ query: { content: "refund" } })).output?.metadata?.degraded).toMatchObject([{ code: "RETRIEVAL_BACKEND_ERROR" }]);
  });
});

describe("services/search-api.yaml", () => {
  it("fuses what the service finds with what is here", async () => {
    const copy = copyPipelines();
    await open("quickstart.yaml", {}, copy);
    const api = await jsonServer(() => ({ hits: [{ id: 7, text: "Refunds, from elsewhere", score: 12.5 }] }));
    const pipeline = await open("services/search-api.yaml", { env: { ...env, API_URL: api.origin } }, copy);
    const hits = await found(pipeline, "refund", { filter: { lang: "en" } });
    expect(hits.map(({ source, id }) => `${source?.target}/${id}`)).toEqual(expect.arrayContaining(["api/7", "articles/refund-policy"]));
    expect(api.requests[0]?.body).toMatchObject({ q: "refund", where: { lang: "en" } });
  });
});
