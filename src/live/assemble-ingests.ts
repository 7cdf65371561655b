import type { Collection } from "../contracts/collection.ts";
import type { JsonObject } from "../contracts/json.ts";
import type { CompiledIngest } from "../pipeline/model/compiled-ingest.ts";
import type { CompiledMapping, CompiledPipeline } from "../pipeline/model/compiled.ts";
import type { PlanIngest } from "../pipeline/model/plan.ts";
import { compileDataValidator } from "../validation/compile-data-validator.ts";

/** Joins each ingest's mapping with its live collections. */
export function assembleIngests(compiled: CompiledPipeline, values: ReadonlyMap<string, unknown>): Readonly<Record<string, CompiledIngest>> {
  const entries = Object.values(compiled.plan.ingests).map((ingest) => {
    const mapping = compiled.ingests[ingest.name] as CompiledMapping;
    return [ingest.name, assembleIngest(ingest, { mapping, values })] as const;
  });
  return Object.fromEntries(entries);
}

function assembleIngest(
  ingest: PlanIngest,
  { mapping, values }: { readonly mapping: CompiledMapping; readonly values: ReadonlyMap<string, unknown> },
): CompiledIngest {
  return {
    name: ingest.name,
    into: ingest.into.map(({ name, id }) => ({ name, collection: values.get(id) as Collection })),
    input: ingest.input,
    validator: async () => (ingest.input === undefined ? () => [] : compileDataValidator(ingest.input)),
    map: (input) => {
      const names = { input, now: Date.now() };
      const metadata = mapping.metadata?.(names);
      return { id: mapping.id(names) as string, content: mapping.content(names), ...(metadata === undefined ? {} : { metadata: metadata as JsonObject }) };
    },
    chunk: ingest.chunk,
    records: ingest.records,
    fill: ingest.fill,
  };
}
