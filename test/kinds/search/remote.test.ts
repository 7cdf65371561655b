import { describe, expect, it } from "vitest";
import type { RetrievalSearchInput } from "../../../src/contracts/retrieval.ts";
import { createRetrievalWorker } from "../../../src/retrieval/create-retrieval-worker.ts";
import { RetrievalTargetRegistry } from "../../../src/retrieval/retrieval-target-registry.ts";
import { judgeText, loadText } from "../support/load-text.ts";
import { workerServer } from "../support/worker-server.ts";

/** A worker elsewhere whose target `kb` says how it was asked. */
async function elsewhere() {
  const asked: RetrievalSearchInput[] = [];
  const provider = (name: string) => ({
    search: async (input: RetrievalSearchInput) => {
      asked.push(input);
      return { target: input.target, candidates: [{ id: name, content: `from ${name}`, score: 1 }] };
    },
  });
  const providers = new RetrievalTargetRegistry({ kb: { defaultStrategy: "hybrid", providers: { hybrid: provider("hybrid"), keyword: provider("keyword") } } });
  return { asked, server: await workerServer([createRetrievalWorker({ providers })]) };
}

function text(
  server: { readonly url: string; readonly token: string },
  lines: { readonly far?: string; readonly more?: string; readonly nodes?: string } = {},
): string {
  return `version: 1
name: near
resources:
  host: { remote-worker: { url: "${server.url}", token: "${server.token}", nodes: [${lines.nodes ?? "RETRIEVAL.SEARCH"}] } }
targets:
  near:
    strategies:
      far: { remote: ${lines.far ?? "{ worker: host, target: kb, strategy: keyword, timeoutMs: 2000 }"} }
${lines.more ?? ""}`;
}

describe("a search in another process", () => {
  it("is asked through RETRIEVAL.SEARCH of the named worker, with the request untouched", async () => {
    const { server, asked } = await elsewhere();
    const pipeline = await loadText(text(server));
    const { output } = await pipeline.search({ query: { content: "refund" }, filter: { lang: "en" }, namespace: "acme", limit: 3 });
    expect(output?.candidates.map(({ id }) => id)).toEqual(["keyword"]);
    expect(output).toMatchObject({ target: { name: "near", namespace: "acme" }, strategy: "far" });
    expect(asked).toMatchObject([
      { query: { content: "refund" }, target: { name: "kb", namespace: "acme" }, filter: { lang: "en" }, limit: 3, strategy: "keyword" },
    ]);
    expect(server.calls).toEqual(["RETRIEVAL.SEARCH"]);
  });

  it("takes the other side's default strategy unless one is said", async () => {
    const { server } = await elsewhere();
    const pipeline = await loadText(text(server, { far: "{ worker: host, target: kb }" }));
    expect((await pipeline.search({ query: { content: "x" } })).output?.candidates[0]?.id).toBe("hybrid");
  });

  it("fails with the other side's code, and a substitute can step in", async () => {
    const { server } = await elsewhere();
    const unknown = await loadText(text(server, { far: "{ worker: host, target: other }" }));
    expect((await unknown.search({ query: { content: "x" } })).error?.code).toBe("RETRIEVAL_TARGET_NOT_FOUND");
    const gone = await loadText(text({ url: "http://127.0.0.1:9", token: "t" }));
    const { error } = await gone.search({ query: { content: "x" } });
    expect(error?.code).toBe("RETRIEVAL_BACKEND_ERROR");
  });

  it("serves MEMORY.SEARCH, where a request's strategy is the other side's", async () => {
    const { server, asked } = await elsewhere();
    const pipeline = await loadText(
      `version: 1
name: near
resources:
  db: { sqlite: { file: chat.db } }
  chat: { sqlite.collection: { database: db } }
  host: { remote-worker: { url: "${server.url}", token: "${server.token}", nodes: [RETRIEVAL.SEARCH] } }
memory:
  store: chat
  search: { remote: { worker: host, target: kb } }
  map: '\${ { "memory": { "id": candidate.id, "content": candidate.content }, "score": candidate.?score } }'
graphs:
  recall:
    nodes:
      hits: { node: MEMORY.SEARCH, input: { query: refund, strategy: "\${ input.strategy }" } }
    output: \${ hits.output }
`,
    );
    expect(await pipeline.run({ strategy: "keyword" })).toEqual([{ memory: { id: "keyword", content: "from keyword" }, score: 1 }]);
    expect(asked).toMatchObject([{ target: { name: "kb" }, strategy: "keyword" }]);
  });

  it("serves a graph's node that chooses the worker, and never one that does not", async () => {
    const { server } = await elsewhere();
    const pipeline = await loadText(
      `version: 1
name: near
resources:
  db: { sqlite: { file: kb.db } }
  kb: { sqlite.collection: { database: db } }
  host: { remote-worker: { url: "${server.url}", token: "${server.token}", nodes: [RETRIEVAL.SEARCH] } }
targets:
  kb: { strategies: { keyword: { text: { collection: kb } } } }
graphs:
  both:
    nodes:
      here: { node: RETRIEVAL.SEARCH, input: { target: { name: kb }, query: { content: x } } }
      there: { node: RETRIEVAL.SEARCH, worker: host, input: { target: { name: kb }, query: { content: x } } }
    output: { here: "\${ size(here.output.candidates) }", there: "\${ there.output.candidates.map(c, c.content) }" }
`,
    );
    expect(await pipeline.run({})).toEqual({ here: 0, there: ["from hybrid"] });
    expect(server.calls).toEqual(["RETRIEVAL.SEARCH"]);
  });

  it("serves nodes that the file does not serve itself", async () => {
    const { server } = await elsewhere();
    const pipeline = await loadText(
      `version: 1
name: near
resources:
  host: { remote-worker: { url: "${server.url}", token: "${server.token}", nodes: [RETRIEVAL.SEARCH] } }
graphs:
  there:
    nodes:
      found: { node: RETRIEVAL.SEARCH, input: { target: { name: kb }, query: { content: x } } }
    output: \${ found.output.candidates.map(c, c.content) }
`,
    );
    expect(await pipeline.run({})).toEqual(["from hybrid"]);
  });
});

