import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ContextItem } from "../../src/contracts/context.ts";
import type { RetrievalSearchProvider } from "../../src/contracts/retrieval.ts";
import { createHttpConnection } from "../../src/kinds/http/http-connection.ts";
import { compilePipelineFile } from "../../src/live/compile-file.ts";
import { createRetrievalWorker } from "../../src/retrieval/create-retrieval-worker.ts";
import { createHybridSearchProvider } from "../../src/retrieval/providers/hybrid.ts";
import { RetrievalTargetRegistry } from "../../src/retrieval/retrieval-target-registry.ts";
import { createDitto } from "../../src/runtime/create-ditto.ts";
import { createHttpTransport } from "../../src/runtime/transport/create-http-transport.ts";
import { recordedTrace, stepsOf } from "../retrieval/support/recorded-trace.ts";
import { line } from "../kinds/support/load-text.ts";
import { workerServer } from "../kinds/support/worker-server.ts";
import { contents, found, invoke, write } from "./support/ask.ts";
import { fixtureFolder, loadFixture } from "./support/load-fixture.ts";
import { chatCompletions, cohereRerank, openAiEmbeddings } from "./support/services.ts";

const allowAll = { DITTO_SHARED_SANDBOX_ALLOW_NETWORK: "*" };
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

describe("02-memory-decay.yaml", () => {
  async function memories() {
    const pipeline = await loadFixture("02-memory-decay.yaml");
    await write(pipeline, "memories", [
      { content: "The user prefers trains over planes", metadata: { createdAt: daysAgo(200), importance: 0.5 } },
      { content: "The user prefers trains over planes", metadata: { createdAt: daysAgo(1), importance: 0.5 } },
      { content: "The user's cat is called Miso", metadata: { createdAt: daysAgo(300) } },
      { content: "The user works as a nurse in Leeds", metadata: { createdAt: daysAgo(2) } },
      { content: "The user wants shorter answers", metadata: { createdAt: daysAgo(3), importance: 0.9 } },
    ]);
    return pipeline;
  }

  it("prefers the newer of two equal memories", async () => {
    const hits = await found(await memories(), "Does the user like trains or planes?");
    expect(hits[0]).toMatchObject({ content: "The user prefers trains over planes" });
    const [newer, older] = hits.filter(({ content }) => String(content).includes("trains"));
    expect(Date.parse(String(newer?.metadata?.createdAt))).toBeGreaterThan(Date.parse(String(older?.metadata?.createdAt)));
  });

  it("still finds the only relevant old one", async () => {
    const all = await contents(await memories(), "What is the name of the user's cat?", { limit: 5 });
    expect(all).toContain("The user's cat is called Miso");
  });

  it("serves MEMORY.SEARCH by the decayed strategy alone", async () => {
    const pipeline = await memories();
    const result = await invoke(pipeline, "MEMORY.SEARCH", { query: "trains or planes", limit: 2 });
    expect(result.output?.[0]?.memory).toMatchObject({ content: "The user prefers trains over planes", metadata: { importance: 0.5 } });
    expect((await invoke(pipeline, "MEMORY.SEARCH", { query: "trains", strategy: "keyword" })).status).toBe("failed");
  });
});

describe("03-multi-collection.yaml", () => {
  it("answers from several collections at once; equal ids of different ones never merge", async () => {
    const pipeline = await loadFixture("03-multi-collection.yaml");
    await write(pipeline, "kb", ["How to request a refund", "How to reset a password"]);
    await write(pipeline, "tickets", [
      { content: "Refund took four weeks", metadata: { status: "closed" } },
      { content: "Refund is still open", metadata: { status: "open" } },
    ]);
    await write(pipeline, "chat", ["You asked about a refund yesterday"]);
    const hits = await found(pipeline, "refund");
    expect(hits.map(({ content }) => content)).toEqual(
      expect.arrayContaining(["How to request a refund", "Refund took four weeks", "You asked about a refund yesterday"]),
    );
    expect(hits.map(({ content }) => content)).not.toContain("Refund is still open");
    expect(new Set(hits.map(({ source }) => source?.target))).toEqual(new Set(["kb", "tickets", "chat"]));

    const { output } = await invoke(pipeline, "MEMORY.SEARCH", { query: "refund", limit: 3 });
    expect(output?.map(({ memory }) => memory.id.split(":")[0])).toEqual(expect.arrayContaining(["kb"]));
  });
});

