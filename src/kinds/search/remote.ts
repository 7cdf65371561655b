import type { RetrievalSearchProvider } from "../../contracts/retrieval.ts";
import { defineKind } from "../../plugin/define-plugin.ts";
import type { KindDefinition } from "../../plugin/plugin-definition.ts";
import { createRemoteSearchProvider } from "../../retrieval/providers/remote.ts";
import { type SearchOptions, searchOptionSchemas, withSearchOptions } from "../search-options.ts";
import type { RemoteWorkerResource } from "../worker/remote-worker.ts";

interface RemoteConfiguration extends SearchOptions {
  readonly worker: RemoteWorkerResource;
  readonly target: string;
  readonly strategy?: string;
}

/** Another process's search: `createRemoteSearchProvider`. */
export const remoteKind: KindDefinition<"search", RemoteConfiguration> = defineKind({
  kind: "remote",
  role: "search",
  summary: "Asks RETRIEVAL.SEARCH of a worker in another process, never of this one.",
  schema: {
    type: "object",
    additionalProperties: false,
    required: ["worker", "target"],
    properties: {
      worker: { description: "The worker that answers; it serves RETRIEVAL.SEARCH.", "x-ditto-slot": { role: "worker", kinds: ["remote-worker"] } },
      target: { type: "string", minLength: 1, description: "The other side's target." },
      strategy: {
        type: "string",
        minLength: 1,
        description:
          "The other target's strategy; its default unless said. Under `memory.search` and `context.rag.search` a request's own strategy goes along.",
      },
      ...searchOptionSchemas,
    },
  },
  example: { worker: "search-host", target: "kb" },
  describe: () => ({ reaches: [undefined] }),
  create: (configuration, scope) => {
    const { worker, target, strategy } = configuration;
    const fixed = { target, workerId: worker.workerId };
    // Below a target, the request's strategy is this file's name for it; elsewhere it is the caller's word for the other side.
    const passes = scope.target === undefined && strategy === undefined;
    const standing = createRemoteSearchProvider({ ...fixed, strategy });
    const provider: RetrievalSearchProvider = {
      search: (input, context) => {
        if (!passes || input.strategy === undefined) return standing.search(input, context);
        return createRemoteSearchProvider({ ...fixed, strategy: input.strategy }).search(input, context);
      },
    };
    return withSearchOptions(provider, { ...configuration, step: scope.name });
  },
});
