import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { modelFolder } from "./golden.ts";

const script = fileURLToPath(new URL("../../../plugins/local-embedding/kernel/build.sh", import.meta.url));

test("The kernel imports nothing", () => {
  const { WebAssembly } = globalThis as unknown as { WebAssembly: { Module: { new (bytes: Uint8Array): object; imports(module: object): unknown[] } } };
  expect(WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(join(modelFolder, "kernel.wasm"))))).toEqual([]);
});

test("The committed kernel is what its source builds to", ({ skip }) => {
  const missing = missingTool();
  if (missing !== undefined) skip(missing);
  const output = join(mkdtempSync(join(tmpdir(), "ditto-kernel-")), "kernel.wasm");
  execFileSync("sh", [script, output]);
  expect(readFileSync(output).equals(readFileSync(join(modelFolder, "kernel.wasm")))).toBe(true);
});

/** Other versions of clang build a kernel that works as well, of other bytes. */
function missingTool(): string | undefined {
  const compiler = spawnSync(process.env.CLANG ?? "clang", ["--version"], { encoding: "utf8" });
  if (compiler.error === undefined && compiler.stdout.includes("clang version 14.")) return undefined;
  return "needs clang 14, which built the committed bytes: `apt-get install clang lld` on Debian 12, or `apt-get install clang-14 lld-14` and CLANG=clang-14";
}
