// Runs benchmarks: `npm run bench [-- --check|--write|--json]` the ratios to peers with their limits, `npm run bench -- all` everything
// that needs nothing, `npm run bench -- NAME [ARGUMENT ...]` one of them. Those print JSON.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const folder = join(root, "test/bench");
const given = process.argv.slice(2);
const [name, ...rest] = given[0] === undefined || given[0].startsWith("-") ? ["ratios", ...given] : given;

const all = readdirSync(folder).flatMap((file) => (file.endsWith(".ts") ? [file.slice(0, -3)] : []));
/** They need a folder of test collections, or a server, or are what runs without a name. */
const named = { ratios: "ratios/main", quality: "quality/quality", mysql: "mysql/mysql", milvus: "milvus/milvus", postgres: "postgres/postgres" };

if (name !== "all" && !all.includes(name) && !(name in named)) {
  console.error(`no benchmark is called "${name}"; there are ${["all", ...all, ...Object.keys(named)].join(", ")}`);
  process.exit(2);
}
let failed = false;
for (const bench of name === "all" ? all : [name]) {
  console.error(`# ${bench}`);
  const { status } = spawnSync(process.execPath, [join(root, "scripts/run.mjs"), join(folder, `${named[bench] ?? bench}.ts`), ...rest], {
    stdio: "inherit",
    cwd: root,
  });
  if (status !== 0) failed = true;
}
process.exit(failed ? 1 : 0);
