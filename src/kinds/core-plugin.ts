import { type PluginDefinition, pluginApiVersion } from "../plugin/plugin-definition.ts";
import { httpCallKind } from "./call/http.ts";
import { httpConnectionKind } from "./connection/http.ts";
import { memoryContextStoreKind } from "./context-store/memory.ts";
import { redisContextStoreKind } from "./context-store/redis.ts";
import { httpEmbeddingKind } from "./embedding/http.ts";
import { httpRerankerKind } from "./reranker/http.ts";
import { cohereKind, jinaKind, teiKind } from "./reranker/service-rerankers.ts";
import { cosineKind, mmrKind } from "./reranker/vector-rerankers.ts";
import { httpSearchKind } from "./search/http.ts";
import { hybridKind } from "./search/hybrid.ts";
import { memorySearchKind } from "./search/memory.ts";
import { pipeKind } from "./search/pipe.ts";
import { refineKind } from "./search/refine.ts";
import { remoteKind } from "./search/remote.ts";
import { rerankKind } from "./search/rerank.ts";
import { rewriteKind } from "./search/rewrite.ts";
import { routeKind } from "./search/route.ts";
import { sqlKind } from "./search/sql.ts";
import { textKind } from "./search/text.ts";
import { vectorKind } from "./search/vector.ts";
import { remoteWorkerKind } from "./worker/remote-worker.ts";

/** The kinds that are always there, as a plugin like any other. */
export const corePlugin: PluginDefinition = Object.freeze({
  name: "core",
  apiVersion: pluginApiVersion,
  kinds: [
    vectorKind,
    textKind,
    hybridKind,
    rerankKind,
    refineKind,
    rewriteKind,
    routeKind,
    pipeKind,
    sqlKind,
    httpSearchKind,
    memorySearchKind,
    remoteKind,
    cosineKind,
    mmrKind,
    cohereKind,
    jinaKind,
    teiKind,
    httpRerankerKind,
    httpEmbeddingKind,
    httpCallKind,
    httpConnectionKind,
    memoryContextStoreKind,
    redisContextStoreKind,
    remoteWorkerKind,
  ],
});
