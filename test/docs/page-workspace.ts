import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { CodeBlock } from "./code-blocks.ts";

const root = join(import.meta.dirname, "../..");

/**
 * Makes the folder that a reader of a page has: the repository's pipelines, and the files that the page writes out.
 *
 * @returns Its path; it is removed when the test ends.
 */
export function pageWorkspace(blocks: readonly CodeBlock[]): string {
  // Inside the repository, so that a plugin's import of this package is found as in a project that has it installed.
  mkdirSync(join(root, ".cache"), { recursive: true });
  const folder = mkdtempSync(join(root, ".cache/docs-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(root, "pipelines"), join(folder, "pipelines"), { recursive: true, filter: (path) => !/[.]db(?:-\w+)?$/u.test(path) });
  cpSync(join(root, "ditto.yaml"), join(folder, "ditto.yaml"));
  for (const { attributes, text } of blocks) {
    if (attributes.file === undefined) continue;
    mkdirSync(dirname(join(folder, attributes.file)), { recursive: true });
    writeFileSync(join(folder, attributes.file), text);
  }
  return folder;
}

/** @returns The commands that a shell would run for a text, each with its arguments; programs are not run. */
export function shellCommands(text: string): readonly (readonly string[])[] {
  const folder = mkdtempSync(join(tmpdir(), "ditto-shell-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ["npx", "npm", "ditto", "node", "curl", "docker", "kill", "cd", "export"])
    writeProgram(join(folder, name), `#!/bin/sh\nfor word in "$(basename "$0")" "$@"; do printf '%s\\0' "$word" >&3; done\nprintf '\\n\\0' >&3\n`);
  const script = `exec 3>"${folder}/log"\ncd() { command "${folder}/cd" "$@"; }\n${text}`;
  const run = spawnSync("bash", ["-u", "-c", script], {
    cwd: folder,
    env: { PATH: `${folder}:/usr/bin:/bin`, HOME: folder },
    encoding: "utf8",
    timeout: 20_000,
  });
  if (run.status !== 0) throw new Error(`The shell does not take it: ${run.stderr}`);
  const commands: string[][] = [[]];
  for (const word of readFileSync(join(folder, "log"), "utf8").split("\0").slice(0, -1)) {
    if (word === "\n") commands.push([]);
    else commands.at(-1)?.push(word);
  }
  return commands.slice(0, -1);
}

/** Runs a text in a folder as a reader would, with `ditto` and `npx ditto` from this repository's build. */
export function runInShell(text: string, folder: string): { readonly status: number | null; readonly output: string } {
  const programs = mkdtempSync(join(tmpdir(), "ditto-programs-"));
  onTestFinished(() => rmSync(programs, { recursive: true, force: true }));
  writeProgram(join(programs, "ditto"), `#!/bin/sh\nexec "${process.execPath}" "${join(root, "src/cli/bin.mjs")}" "$@"\n`);
  writeProgram(
    join(programs, "npx"),
    `#!/bin/sh\n[ "$1" = ditto ] || { echo "npx $1 is not run here" >&2; exit 1; }\nshift\nexec "${join(programs, "ditto")}" "$@"\n`,
  );
  const run = spawnSync("bash", ["-e", "-u", "-o", "pipefail", "-c", text], {
    cwd: folder,
    env: { PATH: `${programs}:${process.env.PATH}`, HOME: folder, NO_COLOR: "1" },
    encoding: "utf8",
    timeout: 120_000,
  });
  return { status: run.status, output: `${run.stdout}${run.stderr}` };
}

function writeProgram(path: string, text: string): void {
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}
