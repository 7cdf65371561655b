import { describe, expect, it } from "vitest";
import type { Collection } from "../../src/contracts/collection.ts";
import type { ContextSelection } from "../../src/contracts/context.ts";
import type { Pipeline } from "../../src/live/pipeline.ts";
import { judgeText, loadText } from "../kinds/support/load-text.ts";
import { workerServer } from "../kinds/support/worker-server.ts";
import { invoke, write } from "./support/ask.ts";

const base = (more: string, collection = "fields: { product: { type: string } }"): string => `version: 1
name: bridges
resources:
  db: { sqlite: { file: kb.db } }
  kb: { sqlite.collection: { database: db, ${collection} } }
targets:
  kb: { default: keyword, strategies: { keyword: { text: { collection: kb } }, ranked: { refine: { search: keyword, score: "\${ -1.0 * candidate.score }" } } } }
${more}`;

const articles = [
  { content: "refund on the web", metadata: { product: "web" } },
  { content: "refund on the phone", metadata: { product: "mobile" } },
];

async function select(pipeline: Pipeline, strategy: unknown, query = "refund"): Promise<unknown[]> {
  const selection = (await invoke(pipeline, "CONTEXT.SELECT", { context: { items: [] }, purpose: "infer", query, strategy } as never)) as ContextSelection;
  return selection.context.items.map(({ content }) => content);
}

describe("context.rag", () => {
  it("answers CONTEXT.SELECT by a search of the file", async () => {
    const pipeline = await loadText(base("context: { rag: { search: kb } }\n"));
    await write(pipeline, "kb", articles);
    expect(new Set(await select(pipeline, { kind: "rag" }))).toEqual(new Set(["refund on the web", "refund on the phone"]));
  });

  it("narrows it by the corpus and the query, and refuses a corpus that it does not use", async () => {
    const rag = (keys: string) => base(`context: { rag: { search: kb${keys} } }\n`);
    const pipeline = await loadText(rag(', filter: { product: "${ corpus.?product }" }'));
    await write(pipeline, "kb", articles);
    expect(await select(pipeline, { kind: "rag", corpus: { product: "mobile" } })).toEqual(["refund on the phone"]);
    expect(await select(pipeline, { kind: "rag" })).toHaveLength(2);
    const plain = await loadText(rag(""));
    await expect(select(plain, { kind: "rag", corpus: { product: "mobile" } })).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });

  it("searches in the scope that it is told", async () => {
    const pipeline = await loadText(
      base(`context: { rag: { search: kb/keyword, namespace: '\${ text(coalesce(corpus, "nobody")) }' } }\n`, "namespace: tenant"),
    );
    await write(
      pipeline,
      "kb",
      ["acme", "globex"].map((tenant) => ({ content: `refund of ${tenant}`, metadata: { tenant } })),
    );
    expect(await select(pipeline, { kind: "rag", corpus: "acme" })).toEqual(["refund of acme"]);
  });

  it("can be a search that is written out, also one in another process", async () => {
    const host = await loadText(base(""));
    await write(host, "kb", articles);
    const server = await workerServer(host.workers);
    const pipeline = await loadText(`version: 1
name: near
resources:
  host: { remote-worker: { url: "${server.url}", token: "${server.token}", nodes: [RETRIEVAL.SEARCH] } }
context: { rag: { search: { remote: { worker: host, target: kb, strategy: ranked } } } }
graphs:
  pick:
    nodes:
      picked: { node: CONTEXT.SELECT, input: { context: { items: [] }, purpose: infer, query: refund, strategy: { kind: rag } } }
    output: \${ size(picked.context.items) }
`);
    expect(await pipeline.run({})).toBe(2);
    expect(server.calls).toEqual(["RETRIEVAL.SEARCH"]);
  });
});

describe("memory.search", () => {
  it("asks a target, by the strategy that the request names", async () => {
    const pipeline = await loadText(base("memory: { store: kb, search: kb }\n"));
    await write(pipeline, "kb", [...articles, "a refund, refund, refund"]);
    const ids = async (strategy?: string): Promise<unknown[]> =>
      ((await invoke(pipeline, "MEMORY.SEARCH", { query: "refund", ...(strategy === undefined ? {} : { strategy }) })).output ?? []).map(
        ({ memory }) => memory.content,
      );
    expect(await ids()).toHaveLength(3);
    expect((await ids())[0]).toBe("a refund, refund, refund");
    expect((await ids("ranked")).at(-1)).toBe("a refund, refund, refund");
    expect((await invoke(pipeline, "MEMORY.SEARCH", { query: "refund", strategy: "other" })).error?.code).toBe("RETRIEVAL_STRATEGY_UNSUPPORTED");
  });

  it("completes candidates from the store in the request's scope", async () => {
    const pipeline = await loadText(base("memory: { store: kb, search: kb/keyword }\n", "namespace: tenant, fields: { product: { type: string } }"));
    await write(
      pipeline,
      "kb",
      ["acme", "globex"].map((tenant) => ({ content: `refund of ${tenant}`, metadata: { tenant, product: "web" } })),
    );
    for (const tenant of ["acme", { eq: "acme" }]) {
      const { output } = await invoke(pipeline, "MEMORY.SEARCH", { query: "refund", filter: { tenant, product: "web" } });
      expect(output).toEqual([
        { memory: { id: expect.any(String), content: "refund of acme", metadata: { tenant: "acme", product: "web" } }, score: expect.any(Number) },
      ]);
    }
    expect((await invoke(pipeline, "MEMORY.SEARCH", { query: "refund" })).status).toBe("failed");
  });

  it("leaves out what is gone meanwhile", async () => {
    const pipeline = await loadText(base("memory: { store: kb, search: kb/keyword }\n"));
    await write(pipeline, "kb", articles);
    const kb = pipeline.resource("kb") as Collection;
    const get = kb.get.bind(kb);
    (kb as { get: Collection["get"] }).get = async (input, options) => (await get(input, options)).slice(1);
    expect((await invoke(pipeline, "MEMORY.SEARCH", { query: "refund" })).output).toHaveLength(1);
  });

  it("needs a mapping where candidates come from elsewhere", async () => {
    const other = base("memory: { store: chat, search: kb }\n").replace("targets:", "  chat: { sqlite.collection: { database: db } }\ntargets:");
    expect(await judgeText(other)).toEqual([
      expect.stringContaining('DITTO319 memory.map must be written: the search also reaches "kb", which is not the store'),
    ]);
    const mapped = await loadText(
      other.replace(
        "search: kb }",
        'search: kb, map: \'${ { "memory": { "id": "kb:" + candidate.id, "content": candidate.content }, "score": candidate.score } }\' }',
      ),
    );
    await write(mapped, "kb", articles);
    const { output } = await invoke(mapped, "MEMORY.SEARCH", { query: "refund", limit: 1 });
    expect(output?.[0]?.memory.id).toMatch(/^kb:/);
  });
});
