import type { RetrievalSearchInput, RetrievalSearchProvider } from "@codesoul-co/ditto/retrieval";
import { RetrievalError } from "@codesoul-co/ditto/retrieval";
import { type ApplicationMemories, type FoundRow, toItem } from "./application-memories.ts";
import { hashedVector } from "./hashed-embedding.ts";

/** A search of the application's own, and what it was asked. */
export interface NotedSearch extends RetrievalSearchProvider {
  readonly asked: RetrievalSearchInput[];
}

/** Full text over the application's database; contents are whole memories, or their texts. */
export function textSearchOf(memories: ApplicationMemories, content: "memory" | "text" = "memory"): NotedSearch {
  return noted(content, ({ query, target, limit = 10 }) => {
    if (typeof query.content !== "string") throw new RetrievalError("RETRIEVAL_INVALID_INPUT", "The query must be a text");
    return memories.findText(query.content, target.namespace ?? null, limit);
  });
}

/** Nearest neighbours over the application's database; with `native` it embeds texts itself. */
export function vectorSearchOf(memories: ApplicationMemories, { native = false }: { readonly native?: boolean } = {}): NotedSearch {
  return noted("memory", ({ query, target, limit = 10 }) => {
    const vector = native && typeof query.content === "string" ? hashedVector(query.content) : query.content;
    if (!Array.isArray(vector)) throw new RetrievalError("RETRIEVAL_INVALID_INPUT", "The query must be a vector");
    return memories.findNear(vector, target.namespace ?? null, limit);
  });
}

function noted(content: "memory" | "text", find: (input: RetrievalSearchInput) => readonly FoundRow[]): NotedSearch {
  const asked: RetrievalSearchInput[] = [];
  return {
    asked,
    async search(input) {
      asked.push(input);
      const candidates = find(input).map((row) => {
        const item = toItem(row);
        return { id: row.id, content: content === "memory" ? item : item.content, score: row.score };
      });
      return { candidates, target: input.target, ...(input.strategy === undefined ? {} : { strategy: input.strategy }) };
    },
  };
}
