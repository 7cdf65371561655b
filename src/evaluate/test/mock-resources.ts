import type { Collection, Embedding } from "../../contracts/collection.ts";
import type { HttpPort } from "../../contracts/http-port.ts";
import type { JsonObject, JsonValue } from "../../contracts/json.ts";
import type { RoleName } from "../../contracts/json-schema.ts";
import type { RerankProvider, RetrievalCandidate, RetrievalSearchProvider } from "../../contracts/retrieval.ts";
import { RetrievalError } from "../../contracts/retrieval-error.ts";
import type { PlanComponent } from "../../pipeline/model/plan.ts";
import { defineNode } from "../../worker/define-node.ts";
import { defineWorker } from "../../worker/define-worker.ts";
import { wordVector } from "./word-vector.ts";

/** A found document of a stand-in. */
interface MockHit {
  readonly id: string;
  readonly content?: JsonValue;
  readonly score?: number;
  readonly metadata?: JsonObject;
}

type MockHits = readonly MockHit[] | Readonly<Record<string, readonly MockHit[]>>;

/** What stands in for a resource. */
export interface Mock {
  readonly hits?: MockHits;
  readonly text?: MockHits;
  readonly vector?: MockHits;
  readonly vectors?: Readonly<Record<string, readonly number[]>>;
  readonly answers?: readonly { readonly path?: string; readonly status?: number; readonly body?: JsonValue }[];
  readonly order?: readonly string[];
  readonly outputs?: Readonly<Record<string, JsonValue>>;
  readonly value?: JsonValue;
  readonly fails?: string;
}

/** Keys that stand in for a resource of a role, besides `fails`. */
const keysOf: Partial<Record<RoleName, readonly (keyof Mock)[]>> = {
  collection: ["hits", "text", "vector"],
  embedding: ["vectors"],
  connection: ["answers"],
  reranker: ["order"],
  worker: ["outputs"],
  call: ["value"],
};

/**
 * Makes the stand-in of a resource.
 *
 * @param mock What the test file says.
 * @param component The resource as the pipeline declares it.
 * @returns The stand-in, or why what is written cannot stand in for it.
 */
export function mockResource(mock: Mock, component: PlanComponent): { readonly value: unknown } | { readonly problem: string } {
  const allowed = [...(keysOf[component.role] ?? []), "fails"];
  const wrong = Object.keys(mock).find((key) => !allowed.includes(key));
  if (keysOf[component.role] === undefined) return { problem: `a ${component.role} cannot be replaced here` };
  if (wrong !== undefined) return { problem: `"${wrong}" cannot stand in for "${component.name}", which is a ${component.role}: use ${allowed.join(" or ")}` };
  switch (component.role) {
    case "collection":
      return { value: mockCollection(mock, component) };
    case "embedding":
      return { value: mockEmbedding(mock) };
    case "connection":
      return { value: mockConnection(mock) };
    case "reranker":
      return { value: mockReranker(mock) };
    case "call":
      return { value: async () => orFail(mock, mock.value ?? null) };
    default:
      return { value: mockWorker(mock, component.name) };
  }
}

function fail({ fails }: Mock): void {
  if (fails !== undefined) throw new RetrievalError(fails as "RETRIEVAL_BACKEND_ERROR", "The stand-in fails, as the test says");
}

function orFail<T>(mock: Mock, value: T): T {
  fail(mock);
  return value;
}

