import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { countNoun } from "../base/count-noun.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { applyEdits } from "../document/apply-edits.ts";
import type { TextEdit } from "../document/document.ts";
import type { CliContext } from "./cli-context.ts";
import { notWritten } from "./not-written.ts";

/** A repair may uncover the next thing that can be repaired; this many rounds are enough for any file. */
const mostRounds = 10;

/**
 * Repairs what is certain in files, and in what they include, and writes them.
 *
 * @param files Absolute paths.
 * @param options `check` gives what is wrong with a file.
 */
export async function fixFiles(
  files: readonly string[],
  { check, context }: { readonly check: (file: string) => Promise<readonly Diagnostic[]>; readonly context: CliContext },
): Promise<void> {
  const fixed = new Map<string, number>();
  for (const file of files) {
    for (let round = 0; round < mostRounds; round += 1) {
      const repairs = repairsByFile(await check(file), context.cwd);
      const changes = await Promise.all([...repairs].map(([path, edits]) => repair(path, edits)));
      for (const [index, path] of [...repairs.keys()].entries())
        if (changes[index] === true) fixed.set(path, (fixed.get(path) ?? 0) + (repairs.get(path)?.length ?? 0));
      if (!changes.includes(true)) break;
    }
  }
  const total = [...fixed.values()].reduce((sum, number) => sum + number, 0);
  if (total > 0) context.err.write(`repaired ${countNoun(fixed.size, "file")}\n`);
}

function repairsByFile(diagnostics: readonly Diagnostic[], cwd: string): ReadonlyMap<string, readonly TextEdit[]> {
  const edits = new Map<string, TextEdit[]>();
  for (const { fix, file } of diagnostics) {
    if (fix === undefined) continue;
    const path = resolve(cwd, file.path);
    edits.set(path, [...(edits.get(path) ?? []), ...fix.edits]);
  }
  return edits;
}

async function repair(path: string, edits: readonly TextEdit[]): Promise<boolean> {
  const before = await readFile(path, "utf8");
  const after = applyEdits(before, edits);
  if (after === before) return false;
  await writeFile(path, after).catch((error: unknown) => {
    throw notWritten(path, error);
  });
  return true;
}
