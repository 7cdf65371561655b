/**
 * Held by the type checker: what an application writes against the package's entries must compile, and what stands under
 * `@ts-expect-error` must not.
 */
import {
  type ContextSelectInput,
  createContext,
  createContextWorker,
  createDitto,
  createMemory,
  createMemoryWorker,
  createNodeScaffold,
  defineNode,
  defineWorker,
  graph,
  type InputOf,
  type JsonValue,
  type MemoryCallOptions,
  memoryGetNode,
  type MemoryItem,
  memorySearchNode,
  type MemorySearchProvider,
  type MemoryStore,
  memoryWriteNode,
  type NodeContract,
  type NodeResult,
  type NodeType,
  type OutputOf,
  type RuntimeClient,
} from "@codesoul-co/ditto";
import type { NodeContract as SharedContract } from "@codesoul-co/ditto/contracts";
import {
  createHybridSearchProvider,
  createRetrievalWorker,
  createSqlSearchProvider,
  createVectorSearchProvider,
  type EmbeddingProvider,
  type RerankProvider,
  RetrievalTargetRegistry,
  type retrievalSearchNode,
  type RetrievalSearchOutput,
  type RetrievalSearchProvider,
} from "@codesoul-co/ditto/retrieval";
import { createRetrievalContextStrategy } from "@codesoul-co/ditto/retrieval/adapters/context";
import { RemoteRetrievalSearchProvider } from "@codesoul-co/ditto/retrieval/adapters/memory";

// An application's nodes join the known ones through either entry.
declare module "@codesoul-co/ditto" {
  interface NodeContractMap {
    "SHOP.PRICE": NodeContract<{ readonly article: string }, { readonly cents: number }>;
  }
}
declare module "@codesoul-co/ditto/contracts" {
  interface NodeContractMap {
    "SHOP.STOCK": SharedContract<string, NodeResult<number>>;
  }
}

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <_T extends true>(): void => {};

holds<Equal<InputOf<"SHOP.PRICE">, { readonly article: string }>>();
holds<Equal<OutputOf<"SHOP.STOCK">, NodeResult<number>>>();
holds<Equal<OutputOf<"MEMORY.GET">, NodeResult<readonly MemoryItem[]>>>();
holds<Equal<OutputOf<"RETRIEVAL.SEARCH">, NodeResult<RetrievalSearchOutput>>>();
holds<Equal<Extract<NodeType, `SHOP.${string}`>, "SHOP.PRICE" | "SHOP.STOCK">>();
// @ts-expect-error nobody declared this node
holds<Equal<InputOf<"SHOP.NOTHING">, unknown>>();

// Workers of the application's nodes.
const shop = defineWorker({
  type: "SHOP",
  nodes: {
    "SHOP.PRICE": defineNode("SHOP", "SHOP.PRICE", async ({ article }, { signal, invoke }) => {
      const stock = await invoke("SHOP.STOCK", article, { signal });
      return { cents: stock.status === "success" ? 100 * (stock.output ?? 0) : 0 };
    }),
    "SHOP.STOCK": createNodeScaffold("SHOP.STOCK").define("SHOP", async (article) => {
      holds<Equal<typeof article, string>>();
      return { executionId: "1", node: "SHOP.STOCK", status: "success", output: article.length };
    }),
  },
});
// Literals stay literals, without an assertion.
defineNode("SHOP", "SHOP.STOCK", async () => ({
  executionId: "1",
  node: "SHOP.STOCK",
  status: "failed",
  error: { code: "CLOSED", message: "The shop is closed" },
}));
graph<string>("literals")
  .node("page", "MEMORY.QUERY", [], () => ({ orderBy: [{ field: "rank", direction: "desc" }] }))
  .node("items", "CONTEXT.SELECT", [], (query) => ({ context: { items: [] }, purpose: "infer", query, strategy: { kind: "rag" } }));
// @ts-expect-error up is no direction
graph<string>("literals").node("page", "MEMORY.QUERY", [], () => ({ orderBy: [{ field: "rank", direction: "up" }] }));
// @ts-expect-error cents is a number
defineNode("SHOP", "SHOP.PRICE", async () => ({ cents: "100" }));
// @ts-expect-error nobody declared this node
createNodeScaffold("SHOP.NOTHING");

// Descriptors name their node, and their handlers have its types.
holds<Equal<typeof memoryGetNode.type, "MEMORY.GET">>();
holds<Equal<typeof retrievalSearchNode.type, "RETRIEVAL.SEARCH">>();
memoryWriteNode.define("MEMORY", async ({ memories }) => ({
  executionId: "1",
  node: memoryWriteNode.type,
  status: "success",
  output: memories.map((draft, index) => ({ id: String(index), content: draft.content })),
}));
// @ts-expect-error a search gives hits, not records
memorySearchNode.define("MEMORY", async () => ({ executionId: "1", node: "MEMORY.SEARCH", status: "success", output: [{ id: "1", content: 1 }] }));
// @ts-expect-error "done" is no status
memoryGetNode.define("MEMORY", async () => ({ executionId: "1", node: "MEMORY.GET", status: "done" }));

