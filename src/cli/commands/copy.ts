import { copyCollection } from "../../ingest/copy-collection.ts";
import type { CliCall, CliCommand } from "../cli-command.ts";
import { collectionArgument } from "../collection-argument.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { integerOption } from "../integer-option.ts";
import { declareLoadOptions } from "../load-options.ts";
import { ProgressLine, shortTime } from "../render/progress-line.ts";
import { UsageError } from "../usage-error.ts";
import { withPipeline } from "../with-pipeline.ts";

/** `ditto copy`: embeds one collection anew into another. */
export const copyCommand: CliCommand = {
  declare: (command) => {
    command
      .argument("<file>", "the pipeline file that declares both")
      .argument("<from>", "the collection to read")
      .argument("<to>", "the collection to write")
      .option("--batch <n>", "rows of one transaction, 1 to 10000", "64")
      .option("--json", "print what was done as JSON");
    declareLoadOptions(command);
  },
  examples: [["ditto copy kb.yaml kb kb-next", "fill kb-next, whose embedding is another one, from kb"]],
  run: copy,
};

async function copy({ args, options, context }: CliCall): Promise<ExitCode> {
  const [file, from = "", to = ""] = args;
  const batchSize = integerOption(options["batch"] as string | undefined, { name: "--batch", least: 1, most: 10_000 });
  if (from === to) throw new UsageError("a collection is copied into another one, not into itself");
  return withPipeline(file, { options, context, fill: false }, async (pipeline) => {
    const source = collectionArgument(pipeline, from);
    const target = collectionArgument(pipeline, to);
    const line = new ProgressLine(context.err);
    const startedAt = performance.now();
    const report = await copyCollection(source, target, {
      batchSize,
      signal: context.signal,
      onProgress: ({ done, total }) => line.show({ label: `${from} to ${to}`, done, total, unit: "rows" }),
    }).finally(() => line.clear());
    const { read, written, unchanged, outcome } = report;
    if (options["json"] === true) {
      context.out.write(`${JSON.stringify({ from, to, outcome, read, written, unchanged }, null, 2)}\n`);
      return outcome === "cancelled" ? exitCodes.interrupted : exitCodes.fine;
    }
    const end = outcome === "cancelled" ? "; interrupted: what was written stays, and the next copy goes on from there" : "";
    context.out.write(
      `${from} to ${to}: ${read} rows read, ${written} records written, ${unchanged} unchanged, in ${shortTime(performance.now() - startedAt)}${end}\n`,
    );
    return outcome === "cancelled" ? exitCodes.interrupted : exitCodes.fine;
  });
}
