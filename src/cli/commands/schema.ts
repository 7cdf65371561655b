import { readFile } from "node:fs/promises";
import type { CliCommand } from "../cli-command.ts";
import { exitCodes } from "../exit-codes.ts";
import { packageFile } from "../package-file.ts";

/** `ditto schema`: the schema that editors complete and check pipeline files by. */
export const schemaCommand: CliCommand = {
  declare: () => undefined,
  examples: [["ditto schema > pipeline.schema.json", "write it to a file, for `# yaml-language-server: $schema=pipeline.schema.json`"]],
  run: async ({ context }) => {
    context.out.write(await readFile(packageFile("schema/pipeline.schema.json"), "utf8"));
    return exitCodes.fine;
  },
};
