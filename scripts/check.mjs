// Runs the project's own checks in stages, fastest first: `npm run check`. Each failure ends with the command that runs
// that stage alone.
import { spawnSync } from "node:child_process";

const stages = [
  ["format and lint", "npx biome check ."],
  ["types", "npx tsc --noEmit -p tsconfig.json"],
  ["types of the page", "npx tsc --noEmit -p src/inspector/page/tsconfig.json"],
  ["layers", "npx depcruise src plugins schema"],
  ["dead code", "npx knip"],
  ["tests", "npm test"],
  ["package", "npx publint --strict"],
];

for (const [name, command] of stages) {
  const started = performance.now();
  const { status } = spawnSync(command, { shell: true, stdio: "inherit" });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (status !== 0) {
    console.error(`\n${name} failed after ${seconds} s; alone: ${command}`);
    process.exit(1);
  }
  console.error(`${name}: fine (${seconds} s)`);
}