function mockCollection(mock: Mock, { facts, name }: PlanComponent): Collection {
  const search = (hits: MockHits): RetrievalSearchProvider => ({
    search: async (input) => {
      fail(mock);
      const query = typeof input.query.content === "string" ? input.query.content : "*";
      const found = hitsFor(hits, query).slice(0, input.limit ?? 10);
      return { candidates: found.map((hit, index) => candidateOf(hit, { index, name })), target: input.target };
    },
  });
  const all = [mock.hits, mock.text, mock.vector].flatMap((hits) =>
    hits === undefined ? [] : Array.isArray(hits) ? (hits as readonly MockHit[]) : Object.values(hits).flat(),
  ) as readonly MockHit[];
  const byId = new Map(all.map((hit) => [hit.id, { id: hit.id, content: hit.content ?? hit.id, metadata: hit.metadata ?? {} }]));
  const dimensions = facts.collection?.embedding?.dimensions ?? wordDimensions;
  const unsupported = async (): Promise<never> => {
    throw new RetrievalError("RETRIEVAL_PROVIDER_UNAVAILABLE", `The stand-in of "${name}" only reads`);
  };
  const stub = {
    facts: facts.collection ?? { name, fields: {} },
    text: search(mock.text ?? mock.hits ?? []),
    vector: search(mock.vector ?? mock.hits ?? []),
    embedding: mockEmbedding({}, facts.collection?.embedding ?? { model: "mock", dimensions }),
    get: async ({ ids = [] }: { readonly ids?: readonly string[] }) => {
      fail(mock);
      return ids.flatMap((id) => byId.get(id) ?? []);
    },
    query: async () => orFail(mock, { items: [...byId.values()] }),
    write: unsupported,
    update: unsupported,
    delete: unsupported,
    records: {
      count: async () => byId.size,
      hashes: async () => new Map(),
      replace: unsupported,
      remove: unsupported,
      removeWhere: unsupported,
      scan: unsupported,
    },
  };
  // Only the ports that reading uses are there; the others refuse.
  return stub as unknown as Collection;
}

function hitsFor(hits: MockHits, query: string): readonly MockHit[] {
  if (Array.isArray(hits)) return hits as readonly MockHit[];
  const byQuery = hits as Readonly<Record<string, readonly MockHit[]>>;
  return (Object.hasOwn(byQuery, query) ? byQuery[query] : byQuery["*"]) ?? [];
}

function candidateOf({ id, content, score, metadata }: MockHit, { index, name }: { readonly index: number; readonly name: string }): RetrievalCandidate {
  return {
    id,
    content: content ?? id,
    score: score ?? 1 / (index + 1),
    source: { target: name },
    ...(metadata === undefined ? {} : { metadata: { ...metadata } }),
  };
}

const wordDimensions = 64;

function mockEmbedding(mock: Mock, facts?: Embedding["facts"]): Embedding {
  const known = mock.vectors ?? {};
  const dimensions = Object.values(known)[0]?.length ?? facts?.dimensions ?? wordDimensions;
  return {
    facts: facts ?? { model: "mock", dimensions },
    embed: async ({ contents }) => {
      fail(mock);
      return contents.map((content) => known[String(content)] ?? wordVector(String(content), dimensions));
    },
  };
}

/** Statuses and bodies as the real connection judges them. */
function mockConnection(mock: Mock): HttpPort {
  const asked = new Map<string, number>();
  return {
    send: async ({ path, label }) => {
      fail(mock);
      const fitting = (mock.answers ?? []).filter((answer) => answer.path === undefined || answer.path === path);
      const turn = asked.get(path) ?? 0;
      asked.set(path, turn + 1);
      const answer = fitting[Math.min(turn, fitting.length - 1)];
      if (answer === undefined) throw new RetrievalError("RETRIEVAL_BACKEND_ERROR", `${label}: the stand-in has no answer for ${path}`);
      const { status = 200, body = null } = answer;
      if (status < 200 || status > 299) throw new RetrievalError("RETRIEVAL_BACKEND_ERROR", `${label}: the service answered ${status}`);
      return { json: body, excerpt: () => "" };
    },
  };
}

function mockReranker(mock: Mock): RerankProvider {
  const order = mock.order ?? [];
  const rank = (id: string | undefined): number => {
    const at = id === undefined ? -1 : order.indexOf(id);
    return at < 0 ? order.length : at;
  };
  return {
    rank: async ({ candidates, limit }) => {
      fail(mock);
      const indexes = candidates.map((_, index) => index).toSorted((a, b) => rank(candidates[a]?.id) - rank(candidates[b]?.id));
      return indexes.slice(0, limit).map((index, place) => ({ index, score: 1 - place / Math.max(1, candidates.length) }));
    },
  };
}

function mockWorker(mock: Mock, name: string): unknown {
  const type = `MOCK_${name.replaceAll("-", "_").toUpperCase()}`;
  const nodes = Object.entries(mock.outputs ?? {}).map(([node, output]) => {
    const handler = async (): Promise<JsonValue> => orFail(mock, output);
    return [node, defineNode(type, node as never, handler as never)] as const;
  });
  return defineWorker({ type, nodes: Object.fromEntries(nodes) as never });
}
