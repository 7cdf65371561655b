import type { InputOf, NodeType, OutputOf } from "../../../src/contracts/node-contract-map.ts";
import type { RetrievalCandidate } from "../../../src/contracts/retrieval.ts";
import type { Collection } from "../../../src/contracts/collection.ts";
import type { Pipeline, PipelineSearchRequest } from "../../../src/live/pipeline.ts";
import { createDitto } from "../../../src/runtime/create-ditto.ts";

/** Searches and gives what was found; fails where the search does. */
export async function found(pipeline: Pipeline, question: unknown, more: Omit<PipelineSearchRequest, "query"> = {}): Promise<readonly RetrievalCandidate[]> {
  const result = await pipeline.search({ query: { content: question }, ...more });
  if (result.status !== "success" || result.output === undefined) throw new Error(`${result.error?.code}: ${result.error?.message}`);
  return result.output.candidates;
}

/** Contents of what was found. */
export async function contents(pipeline: Pipeline, question: unknown, more?: Omit<PipelineSearchRequest, "query">): Promise<unknown[]> {
  return (await found(pipeline, question, more)).map(({ content }) => content);
}

/** Invokes a node of a pipeline's own workers, on a Runtime of the test's. */
export async function invoke<N extends NodeType>(pipeline: Pipeline, node: N, input: InputOf<N>): Promise<OutputOf<N>> {
  const runtime = createDitto({ workers: pipeline.workers });
  try {
    return await runtime.invoke(node, input);
  } finally {
    await runtime.close();
  }
}

/** Writes texts into a collection of a pipeline. */
export async function write(
  pipeline: Pipeline,
  name: string,
  memories: readonly (string | { readonly content: unknown; readonly metadata?: Record<string, unknown> })[],
): Promise<void> {
  const collection = pipeline.resource(name) as Collection;
  await collection.write({ memories: memories.map((memory) => (typeof memory === "string" ? { content: memory } : memory)) });
}
