// Checks that documents about this package hold: `npm run check:documents -- FOLDER ... [--dist]`, with the folders that
// hold them, as text or Markdown. Every block of code in them is compiled against the package, under `strict` alone and
// with this repository's flags, and what it hands out is run; `--dist` takes the build instead of the source.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.argv = [process.argv[0], process.argv[1], join(root, "test/documents/main.ts"), ...process.argv.slice(2)];
await import("./run.mjs");
