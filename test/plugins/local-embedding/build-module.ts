import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

/**
 * Bundles one module of the plugin into a temporary file, since threads and processes of Node 20 start from JavaScript
 * only, and these tests are about the source as it is now.
 *
 * @param path Path in `plugins/local-embedding`, such as `encoder-thread.ts`.
 * @returns Absolute path of the bundle.
 */
export async function buildModule(path: string): Promise<string> {
  const build = await rolldown({
    input: fileURLToPath(new URL(`../../../plugins/local-embedding/${path}`, import.meta.url)),
    platform: "node",
    resolve: { conditionNames: ["ditto-source", "node", "import", "default"] },
  });
  const file = join(mkdtempSync(join(tmpdir(), "ditto-module-")), "module.mjs");
  await build.write({ file, format: "esm", codeSplitting: false });
  await build.close();
  return file;
}
