import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { expect, it } from "vitest";

const bundle = readFileSync(join(import.meta.dirname, "../../dist/cli.cjs"), "utf8");

/** In one file, a module that is imported by name is loaded at every start, whichever command asked for it. */
it("the command loads no package before a command asks for it, and none that may be missing", () => {
  const names = [...bundle.matchAll(/(?<![\w$.])require\(["'`]([^"'`]+)["'`]\)/gu)].map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(0);
  expect([...new Set(names)].filter((name) => !name.startsWith("node:") && !builtinModules.includes(name))).toEqual([]);
});
