import type { CliCall, CliCommand } from "../cli-command.ts";
import { compileArgument } from "../compile-argument.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { declareLoadOptions } from "../load-options.ts";
import { pipelineTypes } from "../types/pipeline-types.ts";

/** `ditto types`: TypeScript types of what a file's graphs and searches take and give. */
export const typesCommand: CliCommand = {
  declare: (command) => {
    command.argument("<file>", "the pipeline file");
    declareLoadOptions(command);
  },
  examples: [["ditto types pipelines/kb.yaml > kb.d.ts", "then `loadPipeline<KbPipeline>(...)` is typed by the file"]],
  run: types,
};

async function types(call: CliCall): Promise<ExitCode> {
  const { file } = await compileArgument(call);
  if (file.plan === undefined) return exitCodes.failed;
  call.context.out.write(pipelineTypes(file.plan, file.plan.file.path));
  return exitCodes.fine;
}