// A storage plugin hands the signal on as it comes, whatever it is.
declare function query(sql: string, options: { readonly signal?: AbortSignal | undefined }): Promise<MemoryItem[]>;
declare function embedRemotely(texts: readonly unknown[], options: { purpose: "query" | "document"; signal: AbortSignal | undefined }): Promise<number[][]>;
const store: MemoryStore & MemorySearchProvider = {
  get: (_input, options) => query("SELECT", { signal: options?.signal }),
  query: async (_input, options) => ({ items: await query("SELECT", { signal: options?.signal }) }),
  write: (_input, options) => query("INSERT", { signal: options?.signal }),
  update: (_input, options) => query("UPDATE", { signal: options?.signal }),
  delete: async ({ ids }) => ({ deleted: ids }),
  search: async ({ limit }, options) => (await query(`LIMIT ${limit}`, { signal: options?.signal })).map((memory) => ({ memory })),
};
const embedding: EmbeddingProvider = {
  embed: ({ contents, purpose }, context) => embedRemotely(contents, { purpose, signal: context?.signal }),
};
const reranker: RerankProvider = { rank: async ({ candidates, limit }) => candidates.slice(0, limit).map((_candidate, index) => ({ index })) };
const search: RetrievalSearchProvider = { search: async (input, context) => search.search(input, { signal: context?.signal, defaults: context?.defaults }) };
void reranker;

const memory = createMemory({ store });
declare const given: MemoryCallOptions | undefined;
await memory.get({ ids: ["1"] }, { signal: given?.signal, runtime: given?.runtime });
await memory.execute("MEMORY.QUERY", { limit: 1 }, { queryLimit: 5, signal: given?.signal });
await memory.search({ query: "a", filter: undefined, limit: undefined });
// The scope of a store that has one.
await memory.delete({ ids: ["1"], filter: { tenant: "a" } });
// @ts-expect-error execute takes MEMORY's nodes
await memory.execute("SHOP.PRICE", { article: "a" });
// @ts-expect-error a search needs a query
await memory.search({ limit: 1 });
// @ts-expect-error an id cannot be given to a new memory
await memory.write({ memories: [{ id: "1", content: 1 }] });
// @ts-expect-error up is no direction
await memory.query({ orderBy: [{ field: "id", direction: "up" }] });

// A graph across workers is typed through ids.
const plan = graph<string>("offer")
  .node("hits", "MEMORY.SEARCH", [], (article) => ({ query: article, limit: 3 }))
  .node("price", "SHOP.PRICE", [], (article) => ({ article }))
  .node("context", "CONTEXT.UPDATE", ["hits", "price"], (_article, { hits, price }) => {
    holds<Equal<typeof price, { readonly cents: number }>>();
    return {
      context: { items: [] },
      ingress: (hits.output ?? []).map(({ memory: { id, content } }) => ({
        id,
        sourceNode: "MEMORY.SEARCH",
        content: content as JsonValue,
        metadata: { cents: price.cents },
      })),
    };
  });
const runtime = createDitto({ workers: [shop, createMemoryWorker({ store, concurrency: 4 }), createContextWorker()] });
const { hits, context } = await runtime.run(plan, "a book", { workers: { price: "SHOP" }, concurrency: 2 });
holds<Equal<typeof hits, OutputOf<"MEMORY.SEARCH">>>();
holds<Equal<(typeof context)["items"][number]["id"], string>>();
// @ts-expect-error no node has this id
await runtime.run(plan, "a book", { workers: { cost: "SHOP" } });
// @ts-expect-error "cost" names no earlier node
plan.node("more", "SHOP.PRICE", ["cost"], (article) => ({ article }));
// @ts-expect-error hits was not declared as a dependency
plan.node("more", "SHOP.PRICE", ["price"], (_article, { hits: seen }) => ({ article: String(seen) }));
// @ts-expect-error SHOP.PRICE wants an article
plan.node("more", "SHOP.PRICE", [], (article) => article);
// @ts-expect-error the failure of a node is data, and its output may be missing
plan.node("more", "SHOP.STOCK", ["hits"], (_article, { hits: seen }) => seen.output[0].memory.id);

// The client that handlers and adapters get.
const client: RuntimeClient = runtime;
holds<Equal<Awaited<ReturnType<typeof client.invoke<"SHOP.PRICE">>>, { readonly cents: number }>>();
// @ts-expect-error an article is a string
await client.invoke("SHOP.PRICE", { article: 1 });

// Providers compose, and exclude what cannot be.
const hybrid = createHybridSearchProvider({
  branches: [
    { provider: createVectorSearchProvider({ backend: search, embedding }), strategy: "vector", weight: 2 },
    {
      provider: createSqlSearchProvider<{ readonly id: string }>({
        prepare: (input) => ({ text: "SELECT id LIMIT ?", values: [input.limit] }),
        query: async (_statement, call) => (call?.signal?.aborted === true ? [] : [{ id: "1" }]),
        mapRow: ({ id }) => ({ id, content: id }),
      }),
      strategy: "keyword",
    },
  ],
});
createRetrievalWorker({
  providers: new RetrievalTargetRegistry({ kb: { defaultStrategy: "hybrid", providers: { hybrid } } }),
  defaults: runtime.services.config.retrieval,
});
// @ts-expect-error a branch needs its strategy
createHybridSearchProvider({ branches: [{ provider: search }] });
new RemoteRetrievalSearchProvider({ target: { name: "kb" }, runtime: given?.runtime });
// @ts-expect-error a target needs a name
new RemoteRetrievalSearchProvider({ target: {} });

// A request for CONTEXT holds a context or a scope, never both.
const sdk = createContext({ services: { ragStrategy: createRetrievalContextStrategy({ provider: hybrid, target: { name: "kb" } }) } });
await sdk.select({ context: { items: [] }, purpose: "infer", query: "a", strategy: { kind: "rag" } }, { signal: given?.signal });
// @ts-expect-error either context or scope
const both: ContextSelectInput = { context: { items: [] }, scope: { sessionId: "s" }, purpose: "infer" };
void both;
