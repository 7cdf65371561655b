#!/usr/bin/env node
// The command's file stays where it is, so that a new build never takes its executable bit away.
import { existsSync, readdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { loadBuilt } from "./load-built.mjs";

const root = new URL("../../", import.meta.url);
const built = new URL("dist/cli.cjs", root);

if (!existsSync(built)) {
  process.stderr.write("ditto is not built yet: npm run build\n");
  process.exit(3);
}
// Told to a person only: looking costs as much as the rest of a start.
if (
  process.stderr.isTTY &&
  existsSync(new URL("src/cli/main.ts", root)) &&
  ["src", "plugins", "schema"].some((folder) => newestSource(fileURLToPath(new URL(folder, root))) > statSync(built).mtimeMs)
) {
  process.stderr.write("ditto: dist is older than its sources; npm run build brings it up to date\n");
}
await loadBuilt(fileURLToPath(built)).exports.main(process.argv.slice(2));

/** Only in a checkout: the package as it is installed has no sources. */
function newestSource(folder) {
  let newest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) newest = Math.max(newest, statSync(`${entry.parentPath}/${entry.name}`).mtimeMs);
  }
  return newest;
}
