import { isRecord } from "../../base/is-record.ts";
import type { ComponentFacts } from "../../contracts/component-facts.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";
import type { RetrievalCandidate, RetrievalSearchProvider } from "../../contracts/retrieval.ts";
import { RetrievalError } from "../../contracts/retrieval-error.ts";
import { defineKind } from "../../plugin/define-plugin.ts";
import type { DescribeScope, Evaluate, KindDefinition } from "../../plugin/plugin-definition.ts";
import { createHybridSearchProvider } from "../../retrieval/providers/hybrid.ts";
import { joinCandidates } from "../join-candidates.ts";
import { labelSchema, type SearchOptions, searchOptionSchemas, timeoutSchema, withSearchOptions } from "../search-options.ts";

interface HybridConfiguration extends SearchOptions {
  readonly branches: Readonly<Record<string, BranchConfiguration>>;
  readonly candidateLimit?: number;
  readonly rrfK?: number;
  readonly fusion: "rrf" | "minmax";
  readonly key?: Evaluate;
}

interface BranchConfiguration {
  readonly search: RetrievalSearchProvider;
  readonly weight: number;
  readonly limit?: number;
  readonly timeoutMs?: number;
  readonly label?: string;
  readonly onError: "fail" | "skip";
}

const branchSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    search: {
      description: "What the branch searches with; left out, the sibling strategy of the branch's name.",
      "x-ditto-slot": { role: "search", absent: "key" },
    },
    weight: { type: "number", exclusiveMinimum: 0, default: 1, description: "How much the branch counts." },
    limit: { type: "integer", minimum: 1, maximum: 10000, description: "What the branch contributes at most, even below the pool." },
    timeoutMs: timeoutSchema,
    label: labelSchema,
    onError: { enum: ["fail", "skip"], default: "fail", description: "`skip` leaves the branch out when it fails; the answer then says that it is degraded." },
  },
};

/** Several searches at once, fused: `createHybridSearchProvider`. */
export const hybridKind: KindDefinition<"search", HybridConfiguration> = defineKind({
  kind: "hybrid",
  role: "search",
  summary: "Asks several searches at once and fuses what they find, each with its weight.",
  schema: {
    type: "object",
    additionalProperties: false,
    required: ["branches"],
    properties: {
      branches: {
        type: "object",
        minProperties: 1,
        propertyNames: { pattern: "^[a-z][a-z0-9_-]*$" },
        additionalProperties: branchSchema,
        description: "The searches, by name.",
      },
      candidateLimit: { type: "integer", minimum: 1, maximum: 10000, description: "Floor of what each branch is asked for; built-in 100." },
      rrfK: { type: "integer", minimum: 1, maximum: 9007199254740991, description: "The constant of reciprocal rank fusion; built-in 60." },
      fusion: {
        enum: ["rrf", "minmax"],
        default: "rrf",
        description: "`rrf` adds weight / (rrfK + rank); `minmax` adds weight times the score scaled to 0..1 in each branch.",
      },
      key: {
        type: "string",
        minLength: 1,
        description: "Names what a candidate is: equal names merge. Built-in: source and id.",
        "x-ditto-place": { sees: ["candidate"] },
      },
      ...searchOptionSchemas,
    },
  },
  example: { branches: { vector: { weight: 0.7 }, keyword: {} } },
  describe: describeHybrid,
  create: (configuration, scope) => {
    const { branches, candidateLimit, rrfK, fusion, key } = configuration;
    const provider = createHybridSearchProvider({
      branches: Object.entries(branches).map(([name, branch]) => ({ ...branch, provider: branch.search, strategy: name, label: branch.label ?? name })),
      candidateLimit,
      rrfK,
      fusion,
      key: key === undefined ? undefined : (candidate: RetrievalCandidate) => keyText(key({ candidate })),
    });
    return withSearchOptions(provider, { ...configuration, step: scope.name });
  },
});

function keyText(value: unknown): string {
  if (typeof value === "string") return value;
  throw new RetrievalError("RETRIEVAL_INVALID_BACKEND_OUTPUT", "The fusion key of a candidate is no text");
}

function describeHybrid(configuration: unknown, scope: DescribeScope): ComponentFacts {
  const settings = isRecord(configuration) ? configuration : {};
  const names = isRecord(settings.branches) ? Object.keys(settings.branches) : [];
  const branches = names.map((name) => scope.slot(`/branches/${name}/search`));
  const candidate = joinCandidates(branches.map((facts) => facts?.candidate));
  const minmax = settings.fusion === "minmax";
  return {
    candidate,
    reaches: branches.flatMap((facts) => facts?.reaches ?? [undefined]),
    vectorModels: [...new Set(branches.flatMap((facts) => facts?.vectorModels ?? []))],
    scoresAreRanks: !minmax,
    names: { candidate: candidate ?? {} },
    ...(minmax && settings.rrfK !== undefined
      ? {
          warnings: [
            { pointer: "/rrfK", severity: "error", message: "rrfK has no meaning with minmax fusion", hint: "remove it, or use `fusion: rrf`" },
          ] as const,
        }
      : {}),
  };
}
