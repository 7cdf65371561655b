import { countNoun } from "../../base/count-noun.ts";
import type { Pipeline } from "../../live/pipeline.ts";
import type { CliCall, CliCommand } from "../cli-command.ts";
import type { CliContext } from "../cli-context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { declareLoadOptions } from "../load-options.ts";
import { withPipeline } from "../with-pipeline.ts";

/** `ditto setup`: prints or makes what collections need on a server. */
export const setupCommand: CliCommand = {
  declare: (command) => {
    command
      .argument("<file>", "the pipeline file")
      .option("--apply", "make it, instead of printing it")
      .option("--json", "print the statements by collection as JSON");
    declareLoadOptions(command);
  },
  examples: [
    ["ditto setup kb.yaml", "print the statements that are missing"],
    ["ditto setup kb.yaml --apply", "run them"],
  ],
  run: async ({ args, options, context }: CliCall): Promise<ExitCode> =>
    withPipeline(args[0], { options, context, fill: false }, (pipeline) =>
      options["json"] === true
        ? printJson(pipeline, { context, isApplied: options["apply"] === true })
        : options["apply"] === true
          ? apply(pipeline, context)
          : print(pipeline, context),
    ),
};

async function printJson(pipeline: Pipeline, { context, isApplied }: { readonly context: CliContext; readonly isApplied: boolean }): Promise<ExitCode> {
  const statements: Record<string, readonly string[]> = {};
  for (const [name, port] of Object.entries(pipeline.setups)) {
    const missing = await port.plan(context.signal);
    if (isApplied && missing.length > 0) await port.apply(context.signal);
    statements[name] = missing;
  }
  context.out.write(`${JSON.stringify({ applied: isApplied, statements }, null, 2)}\n`);
  return exitCodes.fine;
}

async function print(pipeline: Pipeline, { out, err, signal }: CliContext): Promise<ExitCode> {
  let missing = 0;
  for (const [name, port] of Object.entries(pipeline.setups)) {
    const statements = await port.plan(signal);
    missing += statements.length;
    if (statements.length > 0) out.write(`-- ${name}\n${statements.map(terminated).join("\n\n")}\n\n`);
  }
  err.write(missing === 0 ? "nothing is missing\n" : "ditto setup FILE --apply runs these\n");
  return exitCodes.fine;
}

/** SQL is ended, so that what is printed can be handed to the database's own shell. */
function terminated(statement: string): string {
  const text = statement.trimEnd();
  return /^(?:create|alter|drop|insert|update|delete|set|lock)\s/iu.test(text) && !text.endsWith(";") ? `${text};` : text;
}

async function apply(pipeline: Pipeline, { out, err, signal }: CliContext): Promise<ExitCode> {
  let missing = 0;
  for (const [name, port] of Object.entries(pipeline.setups)) {
    const statements = await port.plan(signal);
    if (statements.length === 0) continue;
    missing += statements.length;
    await port.apply(signal);
    out.write(`${name}: ${countNoun(statements.length, "statement")} run\n`);
  }
  if (missing === 0) err.write("nothing is missing\n");
  return exitCodes.fine;
}
