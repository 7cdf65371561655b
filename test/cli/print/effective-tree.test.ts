import { mkdtempSync, rmSync, writeFileSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { effectiveJson } from "../../../src/cli/print/effective-json.ts";
import { effectiveTree } from "../../../src/cli/print/effective-tree.ts";
import { effectiveYaml } from "../../../src/cli/print/effective-yaml.ts";
import { compilePipelineFile } from "../../../src/live/compile-file.ts";

const main = `version: 1
name: kb
include: [shared.yaml]
vars: { limit: 5, store: kb }
resources:
  db: { sqlite: { file: "\${env:KB_FILE}" } }
  kb: { sqlite.collection: { database: db, embedding: { local-embedding: {} } } }
targets:
  kb:
    strategies:
      keyword: { text: { collection: "\${ vars.store }", timeoutMs: "\${ vars.limit * 10 }" } }
memory: { store: kb, search: { text: { collection: kb } }, concurrency: "\${ vars.limit }" }
profiles:
  production:
    vars: { limit: 20 }
    resources:
      db: { sqlite: { file: prod.db } }
`;

async function printed(options: { readonly profile?: string; readonly vars?: Readonly<Record<string, string>> } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "ditto-print-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "shared.yaml"), 'resources:\n  spare: { sqlite: { file: "${env:SPARE:-spare.db}" } }\n');
  writeFileSync(join(folder, "kb.yaml"), main);
  const { resolved } = await compilePipelineFile(join(folder, "kb.yaml"), { ...options, noEnv: true, env: { KB_FILE: "secret.db" } });
  if (resolved === undefined) throw new Error("not read");
  const tree = effectiveTree(resolved, { overrides: new Set(Object.keys(options.vars ?? {})) });
  const short = (text: string): string => text.replaceAll(`${folder}/`, "");
  return {
    yaml: short(effectiveYaml(tree, (comment) => comment)),
    json: JSON.parse(short(JSON.stringify(effectiveJson(tree)))) as ReturnType<typeof effectiveJson>,
  };
}

describe("the effective configuration", () => {
  test("has each value with the line that it comes from, defaults among them, and secrets as they stand in the file", async () => {
    const { yaml } = await printed();
    expect(yaml.split("\n").map((line) => line.replace(/\s+#/u, " #"))).toEqual(
      expect.arrayContaining([
        "name: kb # kb.yaml:2",
        "  limit: 5 # kb.yaml:4",
        "      file: ${env:KB_FILE} # kb.yaml:6",
        "      file: ${env:SPARE:-spare.db} # shared.yaml:2",
        "          threads: 1 # default",
        "    default: keyword # default",
        "          timeoutMs: 50 # kb.yaml:11, ${ vars.limit * 10 }",
        "          collection: kb # kb.yaml:11, ${ vars.store }",
        "  concurrency: 5 # kb.yaml:12, ${ vars.limit }",
      ]),
    );
    expect(yaml).not.toContain("secret.db");
  });

  test("follows the profile and what the command line sets", async () => {
    const { yaml } = await printed({ profile: "production" });
    expect(yaml).toMatch(/limit: 20 +# kb\.yaml:15, profile production\n/u);
    expect(yaml).toMatch(/file: prod\.db +# kb\.yaml:17, profile production\n/u);
    expect(yaml).toContain("timeoutMs: 200");
    const { yaml: set } = await printed({ profile: "production", vars: { limit: "7" } });
    expect(set).toMatch(/limit: 7 +# --set\n/u);
    expect(set).toContain("timeoutMs: 70");
  });

  test("is data too, with the origin of each value by its pointer", async () => {
    const { json } = await printed();
    expect(json.configuration).toMatchObject({
      name: "kb",
      vars: { limit: 5 },
      targets: { kb: { strategies: { keyword: { text: { timeoutMs: 50 } } } } },
      memory: { concurrency: 5 },
    });
    expect(json.origins["/targets/kb/strategies/keyword/text/timeoutMs"]).toEqual({ file: "kb.yaml", line: 11, by: "${ vars.limit * 10 }" });
    expect(json.origins["/targets/kb/default"]).toEqual({ by: "default" });
  });
});

describe("what is printed is a pipeline again", () => {
  const folder = join(import.meta.dirname, "../../../pipelines");
  const files = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
  test.each(files)("%s", async (name) => {
    const path = join(folder, name);
    const env = new Proxy({}, { get: () => "http://localhost:1", has: () => true, ownKeys: () => [] });
    const first = await compilePipelineFile(path, { noEnv: true, env });
    if (first.resolved === undefined) throw new Error("not read");
    const tree = effectiveTree(first.resolved, { overrides: new Set() });
    const text = effectiveYaml(tree, (comment) => comment);
    const again = await compilePipelineFile(join(dirname(path), "printed.yaml"), { text, noEnv: true, env });
    // A profile that is not printed may have errors of its own.
    const errors = ({ diagnostics }: typeof again) => diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
    expect(
      errors(again).filter((code) => !errors(first).includes(code)),
      text,
    ).toEqual([]);
    if (again.resolved === undefined) throw new Error("not read again");
    expect(effectiveJson(effectiveTree(again.resolved, { overrides: new Set() })).configuration).toEqual(effectiveJson(tree).configuration);
  });
});
