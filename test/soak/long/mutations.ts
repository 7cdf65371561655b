// Mutated pipeline files: `npm run soak -- mutations [COUNT] [FROM]`, by default 100,000 files from the first seed on.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const [count = "100000", from = "0"] = process.argv.slice(2);
const root = join(import.meta.dirname, "../../..");
const { status } = spawnSync(process.execPath, [join(root, "node_modules/vitest/vitest.mjs"), "run", "test/pipeline/mutated-files.test.ts"], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, DITTO_MUTATIONS: count, DITTO_MUTATIONS_FROM: from, DITTO_TEST_DIST: "keep" },
});
if (status === 0) console.log(`${count} files from seed ${from} on: none crashed, hung, or failed without a code`);
process.exitCode = status ?? 1;
