import { createHash } from "node:crypto";
import { isRecord } from "../base/is-record.ts";
import type { JsonSchema } from "../contracts/json-schema.ts";
import { commonSchema } from "../expression/types/common-schema.ts";
import { inlineReferences } from "../expression/types/inline-references.ts";
import type { Generation } from "../live/live-pipelines.ts";
import type { Plan, PlanTarget } from "../pipeline/model/plan.ts";
import { closedObject } from "./schema-parts.ts";
import { searchSchema } from "./search-form.ts";

/** A pipeline as the document describes it. */
export interface DescribedPipeline {
  readonly plan: Plan;
  readonly generation: Generation;
}

/**
 * Describes what a server answers as an OpenAPI 3.1 document; `info.version` changes with any generation.
 *
 * @param pipelines Those to describe.
 * @param options `tokens`: whether a bearer token is needed.
 */
export function openApi(pipelines: readonly DescribedPipeline[], { tokens }: { readonly tokens: boolean }): Readonly<Record<string, unknown>> {
  const version = createHash("sha256");
  for (const { plan, generation } of pipelines) version.update(`${plan.name} ${generation.hash}\n`);
  return {
    openapi: "3.1.0",
    jsonSchemaDialect: "http://json-schema.org/draft-07/schema#",
    info: { title: "Ditto", version: version.digest("hex").slice(0, 16), description: "Searches and graphs of pipeline files." },
    ...(tokens ? { security: [{ token: [] }] } : {}),
    paths: Object.assign({}, ...pipelines.map(pipelinePaths)) as Readonly<Record<string, unknown>>,
    components: {
      ...(tokens ? { securitySchemes: { token: { type: "http", scheme: "bearer" } } } : {}),
      schemas: { Generation: generationSchema, Error: errorSchema },
      responses: { Error: { description: "It failed; the status says whose fault it is.", content: json({ $ref: "#/components/schemas/Error" }) } },
    },
  };
}

const text: JsonSchema = { type: "string" };

const generationSchema: JsonSchema = {
  ...closedObject({ number: { type: "integer", minimum: 1 }, hash: text }),
  description: "The state of the pipeline's files that the answer comes from.",
};

const errorSchema: JsonSchema = closedObject({
  error: closedObject(
    {
      code: { ...text, description: "Stable; decide by it." },
      message: text,
      requestId: text,
      details: { type: "array", items: closedObject({ path: { ...text, description: "JSON pointer into the body." }, message: text }) },
      allowed: { type: "array", items: text },
    },
    ["code", "message", "requestId"],
  ),
});

function pipelinePaths({ plan, generation }: DescribedPipeline): Readonly<Record<string, unknown>> {
  const base = `/v1/pipelines/${plan.name}`;
  const common = { tags: [plan.name], "x-ditto-generation": { number: generation.number, hash: generation.hash } };
  const graphs = Object.values(plan.graphs).map((graph) => {
    const operation = {
      ...common,
      operationId: `${plan.name}.run.${graph.name}`,
      summary: `Runs the graph "${graph.name}".`,
      ...exchange(plan.name, { body: inlineReferences(graph.input), output: inlineReferences(graph.result) }),
    };
    return [`${base}/run/${graph.name}`, { post: operation }] as const;
  });
  if (Object.keys(plan.targets).length === 0) return Object.fromEntries(graphs);
  const search = {
    ...common,
    operationId: `${plan.name}.search`,
    summary: plan.description ?? `Searches ${Object.keys(plan.targets).join(", ")}.`,
    ...exchange(plan.name, { body: searchSchema(plan), output: outputSchema(plan) }),
  };
  return Object.fromEntries([[`${base}/search`, { post: search }] as const, ...graphs]);
}

function exchange(pipeline: string, { body, output }: { readonly body: JsonSchema; readonly output: JsonSchema }): Readonly<Record<string, unknown>> {
  const answer = { ...closedObject({ pipeline: { const: pipeline }, generation: {}, output: plain(output) as JsonSchema }) };
  const properties = { ...answer.properties, generation: { $ref: "#/components/schemas/Generation" } };
  return {
    requestBody: { required: true, content: json(plain(body)) },
    responses: { 200: { description: "The answer.", content: json({ ...answer, properties }) }, default: { $ref: "#/components/responses/Error" } },
  };
}

function json(schema: unknown): Readonly<Record<string, unknown>> {
  return { "application/json": { schema } };
}

function outputSchema(plan: Plan): JsonSchema {
  const candidates = Object.values(plan.targets).map((target) => candidateSchema(target, plan));
  const [only] = candidates;
  const items = candidates.length === 1 && only !== undefined ? only : { anyOf: candidates };
  const object: JsonSchema = { type: "object" };
  return closedObject(
    {
      candidates: { type: "array", items },
      strategy: text,
      target: closedObject({ name: text, type: text, namespace: text, metadata: object }, ["name"]),
      metadata: { ...object, description: "How the answer came about; `degraded` lists what was skipped or replaced." },
    },
    ["candidates", "target"],
  );
}

/** What all strategies of a target have in common is what a caller can count on. */
function candidateSchema({ strategies }: PlanTarget, { components }: Plan): JsonSchema {
  const schemas = Object.values(strategies).map((id) => components.find((component) => component.id === id)?.facts.candidate);
  if (schemas.includes(undefined)) return candidate;
  return inlineReferences(commonSchema(schemas.map((schema) => schema ?? {})));
}

const candidate: JsonSchema = closedObject(
  { id: text, content: {}, score: { type: "number" }, source: closedObject({ target: text, ref: text }, []), metadata: { type: "object" } },
  ["content"],
);

/** A schema without this project's annotations. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, member]) => (key.startsWith("x-ditto-") ? [] : [[key, plain(member)] as const])));
}