describe("05-rag-fusion.yaml", () => {
  const articles = ["Refunds arrive within five days", "How to get your money back for an order", "Change the colour of the interface"];

  it("searches for the model's queries beside the question", async () => {
    const llm = await chatCompletions(() => '{"queries": ["money back", "refund duration", "order return"]}');
    const pipeline = await loadFixture("05-rag-fusion.yaml", { env: { LLM_URL: llm.origin, LLM_KEY: "k", ...allowAll } });
    await write(pipeline, "kb", articles);
    const { output } = await pipeline.search({ query: { content: "refund" }, limit: 2 });
    expect(output?.candidates.map(({ content }) => content)).toEqual(expect.arrayContaining(articles.slice(0, 2)));
    expect(output?.metadata).toMatchObject({ fusion: { branches: [{}, {}, {}, {}] } });
    expect(llm.requests[0]).toMatchObject({
      url: "/v1/chat/completions",
      body: { model: "small", response_format: { type: "json_object" } },
      headers: { authorization: "Bearer k" },
    });
  });

  it.each([
    ["says something else", () => "Here are three queries:"],
    ["says too much", () => JSON.stringify({ queries: Array(6).fill("a") })],
    ["says nothing in time", () => undefined],
  ])("searches by vectors alone where the model %s, and says so", async (_, say) => {
    const llm = await chatCompletions(say);
    const pipeline = await loadFixture("05-rag-fusion.yaml", { env: { LLM_URL: llm.origin, LLM_KEY: "k", ...allowAll } });
    await write(pipeline, "kb", articles);
    const { output } = await pipeline.search({ query: { content: "refund" }, limit: 2 });
    expect(output?.candidates).toHaveLength(2);
    expect(output?.metadata?.degraded).toEqual([
      { step: "fusion", code: expect.stringMatching(/INVALID_BACKEND_OUTPUT|TIMEOUT/), elapsedMs: expect.any(Number) },
    ]);
  });
});

describe("06-mmr.yaml", () => {
  it("prefers what is unlike the rest to the same again", async () => {
    const pipeline = await loadFixture("06-mmr.yaml");
    const same = ["Refunds take five days", "A refund takes five days", "Refunds take about five days"];
    await write(pipeline, "kb", [...same, "You can pay by card or invoice"]);
    const plain = await contents(pipeline, "How long do refunds take?", { strategy: "vector", limit: 3 });
    expect(plain).toEqual(expect.arrayContaining(same));
    const diverse = await contents(pipeline, "How long do refunds take?", { limit: 2 });
    expect(same).toContain(diverse[0]);
    expect(new Set(diverse).size).toBe(2);
  });
});

describe("07-no-answer.yaml", () => {
  it("refuses a question that the collection cannot answer, and answers one that it can", async () => {
    const pipeline = await loadFixture("07-no-answer.yaml");
    await write(pipeline, "kb", [
      "To reset your password, open the sign-in page and choose Forgot password. We send you a link by email.",
      "Refunds are paid to the original card within five working days after we receive the return.",
      "Invoices can be downloaded as PDF files under Billing, where you also change your VAT number.",
    ]);
    const answered = (await pipeline.run({ question: "How do I reset my password?" })) as unknown as {
      readonly answerable: boolean;
      readonly items: readonly ContextItem[];
    };
    expect(answered.answerable).toBe(true);
    expect(String(answered.items[0]?.content)).toContain("Forgot password");
    expect(await pipeline.run({ question: "Which enzymes break down cellulose in termites?" })).toEqual({ answerable: false, items: [] });
    await expect(pipeline.run({ question: 7 })).rejects.toMatchObject({ code: "PIPELINE_INVALID_INPUT" });
  });
});

describe("08-route.yaml", () => {
  it("asks the collection of the question's language", async () => {
    const bge = await openAiEmbeddings();
    const pipeline = await loadFixture("08-route.yaml", { env: { EMB_URL: bge.origin, ...allowAll } });
    await write(pipeline, "en", ["How to request a refund"]);
    await write(pipeline, "zh", ["如何申请退款"]);
    expect(await contents(pipeline, "refund")).toEqual(["How to request a refund"]);
    expect(bge.requests).toHaveLength(1);
    expect(await contents(pipeline, "退款要多久")).toEqual(["如何申请退款"]);
    expect(bge.requests.at(-1)?.body).toMatchObject({ model: "bge-zh", input: ["退款要多久"] });
  });
});

