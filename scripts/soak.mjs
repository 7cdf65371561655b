// Runs long forms of tests: `npm run soak` lists them, `npm run soak -- NAME [ARGUMENT ...]` runs one, to its end or to the first failure.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const folder = join(root, "test/soak/long");
const [name, ...rest] = process.argv.slice(2);

if (name === undefined || !existsSync(join(folder, `${name}.ts`))) {
  const all = readdirSync(folder).flatMap((file) => (file.endsWith(".ts") ? [file.slice(0, -3)] : []));
  console.error(`${name === undefined ? "" : `nothing is called "${name}"; `}there are ${all.join(", ")}`);
  process.exit(name === undefined ? 0 : 2);
}
const { status } = spawnSync(process.execPath, [join(root, "scripts/run.mjs"), join(folder, `${name}.ts`), ...rest], { stdio: "inherit", cwd: root });
process.exit(status ?? 1);
