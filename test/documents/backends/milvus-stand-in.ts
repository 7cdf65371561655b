import type { MilvusSearchRequest } from "@codesoul-co/ditto/retrieval";
import type { MemoryItem } from "@codesoul-co/ditto/worker/memory";
import { type ApplicationMemories, toItem } from "./application-memories.ts";
import { hashedVector } from "./hashed-embedding.ts";

/** What the Milvus client gives for one query. */
export interface MilvusAnswer {
  readonly status: { readonly code?: number; readonly error_code?: string | number; readonly reason?: string };
  readonly results: { readonly id: string | number; readonly score: number; readonly memory: MemoryItem }[];
}

/** Statuses as servers and client versions send them. */
export const milvusStatuses = {
  success: { error_code: "Success", reason: "", code: 0 },
  successOfCode: { code: 0, reason: "" },
  missingCollection: { error_code: "UnexpectedError", reason: "collection not found[database=default][collection=memories]", code: 100 },
  oldFailure: { error_code: "IllegalArgument", reason: "password=secret", code: 0 },
} as const;

/** The `search` of a Milvus client over the application's database, which notes its requests. */
export function milvusSearchOf(memories: ApplicationMemories): {
  readonly requests: MilvusSearchRequest[];
  readonly search: (request: MilvusSearchRequest) => Promise<MilvusAnswer>;
} {
  const requests: MilvusSearchRequest[] = [];
  return {
    requests,
    search: async (request) => {
      requests.push(request);
      const [asked] = request.data;
      const vector = typeof asked === "string" ? hashedVector(asked) : asked;
      const tenant = request.exprValues?.tenant;
      const rows = memories.findNear(vector, tenant === undefined ? null : String(tenant), request.limit);
      return { status: milvusStatuses.success, results: rows.map((row) => ({ id: row.id, score: row.score, memory: toItem(row) })) };
    },
  };
}