describe("09-http-rerank.yaml", () => {
  const articles = ["Refunds", "Refunds are paid within five days", "Refund"];
  const env = { COHERE_KEY: "sk-1", DITTO_SHARED_SANDBOX_ALLOW_NETWORK: "https://api.cohere.com" };

  it("orders the pool by the service", async () => {
    const service = await cohereRerank();
    const cohere = createHttpConnection({ url: service.origin, bearer: "sk-1", timeoutMs: 1000, maxBodyBytes: 10_000, sandbox: { assert: () => undefined } });
    const pipeline = await loadFixture("09-http-rerank.yaml", { env, resources: { cohere } });
    await write(pipeline, "kb", articles);
    const hits = await found(pipeline, "refund", { limit: 2 });
    expect(hits.map(({ content, score }) => [content, score])).toEqual([
      ["Refunds are paid within five days", 0.033],
      ["Refunds", 0.007],
    ]);
    expect(service.requests[0]).toMatchObject({
      url: "/v2/rerank",
      body: { model: "rerank-v3.5", query: "refund", top_n: 2, documents: expect.arrayContaining(articles) },
    });
  });

  it("keeps the vector order, without scores, where the service fails, and says so", async () => {
    const cohere = createHttpConnection({ url: "http://127.0.0.1:9", timeoutMs: 1000, maxBodyBytes: 10_000, sandbox: { assert: () => undefined } });
    const pipeline = await loadFixture("09-http-rerank.yaml", { env, resources: { cohere } });
    await write(pipeline, "kb", articles);
    const { output } = await pipeline.search({ query: { content: "refund" }, limit: 2 });
    expect(output?.candidates.map(({ score }) => score)).toEqual([undefined, undefined]);
    expect(output?.metadata?.degraded).toMatchObject([{ code: "RETRIEVAL_BACKEND_ERROR" }]);
  });

  it("opens where the Sandbox allows the service, and is told before anything runs where it does not", async () => {
    await loadFixture("09-http-rerank.yaml", { env });
    const { diagnostics } = await compilePipelineFile(join(fixtureFolder, "09-http-rerank.yaml"), { env: { COHERE_KEY: "sk-1" } });
    expect(diagnostics.map(line)).toEqual(["7:26 DITTO323 the Sandbox does not allow https://api.cohere.com"]);
  });
});

describe("10-environments.yaml", () => {
  it("searches the file's own collection without a profile", async () => {
    const pipeline = await loadFixture("10-environments.yaml");
    await write(pipeline, "kb", [
      { content: "How to request a refund", metadata: { lang: "en" } },
      { content: "So beantragen Sie eine Erstattung", metadata: { lang: "de" } },
    ]);
    expect(await contents(pipeline, "refund", { filter: { lang: "de" } })).toEqual(["So beantragen Sie eine Erstattung"]);
  });
});

describe("11-ab.yaml", () => {
  it("sends a user to the same branch every time, and users to both", async () => {
    const pipeline = await loadFixture("11-ab.yaml");
    await write(pipeline, "kb", ["How to request a refund"]);
    const branchOf = async (user: string): Promise<string | undefined> => {
      const trace = recordedTrace();
      await pipeline.search({ query: { content: "refund", metadata: { user } } }, { trace });
      return stepsOf(trace).find((step) => /^branch:(control|candidate)$/.test(step));
    };
    const users = Array.from({ length: 40 }, (_, index) => `user-${index}`);
    const first = await Promise.all(users.map(branchOf));
    expect(await Promise.all(users.map(branchOf))).toEqual(first);
    const share = first.filter((branch) => branch === "branch:candidate").length;
    expect(share).toBeGreaterThan(0);
    expect(share).toBeLessThan(12);
  });
});

