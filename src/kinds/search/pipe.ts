import { defineKind } from "../../plugin/define-plugin.ts";
import type { DescribeScope, KindDefinition } from "../../plugin/plugin-definition.ts";
import type { ComponentFacts } from "../../contracts/component-facts.ts";
import type { RetrievalSearchProvider } from "../../contracts/retrieval.ts";

/** Nesting written in order: each step is the next one's `search`. */
export const pipeKind: KindDefinition<"search", readonly RetrievalSearchProvider[]> = defineKind({
  kind: "pipe",
  role: "search",
  summary: "Several searches in order: each step is the next one's `search`.",
  schema: { type: "array", minItems: 1, items: { description: "A step.", "x-ditto-slot": { role: "search", chain: true } } },
  example: ["hybrid", { refine: { where: "${ candidate.score > 0.5 }" } }],
  describe: describePipe,
  create: (steps) => steps.at(-1) as RetrievalSearchProvider,
});

function describePipe(configuration: unknown, scope: DescribeScope): ComponentFacts {
  const last = Array.isArray(configuration) ? configuration.length - 1 : 0;
  const { names: _, warnings: __, ...facts } = scope.slot(`/${last}`) ?? {};
  return facts;
}
