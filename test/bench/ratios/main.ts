// Each figure as a ratio to its peer, in one run: `npm run bench [-- --check] [--json] [--write]`.
//
// `--check` fails where a ratio is above its limit, or above the baseline by more than its noise. `--write` makes this run the baseline.
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { expressionFigures } from "./expressions.ts";
import type { Figure } from "./figure.ts";
import { fileFigures } from "./files.ts";
import { fusionFigures } from "./fusion.ts";
import { graphFigures } from "./graphs.ts";
import { sqliteFigures } from "./sqlite.ts";

const baselineFile = "test/bench/baseline.json";
const { values } = parseArgs({
  options: { check: { type: "boolean", default: false }, json: { type: "boolean", default: false }, write: { type: "boolean", default: false } },
});

const figures: Figure[] = [];
for (const measure of [fusionFigures, graphFigures, expressionFigures, fileFigures, sqliteFigures]) figures.push(...(await measure()));

const baseline = readBaseline();
const rows = figures.map(({ name, peer, ratio, limit, noise }) => {
  const before = baseline[`${name} / ${peer}`];
  const worse = ratio !== undefined && before !== undefined && ratio > before * (1 + noise);
  const above = ratio !== undefined && ratio > limit;
  const verdict = ratio === undefined ? "peer not installed" : above ? "above its limit" : worse ? "worse than the baseline" : "fine";
  return { name, peer, ratio: ratio === undefined ? undefined : Number(ratio.toPrecision(3)), baseline: before, limit, verdict };
});
if (values.json) console.log(JSON.stringify(rows, null, 2));
else console.table(rows);
if (values.write) {
  const kept = Object.fromEntries(rows.flatMap(({ name, peer, ratio }) => (ratio === undefined ? [] : [[`${name} / ${peer}`, ratio] as const])));
  writeFileSync(baselineFile, `${JSON.stringify({ ...baseline, ...kept }, null, 2)}\n`);
}
const wrong = rows.filter(({ verdict }) => verdict !== "fine" && verdict !== "peer not installed");
if (rows.some(({ verdict }) => verdict === "peer not installed")) console.error("peers are installed by: npm ci --prefix test/bench/peers");
if (values.check && wrong.length > 0) process.exitCode = 1;

function readBaseline(): Readonly<Record<string, number>> {
  try {
    return JSON.parse(readFileSync(baselineFile, "utf8")) as Record<string, number>;
  } catch {
    return {};
  }
}