describe("before anything runs", () => {
  it("a node that the file serves itself and that nothing asks the worker for is told", async () => {
    const memory = `memory: { store: chat }
`;
    const base = text({ url: "http://a.example", token: "t" }, { nodes: "RETRIEVAL.SEARCH, MEMORY.GET", more: memory });
    const told = await judgeText(base.replace("resources:", "resources:\n  db: { sqlite: { file: a.db } }\n  chat: { sqlite.collection: { database: db } }"));
    expect(told).toEqual(['6:91 DITTO320 the node MEMORY.GET is served by this file itself and cannot come from "host"']);
    const unused = text({ url: "http://a.example", token: "t" }, { nodes: "RETRIEVAL.SEARCH", far: "{ worker: host, target: kb }" }).replace(
      "far: { remote: { worker: host, target: kb } }",
      "near: { text: { collection: chat } }",
    );
    expect(
      await judgeText(unused.replace("resources:", "resources:\n  db: { sqlite: { file: a.db } }\n  chat: { sqlite.collection: { database: db } }")),
    ).toEqual([
      '6:3 DITTO321 the resource "host" is never used',
      '6:73 DITTO320 the node RETRIEVAL.SEARCH is served by this file itself and cannot come from "host"',
    ]);
  });

  it("a worker of another name, or that does not serve the node, is told", async () => {
    const told = await judgeText(`version: 1
name: near
resources:
  host: { remote-worker: { url: http://a.example, token: t, nodes: [RETRIEVAL.SEARCH] } }
graphs:
  there:
    nodes:
      a: { node: RETRIEVAL.SEARCH, worker: hots, input: { target: { name: kb }, query: { content: x } } }
      b: { node: CONTEXT.LOAD, worker: host, input: { sources: [] } }
      c: { node: ACME.DO, input: {} }
    output: 1
`);
    expect(told).toEqual([
      expect.stringMatching(/^8:44 DITTO301 .* -> host$/),
      '9:40 DITTO507 the worker "host" does not serve CONTEXT.LOAD',
      "10:18 DITTO503 no worker serves the node ACME.DO",
    ]);
  });
});
