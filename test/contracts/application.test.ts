import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { compileModules, compilerFlags } from "../documents/compile-modules.ts";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "ditto-application-"));
const file = join(folder, "application.ts");
mkdirSync(join(folder, "node_modules/@codesoul-co"), { recursive: true });
symlinkSync(root, join(folder, "node_modules/@codesoul-co/ditto"));
writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "application", private: true, type: "module" }));
cpSync(join(import.meta.dirname, "application.test-d.ts"), file);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("an application outside of this repository", () => {
  it.each(compilerFlags(root, true))(
    "merges its nodes and infers through graphs against the build, under $name",
    (flags) => {
      expect(compileModules([file], flags, { inside: join(root, "dist/types") })).toEqual([]);
    },
    60_000,
  );
});
