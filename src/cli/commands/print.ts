import type { CliCall, CliCommand } from "../cli-command.ts";
import { compileArgument } from "../compile-argument.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { declareLoadOptions } from "../load-options.ts";
import { effectiveTree } from "../print/effective-tree.ts";
import { paintFor } from "../render/paint.ts";

/** `ditto print`: what a file says once everything is merged. */
export const printCommand: CliCommand = {
  declare: (command) => {
    command.argument("<file>", "the pipeline file").option("--json", "as JSON: the configuration, and the origin of each value by its pointer");
    declareLoadOptions(command);
  },
  examples: [
    ["ditto print pipelines/kb.yaml", "the effective configuration, each value with the line it comes from"],
    ["ditto print pipelines/kb.yaml --profile production --set limit=20", "with a profile and a variable"],
  ],
  run: print,
};

async function print(call: CliCall): Promise<ExitCode> {
  const { out } = call.context;
  const { file, overrides, failed } = await compileArgument(call);
  if (file.resolved === undefined) return exitCodes.failed;
  const tree = effectiveTree(file.resolved, { overrides });
  if (call.options["json"] === true) {
    const { effectiveJson } = await import("../print/effective-json.ts");
    out.write(`${JSON.stringify({ file: file.resolved.validated.assembled.main.path, ...effectiveJson(tree) }, null, 2)}\n`);
  } else {
    const { effectiveYaml } = await import("../print/effective-yaml.ts");
    const paint = paintFor(out);
    out.write(effectiveYaml(tree, (comment) => paint("dim", comment)));
  }
  return failed ? exitCodes.failed : exitCodes.fine;
}