describe("13-chat-turn.yaml", () => {
  it("remembers for each user and never shows one user's facts to another", async () => {
    const pipeline = await loadFixture("13-chat-turn.yaml");
    await pipeline.run({ user: "ada", fact: "Ada is allergic to peanuts" }, { graph: "remember" });
    await pipeline.run({ user: "ada", fact: "Ada lives in Porto" }, { graph: "remember" });
    const [written] = (await pipeline.run({ user: "bo", fact: "Bo loves peanuts" }, { graph: "remember" })) as unknown as [{ readonly id: string }];
    expect(written.id).not.toBe("");
    const recall = async (user: string, message: string): Promise<unknown[]> =>
      ((await pipeline.run({ user, message }, { graph: "recall" })) as unknown as ContextItem[]).map(({ content }) => content);
    const ada = await recall("ada", "What about peanuts?");
    expect(ada).toEqual(expect.arrayContaining(["Ada is allergic to peanuts", "Ada lives in Porto"]));
    expect(ada).not.toContain("Bo loves peanuts");
    expect(await recall("bo", "What about peanuts?")).toEqual(["Bo loves peanuts"]);
    expect(await recall("cy", "What about peanuts?")).toEqual([]);
  });
});

describe("14-remote.yaml", () => {
  /** A process that serves a target `kb` with a strategy `hybrid`. */
  async function host() {
    const pipeline = await loadFixture("11-ab.yaml");
    await write(pipeline, "kb", ["How to request a refund", "How to reset a password"]);
    const { vector, keyword } = pipeline.providers.kb as Record<string, RetrievalSearchProvider>;
    const hybrid = createHybridSearchProvider({
      branches: [
        { provider: vector as RetrievalSearchProvider, strategy: "vector" },
        { provider: keyword as RetrievalSearchProvider, strategy: "keyword" },
      ],
    });
    return workerServer([createRetrievalWorker({ providers: new RetrievalTargetRegistry({ kb: { defaultStrategy: "hybrid", providers: { hybrid } } }) })]);
  }

  it("searches through a worker in another process", async () => {
    const server = await host();
    const pipeline = await loadFixture("14-remote.yaml", { env: { KB_URL: server.url, KB_TOKEN: server.token } });
    const { output } = await pipeline.search({ query: { content: "refund" }, limit: 1 });
    expect(output).toMatchObject({ strategy: "far", target: { name: "kb" }, candidates: [{ content: "How to request a refund" }] });
    expect(server.calls).toEqual(["RETRIEVAL.SEARCH"]);
  });

  it("delegates MEMORY.SEARCH to it, also on an application's own Runtime", async () => {
    const server = await host();
    const pipeline = await loadFixture("14-remote.yaml", { env: { KB_URL: server.url, KB_TOKEN: server.token } });
    const runtime = createDitto({ workers: pipeline.workers, transports: [createHttpTransport({ id: "http", url: server.url, token: server.token })] });
    runtime.registerRemote({
      address: { hostId: "far", processId: "1", workerId: "search-host" },
      target: {},
      capabilities: ["RETRIEVAL.SEARCH"],
      pinned: ["RETRIEVAL.SEARCH"],
      transportId: "http",
    });
    const { output, status } = await runtime.invoke("MEMORY.SEARCH", { query: "password", limit: 1 });
    await runtime.close();
    expect(status).toBe("success");
    expect(output).toEqual([{ memory: { id: expect.any(String), content: "How to reset a password" }, score: expect.any(Number) }]);
    expect(server.calls).toEqual(["RETRIEVAL.SEARCH"]);
  });
});

describe("every one of the fourteen", () => {
  const env = {
    PG_URL: "postgres://127.0.0.1/kb",
    EMB_URL: "http://127.0.0.1:1/v1",
    EMB_KEY: "k",
    MILVUS_ADDRESS: "127.0.0.1:1",
    MILVUS_TOKEN: "t",
    ...allowAll,
  };
  const names = readdirSync(fixtureFolder).filter((name) => /^\d\d-.*\.yaml$/u.test(name));

  it("is here", () => {
    expect(names).toHaveLength(14);
  });

  it.each(names)("%s is judged without an error, in each profile", async (name) => {
    const values = Object.fromEntries(
      [...readFileSync(join(fixtureFolder, name), "utf8").matchAll(/\$\{env:(\w+)/gu)].map(([, key = ""]) => [key, "http://127.0.0.1:1"]),
    );
    for (const profile of name.startsWith("10-") ? [undefined, "production"] : [undefined]) {
      const { diagnostics } = await compilePipelineFile(join(fixtureFolder, name), { profile, env: { ...values, ...env } });
      expect(diagnostics.filter(({ severity }) => severity === "error").map(line)).toEqual([]);
    }
  });
});
