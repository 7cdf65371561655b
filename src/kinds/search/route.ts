import { isRecord } from "../../base/is-record.ts";
import { nearestName } from "../../base/nearest-names.ts";
import type { ComponentFacts, FactWarning } from "../../contracts/component-facts.ts";
import type { RetrievalSearchProvider } from "../../contracts/retrieval.ts";
import { defineKind } from "../../plugin/define-plugin.ts";
import type { DescribeScope, Evaluate, KindDefinition } from "../../plugin/plugin-definition.ts";
import { createRouteSearchProvider } from "../../retrieval/providers/route.ts";
import { joinCandidates } from "../join-candidates.ts";
import { requestNames } from "../request-names.ts";
import { type SearchOptions, searchOptionSchemas, withSearchOptions } from "../search-options.ts";

interface RouteConfiguration extends SearchOptions {
  readonly by: Evaluate;
  readonly branches: Readonly<Record<string, { readonly search: RetrievalSearchProvider }>>;
  readonly default?: string;
}

/** One of several searches, chosen by the request: `createRouteSearchProvider`. */
export const routeKind: KindDefinition<"search", RouteConfiguration> = defineKind({
  kind: "route",
  role: "search",
  summary: "Chooses one of several searches by the request: by language, by intent, for an experiment.",
  schema: {
    type: "object",
    additionalProperties: false,
    required: ["by", "branches"],
    properties: {
      by: { type: "string", description: "Gives the name of a branch.", "x-ditto-place": { sees: ["query", "filter", "limit", "target"] } },
      branches: {
        type: "object",
        minProperties: 1,
        propertyNames: { pattern: "^[a-z][a-z0-9_-]*$" },
        description: "The searches, by name.",
        additionalProperties: {
          type: "object",
          additionalProperties: false,
          properties: { search: { description: "Left out, the sibling strategy of the branch's name.", "x-ditto-slot": { role: "search", absent: "key" } } },
        },
      },
      default: { type: "string", description: "The branch of requests for which `by` names none of them." },
      ...searchOptionSchemas,
    },
  },
  example: { by: '${ query.content.matches("\\\\p{Han}") ? "zh" : "en" }', branches: { zh: { search: "vector-zh" }, en: { search: "vector-en" } } },
  describe: describeRoute,
  create: (configuration, scope) => {
    const { by, branches, default: standard } = configuration;
    const provider = createRouteSearchProvider({
      by: (request) => by(requestNames(request)) as string | null | undefined,
      branches: Object.fromEntries(Object.entries(branches).map(([name, { search }]) => [name, search])),
      default: standard,
    });
    return withSearchOptions(provider, { ...configuration, step: scope.name });
  },
});

function describeRoute(configuration: unknown, scope: DescribeScope): ComponentFacts {
  const settings = isRecord(configuration) ? configuration : {};
  const names = isRecord(settings.branches) ? Object.keys(settings.branches) : [];
  const branches = names.map((name) => scope.slot(`/branches/${name}/search`));
  const standard = settings.default;
  const scored = branches.every((facts) => facts?.candidate?.required?.includes("score") === true);
  const joined = joinCandidates(branches.map((facts) => facts?.candidate));
  return {
    candidate: scored || joined === undefined ? joined : { ...joined, required: (joined.required ?? []).filter((name) => name !== "score") },
    reaches: branches.flatMap((facts) => facts?.reaches ?? [undefined]),
    scoresAreRanks: branches.some((facts) => facts?.scoresAreRanks === true),
    choices: { "/by": { names, otherwise: standard !== undefined } },
    ...(typeof standard === "string" && !names.includes(standard) ? { warnings: [noBranch(standard, names)] } : {}),
  };
}

function noBranch(name: string, names: readonly string[]): FactWarning {
  const suggestion = nearestName(name, names);
  const hint = suggestion === undefined ? `the branches are ${names.slice(0, 8).join(", ")}` : undefined;
  return { pointer: "/default", span: { start: 0, end: name.length }, severity: "error", message: `"${name}" is no branch`, suggestion, hint };
}
