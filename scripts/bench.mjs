// Runs benchmarks: `npm run bench` all that need nothing, `npm run bench -- NAME [ARGUMENT ...]` one of them.
// Each prints JSON; figures are ratios where a peer or a hand-written loop runs beside it.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const folder = join(root, "test/bench");
const [name, ...rest] = process.argv.slice(2);

const all = readdirSync(folder).flatMap((file) => (file.endsWith(".ts") ? [file.slice(0, -3)] : []));
/** They need a folder of test collections, or a server, so they run only when they are named. */
const named = { quality: "quality/quality", mysql: "mysql/mysql" };

if (name !== undefined && !all.includes(name) && !(name in named)) {
  console.error(`no benchmark is called "${name}"; there are ${[...all, ...Object.keys(named)].join(", ")}`);
  process.exit(2);
}
let failed = false;
for (const bench of name === undefined ? all : [name]) {
  console.error(`# ${bench}`);
  const { status } = spawnSync(process.execPath, [join(root, "scripts/run.mjs"), join(folder, `${named[bench] ?? bench}.ts`), ...rest], {
    stdio: "inherit",
    cwd: root,
  });
  if (status !== 0) failed = true;
}
process.exit(failed ? 1 : 0);
