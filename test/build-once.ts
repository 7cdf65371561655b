import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/** Builds `dist` before the tests, since the command and the worker threads run from it; `DITTO_TEST_DIST=keep` takes what is there. */
export default function buildOnce(): void {
  if (process.env.DITTO_TEST_DIST === "keep" && existsSync(join(root, "dist/cli.cjs"))) return;
  execFileSync(process.execPath, [join(root, "scripts/build.mjs")], { stdio: ["ignore", "inherit", "inherit"] });
}
