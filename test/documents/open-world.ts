import { createDitto, createMemory, createMemoryWorker, loadRuntimeConfigFile, type Runtime } from "@codesoul-co/ditto";
import {
  createCosineReranker,
  createRetrieval,
  createRetrievalWorker,
  type Retrieval,
  RetrievalTargetRegistry,
  type RetrievalSearchProvider,
} from "@codesoul-co/ditto/retrieval";
import type { MemoryDraft } from "@codesoul-co/ditto/worker/memory";
import { ApplicationMemories } from "./backends/application-memories.ts";
import { textSearchOf, vectorSearchOf } from "./backends/application-searches.ts";
import { type EmbeddingServer, startEmbeddingServer } from "./backends/embedding-server.ts";
import { hashedEmbedding, hashedVector } from "./backends/hashed-embedding.ts";
import { milvusSearchOf } from "./backends/milvus-stand-in.ts";

/** An application's things, real ones, as the documents' code expects them; each block gets a fresh world. */
export interface World {
  readonly memories: ApplicationMemories;
  readonly server: EmbeddingServer;
  readonly milvus: ReturnType<typeof milvusSearchOf>;
  /** Runtimes that `setupRetrieval` made. */
  readonly runtimes: Runtime[];
  close(): Promise<void>;
}

/** What the application's database holds, in the order of its ids `m1`, `m2`, ... */
export const drafts: readonly MemoryDraft[] = [
  {
    key: "preference",
    content: "preferred language is Chinese, says the agent memory",
    metadata: { tenant: "project-a", state: "active", createdAt: "2026-01-01" },
  },
  { content: "agent memory keeps what an agent has learned", metadata: { tenant: "project-a", state: "active", createdAt: "2026-01-03" } },
  { content: "the memory of an agent can be searched", metadata: { tenant: "project-a", state: "active", createdAt: "2026-01-02" } },
  { content: "an estate agent sells houses", metadata: { tenant: "project-a", state: "done", createdAt: "2026-01-04" } },
  { content: "computer memory is measured in bytes", metadata: { tenant: "project-b", state: "active", createdAt: "2026-01-05" } },
  { content: "the weather in Lisbon is mild" },
  { content: "an agent runtime executes graphs", metadata: { tenant: "project-b" } },
  { content: "a database index makes search fast", metadata: { tenant: "project-b" } },
];

/** Opens the world and declares the names that the documents' fragments use without defining them. */
export async function openWorld(): Promise<World> {
  const memories = new ApplicationMemories();
  await memories.write({ memories: drafts });
  memories.calls.length = 0;
  const server = await startEmbeddingServer();
  const environment = declareEnvironment(server.origin);
  const milvus = milvusSearchOf(memories);
  const runtimes: Runtime[] = [];
  const config = loadRuntimeConfigFile("ditto.yaml", process.env);
  const runtime = createDitto({ config, workers: [createMemoryWorker({ store: memories })] });
  const pool = (sql: string, values: readonly unknown[]) =>
    memories.findText(String(values[0]), String(values[1]), Number(values.at(-1))).map((row) => ({ ...row, sql }));
  Object.assign(globalThis, {
    config,
    runtime,
    memory: createMemory({ store: memories }),
    target: { name: "kb" },
    setupRetrieval: (provider: RetrievalSearchProvider) => setupRetrieval(provider, runtimes),
    databaseSearch: vectorSearchOf(memories),
    databaseStore: memories,
    sqlProvider: textSearchOf(memories),
    vector: vectorSearchOf(memories, { native: true }),
    applicationReranker: createCosineReranker(hashedEmbedding),
    embedding: hashedEmbedding,
    encodeBatch: async (contents: readonly unknown[]) => contents.map((content) => hashedVector(String(content))),
    pgPool: { query: async (text: string, values: readonly unknown[]) => ({ rows: pool(text, values) }) },
    mysqlPool: { execute: async (text: string, values: readonly unknown[]) => [pool(text, values), []] },
    applicationMilvusSearch: milvus.search,
  });
  return {
    memories,
    server,
    milvus,
    runtimes,
    close: async () => {
      await runtime.close();
      await server.close();
      memories.close();
      environment.restore();
    },
  };
}

function setupRetrieval(provider: RetrievalSearchProvider, runtimes: Runtime[]): { readonly runtime: Runtime; readonly retrieval: Retrieval } {
  const providers = new RetrievalTargetRegistry({ kb: { defaultStrategy: "vector", providers: { vector: provider } } });
  const runtime = createDitto({ workers: [createRetrievalWorker({ providers })] });
  runtimes.push(runtime);
  return { runtime, retrieval: createRetrieval({ providers }) };
}

function declareEnvironment(origin: string): { restore(): void } {
  const before = { ...process.env };
  process.env.DITTO_WORKER_RETRIEVAL_EMBEDDING_BASE_URL = `${origin}/v1`;
  process.env.DITTO_WORKER_RETRIEVAL_EMBEDDING_MODEL = "hashed";
  process.env.DITTO_WORKER_RETRIEVAL_EMBEDDING_API_KEY = "key-1";
  process.env.DITTO_SHARED_SANDBOX_ALLOW_NETWORK = origin;
  return {
    restore: () => {
      process.env = before;
    },
  };
}
