import type { CompiledFile } from "../live/compile-file.ts";
import type { CliCall } from "./cli-command.ts";
import { readLoadOptions } from "./load-options.ts";
import { pipelinePath } from "./pipeline-path.ts";

/** A file as far as it can be compiled without opening anything. */
export interface CompiledArgument {
  readonly file: CompiledFile;
  /** What `--set` changed. */
  readonly overrides: ReadonlySet<string>;
  /** Whether it has errors: they were told. */
  readonly failed: boolean;
}

/**
 * Compiles the file that a command's first argument names, and tells on standard error what is wrong with it.
 *
 * @param call The command's call.
 */
export async function compileArgument({ args, options, context }: CliCall): Promise<CompiledArgument> {
  const [path, load, { compilePipelineFile }] = await Promise.all([
    pipelinePath(args[0], context),
    readLoadOptions(options, context),
    import("../live/compile-file.ts"),
  ]);
  const file = await compilePipelineFile(path, { ...load, noEnv: true, judgeOnly: true });
  const { diagnostics } = file;
  if (diagnostics.length > 0) {
    const { formatPretty } = await import("../diagnostics/format-pretty.ts");
    context.err.write(formatPretty(diagnostics, { color: context.err.color }));
  }
  return { file, overrides: new Set(Object.keys(load.vars)), failed: diagnostics.some(({ severity }) => severity === "error") };
}
