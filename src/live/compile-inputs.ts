import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { canonicalJson } from "../base/canonical-json.ts";
import type { JsonValue } from "../contracts/json.ts";
import { type CompiledFile, type CompileFileOptions, compilePipelineFile } from "./compile-file.ts";
import { changedPaths, type FileHashes, type Hashes } from "./file-hashes.ts";
import type { Project } from "./load-project.ts";

/** A compiled file with the content that it was compiled from. */
export interface CompiledInputs {
  readonly file: CompiledFile;
  /** Of everything that was read for it, and of what would be if it were there. */
  readonly hashes: Hashes;
}

/** What files are compiled with, again and again. */
export interface CompileTools {
  readonly options: CompileFileOptions;
  readonly hashes: FileHashes;
  readonly projects: Map<string, Promise<Project>>;
}

/**
 * Compiles a file, again where something changed while it was read, so that result and hashes are of one state.
 *
 * @param path Absolute path.
 * @param known Hashes of what was read last time, as they are now.
 */
export async function compileInputs(path: string, known: Hashes, { options, hashes, projects }: CompileTools): Promise<CompiledInputs> {
  let before = known;
  for (let attempt = 1; ; attempt += 1) {
    const startMs = Date.now();
    const file = await compilePipelineFile(path, { ...options, projects });
    const inputs = new Set([path, ...file.files, ...projectInputs(file.project, { folder: dirname(path), envFile: options.envFile })]);
    const now = await hashes.of(inputs);
    const unsettled = await Promise.all([...inputs].map((input) => (before.has(input) ? before.get(input) !== now.get(input) : isYounger(input, startMs))));
    if (!unsettled.includes(true) || attempt === mostAttempts) return { file, hashes: now };
    projects.delete(dirname(path));
    before = now;
  }
}

/** Somebody who writes all the time is noticed again afterwards. */
const mostAttempts = 5;

/** Clocks of file systems lag behind by their own steps. */
async function isYounger(path: string, startMs: number): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && found.ctimeMs > startMs - 20;
}

/**
 * Everything that a project is made of: `ditto.yaml`, also where a nearer one would stand, the file of variables, and the files of its
 * plugins.
 */
export function projectInputs(project: Project, { folder, envFile }: { readonly folder: string; readonly envFile: string | undefined }): readonly string[] {
  const candidates: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    candidates.push(join(at, "ditto.yaml"));
    if (at === project.folder && project.path !== undefined) break;
    if (dirname(at) === at) break;
  }
  return [...candidates, project.envPath ?? (envFile === undefined ? join(project.folder, ".env") : resolve(envFile)), ...project.pluginFiles()];
}

/** The hash that tells generations apart: of the files without secrets, by their paths from the pipeline's folder, and of the options. */
export function generationHash({ file, hashes }: CompiledInputs, { vars, profile }: CompileFileOptions): string {
  const secret = new Set([...file.secretFiles, file.project.envPath]);
  const folder = dirname(file.path);
  const contents = [...hashes].flatMap(([path, hash]) => (secret.has(path) || hash === undefined ? [] : [[relative(folder, path), hash]]));
  const said = canonicalJson([contents.sort(), vars ?? null, profile ?? null] as unknown as JsonValue);
  return createHash("sha256").update(said).digest("hex").slice(0, 16);
}

/** Whether the files that a generation was made from are as they were. */
export function isSame(before: Hashes, now: Hashes): boolean {
  return changedPaths(before, now).length === 0;
}
