// Runs a TypeScript file of this repository: `node scripts/run.mjs FILE [ARGUMENT ...]`. It is bundled beside the
// dependencies first, since Node 20 reads no types; source is taken everywhere, never a stale build.
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [file, ...rest] = process.argv.slice(2);
if (file === undefined) {
  console.error("usage: node scripts/run.mjs FILE [ARGUMENT ...]");
  process.exit(2);
}

const folder = join(root, ".cache/run", String(process.pid));
mkdirSync(folder, { recursive: true });
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const build = await rolldown({
  input: { main: resolve(file) },
  platform: "node",
  external: (id) => !id.startsWith(".") && !id.startsWith("/") && !id.startsWith("@codesoul-co/ditto"),
  resolve: { conditionNames: ["ditto-source", "node", "import", "default"] },
  logLevel: "silent",
});
await build.write({ dir: folder, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" });
await build.close();

process.argv = [process.argv[0], resolve(file), ...rest];
await import(pathToFileURL(join(folder, "main.mjs")).href);
