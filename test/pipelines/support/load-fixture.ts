import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { loadPipeline } from "../../../src/live/load-pipeline.ts";
import type { LoadPipelineOptions, Pipeline } from "../../../src/live/pipeline.ts";

/** Where the files are that people really write. */
export const fixtureFolder: string = join(import.meta.dirname, "../../fixtures/pipelines");

/** Loads a copy of a file in a folder of its own, so that what it writes is its own too; closed after the test. */
export async function loadFixture(name: string, options: LoadPipelineOptions = {}): Promise<Pipeline> {
  const folder = mkdtempSync(join(tmpdir(), "ditto-files-"));
  copyFileSync(join(fixtureFolder, name), join(folder, name));
  const pipeline = await loadPipeline(join(folder, name), { env: {}, ...options });
  onTestFinished(async () => {
    await pipeline.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return pipeline;
}
