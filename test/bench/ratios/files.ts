import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { compilePipelineFile } from "../../../src/live/compile-file.ts";
import type { Project } from "../../../src/live/load-project.ts";
import { samplePipeline } from "../sample-pipeline.ts";
import { compareWork, type Figure, middle } from "./figure.ts";

/** Judging 100 files of 200 lines beside reading them with the YAML library; starting beside a Node that does nothing. */
export async function fileFigures(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "ditto-bench-"));
  try {
    const paths = Array.from({ length: 100 }, (_, seed) => {
      const path = join(folder, `p${seed}.yaml`);
      writeFileSync(path, samplePipeline(200, seed));
      return path;
    });
    const ratio = await compareWork({
      ours: async () => {
        const projects = new Map<string, Promise<Project>>();
        for (const path of paths) await compilePipelineFile(path, { projects, judgeOnly: true });
      },
      peer: () => {
        for (const path of paths) parse(readFileSync(path, "utf8"));
      },
      calls: 1,
      rounds: 7,
    });
    return [
      { name: "validate 100 files", peer: "parsing them with the yaml library", ratio, limit: 1.5, noise: 0.25 },
      { name: "cold start of validate", peer: "node -e 0", ratio: coldStart(paths[0] ?? ""), limit: 2, noise: 0.2 },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function coldStart(file: string): number | undefined {
  const bin = "src/cli/bin.mjs";
  if (!existsSync("dist/cli.cjs")) return undefined;
  const ratios = Array.from({ length: 9 }, () => childCpuMs([bin, "validate", file]) / childCpuMs(["-e", "0"]));
  return middle(ratios);
}

/** CPU milliseconds of another process, as its shell tells. */
function childCpuMs(args: readonly string[]): number {
  const { stderr } = spawnSync("bash", ["-c", 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>/dev/null', "bash", process.execPath, ...args], { encoding: "utf8" });
  const seconds = stderr.trim().split(/\s+/u).slice(-2).map(Number);
  return Math.max(
    1,
    seconds.reduce((sum, value) => sum + value * 1000, 0),
  );
}
