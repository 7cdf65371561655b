import type { CliCall, CliCommand } from "../cli-command.ts";
import { compileArgument } from "../compile-argument.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { type PartGraph, partGraph } from "../../picture/part-graph.ts";
import { declareLoadOptions } from "../load-options.ts";
import { UsageError } from "../usage-error.ts";

/** How a drawing is written, by the name of its format. */
const formats: Readonly<Record<string, (graph: PartGraph) => Promise<string>>> = {
  mermaid: async (graph) => (await import("../../picture/mermaid.ts")).mermaid(graph),
  dot: async (graph) => (await import("../../picture/dot.ts")).dot(graph),
  svg: async (graph) => (await import("../../picture/svg.ts")).svg(graph),
  json: async (graph) => `${JSON.stringify(graph, null, 2)}\n`,
};

/** `ditto graph`: how a file's parts hang together. */
export const graphCommand: CliCommand = {
  declare: (command) => {
    command.argument("<file>", "the pipeline file").option("--format <name>", Object.keys(formats).join(", "), "mermaid");
    declareLoadOptions(command);
  },
  examples: [
    ["ditto graph pipelines/kb.yaml", "as a Mermaid flowchart, for Markdown"],
    ["ditto graph pipelines/kb.yaml --format svg > kb.svg", "as an image that needs nothing else"],
  ],
  run: graph,
};

async function graph(call: CliCall): Promise<ExitCode> {
  const name = String(call.options["format"]);
  const write = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (write === undefined) throw new UsageError(`--format knows ${Object.keys(formats).join(", ")}, not "${name}"`);
  const { file } = await compileArgument(call);
  if (file.plan === undefined) return exitCodes.failed;
  call.context.out.write(await write(partGraph(file.plan)));
  return exitCodes.fine;
}
