import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cruise, type IConfiguration, type ICruiseOptions, type ICruiseResult } from "dependency-cruiser";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const { default: configuration } = (await import(join(root, ".dependency-cruiser.mjs"))) as { readonly default: IConfiguration };

async function violations(paths: readonly string[]): Promise<readonly string[]> {
  const { tsConfig: _, ...options } = configuration.options ?? {};
  const result = await cruise([...paths], {
    ...options,
    ruleSet: { forbidden: configuration.forbidden ?? [] },
    validate: true,
    baseDir: root,
  } as ICruiseOptions);
  return (result.output as ICruiseResult).summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);
}

describe("the layers of the house", () => {
  it("no module imports what its room may not", async () => {
    expect(await violations(["src", "plugins", "schema"])).toEqual([]);
  }, 60_000);

  it("a planted violation is found, also one that imports a type only", async () => {
    const folder = await mkdtemp(join(root, "src/base/planted-"));
    try {
      await writeFile(join(folder, "planted.ts"), 'import type { Plan } from "../../pipeline/model/plan.ts";\nexport type Planted = Plan;\n');
      expect(await violations(["src/base"])).toEqual([expect.stringMatching(/^room-base: src\/base\/planted-.*-> src\/pipeline\/model\/plan\.ts$/u)]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }, 60_000);
});
