import { join, relative } from "node:path";
import { rolldown } from "rolldown";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

/** Everything that is loaded with an entry: modules of this package by their path in it, and packages by their name. */
async function loadedWith(entry: string): Promise<readonly string[]> {
  const imports = new Map<string, readonly string[]>();
  const bundle = await rolldown({
    input: join(root, "src/public", entry),
    platform: "node",
    external: (id) => !id.startsWith(".") && !id.startsWith("/"),
    treeshake: false,
    plugins: [
      {
        name: "module-graph",
        moduleParsed: ({ id, importedIds }) => {
          imports.set(id, importedIds);
        },
      },
    ],
  });
  await bundle.generate({ format: "esm" });
  await bundle.close();
  const loaded = new Set([join(root, "src/public", entry)]);
  for (const id of loaded) for (const imported of imports.get(id) ?? []) loaded.add(imported);
  return [...loaded].map((id) => (id.startsWith("/") ? relative(root, id) : id)).sort();
}

/** Rooms of `src`, other folders, and packages; Node's own modules are left out. */
function rooms(modules: readonly string[]): readonly string[] {
  const names = modules.filter((id) => !id.startsWith("node:")).map((id) => id.match(/^src\/([^/]+)\//u)?.[1] ?? id.match(/^([^/]+)\/.*\.ts$/u)?.[1] ?? id);
  return [...new Set(names)].sort();
}

describe("what is loaded with an entry", () => {
  it("the core loads neither retrieval nor pipelines nor a plugin, and of packages only the one that reads ditto.yaml", async () => {
    const modules = await loadedWith("index.ts");
    expect(rooms(modules)).toEqual([
      "base",
      "configuration",
      "contracts",
      "diagnostics",
      "document",
      "public",
      "runtime",
      "schema",
      "validation",
      "worker",
      "yaml",
    ]);
    expect(modules.filter((id) => id.startsWith("schema/") && !id.startsWith("schema/diagnostics/"))).toEqual(["schema/patterns.ts", "schema/project-file.ts"]);
  });

  it.each([
    ["contracts.ts", ["contracts", "public"]],
    ["runtime.ts", ["base", "contracts", "public", "runtime"]],
    ["runtime-sandbox.ts", ["contracts", "public", "runtime"]],
    ["worker.ts", ["contracts", "public", "runtime", "worker"]],
    ["worker-memory.ts", ["base", "contracts", "public", "runtime", "worker"]],
    ["worker-context.ts", ["base", "contracts", "public", "runtime", "worker"]],
    ["retrieval.ts", ["base", "contracts", "public", "retrieval", "runtime", "worker"]],
    ["retrieval-adapters-memory.ts", ["base", "contracts", "public", "retrieval"]],
    ["retrieval-adapters-context.ts", ["base", "contracts", "public", "retrieval"]],
    ["plugin.ts", ["base", "contracts", "plugin", "public", "retrieval", "runtime", "worker"]],
    ["testing.ts", ["contracts", "public", "testing"]],
  ])("%s loads %j and no package", async (entry, expected) => {
    expect(rooms(await loadedWith(entry))).toEqual(expected);
  });

  it.each(["retrieval.ts", "retrieval-adapters-memory.ts", "retrieval-adapters-context.ts"])("%s knows MEMORY and CONTEXT by type only", async (entry) => {
    expect((await loadedWith(entry)).filter((id) => /^src\/worker\/(?:memory|context)\//u.test(id))).toEqual([]);
  });

  it("a module that is loaded is seen", async () => {
    expect(rooms(await loadedWith("pipeline.ts"))).toEqual(expect.arrayContaining(["live", "pipeline", "retrieval", "yaml"]));
  });
});
