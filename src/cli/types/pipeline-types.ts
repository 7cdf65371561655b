import type { JsonSchema } from "../../contracts/json-schema.ts";
import { commonSchema } from "../../expression/types/common-schema.ts";
import { inlineReferences } from "../../expression/types/inline-references.ts";
import type { Plan, PlanTarget } from "../../pipeline/model/plan.ts";
import { printType } from "./print-type.ts";

/**
 * Writes the types of what a file's graphs take and give, and of what its targets find: a declaration file.
 *
 * @param plan A plan without errors.
 * @param path The file, as it is shown.
 */
export function pipelineTypes(plan: Plan, path: string): string {
  const name = `${pascal(plan.name)}Pipeline`;
  const graphs = Object.values(plan.graphs);
  const targets = Object.entries(plan.targets);
  const single = { graph: graphs.length === 1, target: targets.length === 1 };
  const members = [
    ...graphs.map((graph) => {
      const input = pascal(graph.name);
      return `  /** Runs the graph "${graph.name}". */\n  run(input: ${input}Input, options${single.graph ? "?" : ""}: PipelineCallOptions & { readonly graph${single.graph ? "?" : ""}: "${graph.name}" }): Promise<${input}Output>;`;
    }),
    ...targets.map(([target, { strategies }]) => {
      const names = Object.keys(strategies).map((strategy) => JSON.stringify(strategy));
      const request = `PipelineSearchRequest & { readonly target${single.target ? "?" : ""}: "${target}"; readonly strategy?: ${names.join(" | ")} }`;
      return `  /** Searches the target "${target}". */\n  search(request: ${request}, options?: PipelineCallOptions): Promise<NodeResult<SearchOutput<${pascal(target)}Candidate>>>;`;
    }),
  ];
  const declarations = [
    ...graphs.flatMap(({ name: graph, input, result }) => [
      `/** What the graph "${graph}" takes. */\nexport type ${pascal(graph)}Input = ${printType(inlineReferences(input))};`,
      `/** What the graph "${graph}" gives. */\nexport type ${pascal(graph)}Output = ${printType(inlineReferences(result))};`,
    ]),
    ...targets.map(
      ([target, strategies]) => `/** What the target "${target}" finds. */\nexport type ${pascal(target)}Candidate = ${candidateType(strategies, plan)};`,
    ),
    ...(targets.length === 0 ? [] : ['type SearchOutput<C> = Omit<RetrievalSearchOutput, "candidates"> & { readonly candidates: readonly C[] };']),
    `/** The pipeline, for \`loadPipeline<${name}>("${path}")\`. */\nexport interface ${name} extends Omit<Pipeline, ${[...(graphs.length > 0 ? ['"run"'] : []), ...(targets.length > 0 ? ['"search"'] : [])].join(" | ") || "never"}> {\n${members.join("\n")}\n}`,
  ];
  const text = declarations.join("\n\n");
  return `// Written by \`ditto types ${path}\`; write it again when the file changes.\n${imports(text)}\n${text}\n`;
}

/** The imports of the names that a text uses. */
function imports(text: string): string {
  const sources = {
    contracts: ["NodeResult", "RetrievalCandidate", "RetrievalSearchOutput"],
    pipeline: ["Pipeline", "PipelineCallOptions", "PipelineSearchRequest"],
  };
  return Object.entries(sources)
    .map(([entry, names]) => ({ entry, names: names.filter((name) => new RegExp(`\\b${name}\\b`, "u").test(text)) }))
    .map(({ entry, names }) => (names.length === 0 ? "" : `import type { ${names.join(", ")} } from "@codesoul-co/ditto/${entry}";\n`))
    .join("");
}

/** What all strategies of a target have in common is what a caller can count on. */
function candidateType({ strategies }: PlanTarget, plan: Plan): string {
  const schemas = Object.values(strategies).map((id): JsonSchema => plan.components.find((component) => component.id === id)?.facts.candidate ?? {});
  const type = printType(inlineReferences(commonSchema(schemas)));
  return type === "unknown" ? "RetrievalCandidate" : type;
}

/** A name of the language as a type's: `support-kb` is `SupportKb`. */
function pascal(name: string): string {
  return name
    .split(/[-_]+/u)
    .filter((word) => word !== "")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}
