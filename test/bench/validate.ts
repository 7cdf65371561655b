// What judging files costs: `npm run bench -- validate` prints one JSON object.
//
// Times are CPU times, so that other work on the machine counts less; peers run in turns with ours.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { hasErrors } from "../../src/diagnostics/diagnostic.ts";
import { compilePipelineFile } from "../../src/live/compile-file.ts";
import type { Project } from "../../src/live/load-project.ts";
import { samplePipeline } from "./sample-pipeline.ts";

const root = process.cwd();
const folder = mkdtempSync(join(tmpdir(), "ditto-bench-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const results = {
  "cold start": existsSync(join(root, "dist/cli.cjs")) ? coldStart() : "not built",
  ...(await manyFiles()),
  ...(await largeGraphs()),
};
console.log(JSON.stringify(results, null, 2));

/** `ditto validate` of one file beside a Node that does nothing. */
function coldStart() {
  const file = join(folder, "one.yaml");
  writeFileSync(file, samplePipeline(100, 0));
  const bin = join(root, "src/cli/bin.mjs");
  const [nothing, validate] = [[] as number[], [] as number[]];
  for (let round = 0; round < 15; round += 1) {
    nothing.push(childCpuMs(["-e", "0"]));
    validate.push(childCpuMs([bin, "validate", file]));
  }
  return { nodeMs: median(nothing), validateMs: median(validate), ratio: ratio(median(validate), median(nothing)) };
}

/** 500 files of 200 lines beside reading them with the YAML library alone; then ten times as many. */
async function manyFiles() {
  const texts = Array.from({ length: 5000 }, (_, seed) => samplePipeline(200, seed));
  const paths = texts.map((text, index) => {
    const path = join(folder, `p${index}.yaml`);
    writeFileSync(path, text);
    return path;
  });
  const judge = async (count: number): Promise<void> => {
    const projects = new Map<string, Promise<Project>>();
    for (const path of paths.slice(0, count)) {
      const { diagnostics } = await compilePipelineFile(path, { projects, judgeOnly: true });
      if (hasErrors(diagnostics)) throw new Error(JSON.stringify(diagnostics.map(({ code, arguments: values }) => [code, values])));
    }
  };
  const read = (count: number): void => {
    for (const path of paths.slice(0, count)) parse(readFileSync(path, "utf8"));
  };
  await judge(50);
  read(50);
  const [judged, parsed] = [[] as number[], [] as number[]];
  for (let round = 0; round < 5; round += 1) {
    parsed.push(await cpuMs(() => read(500)));
    judged.push(await cpuMs(() => judge(500)));
  }
  const [few, all] = [median(judged), await cpuMs(() => judge(5000))];
  const lines = texts[0]?.split("\n").length;
  return {
    "500 files": { lines, yamlMs: median(parsed), judgeMs: few, ratio: ratio(few, median(parsed)) },
    "5000 files": { judgeMs: all, timesAsMuch: ratio(all, few) },
  };
}

/** Graphs of 1000 and 10,000 nodes, in a chain and side by side. */
async function largeGraphs() {
  const time = async (nodes: readonly string[]): Promise<number> => {
    const text = `version: 1\nname: large\ngraphs:\n  g:\n    nodes:\n${nodes.join("")}    output: "\${ n${nodes.length - 1} }"\n`;
    return await cpuMs(async () => {
      const { compiled, diagnostics } = await compilePipelineFile(join(folder, "large.yaml"), { text });
      if (compiled === undefined) throw new Error(JSON.stringify(diagnostics.slice(0, 3).map(({ code }) => code)));
    });
  };
  const chain = (count: number): string[] =>
    Array.from({ length: count }, (_, index) => `      n${index}: { value: "${index === 0 ? "${ 1 }" : `\${ n${index - 1} + 1 }`}" }\n`);
  const wide = (count: number): string[] => [
    ...Array.from({ length: count - 1 }, (_, index) => `      n${index}: { value: "\${ ${index} }" }\n`),
    `      n${count - 1}: { value: [${Array.from({ length: count - 1 }, (_, index) => `"\${ n${index} }"`).join(", ")}] }\n`,
  ];
  await time(chain(200));
  const figures: Record<string, unknown> = {};
  for (const [name, shape] of [
    ["chain", chain],
    ["side by side", wide],
  ] as const) {
    const [small, large] = [await time(shape(1000)), await time(shape(10_000))];
    figures[`graph of 10,000 nodes, ${name}`] = { smallMs: round(small), largeMs: round(large), timesAsMuch: ratio(large, small) };
  }
  return figures;
}

/** CPU milliseconds of this process while something runs. */
async function cpuMs(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** CPU milliseconds of another process, as its shell tells. */
function childCpuMs(args: readonly string[]): number {
  const { stderr } = spawnSync("bash", ["-c", 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>/dev/null', "bash", process.execPath, ...args], {
    encoding: "utf8",
    cwd: root,
  });
  return stderr
    .trim()
    .split(/\s+/u)
    .slice(-2)
    .reduce((sum, seconds) => sum + Number(seconds) * 1000, 0);
}

function median(values: readonly number[]): number {
  return round([...values].sort((a, b) => a - b)[values.length >> 1] ?? 0);
}

function ratio(a: number, b: number): number {
  return Number((a / b).toFixed(2));
}

function round(value: number): number {
  return Number(value.toFixed(1));
}
