import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { OpenScope } from "@codesoul-co/ditto/plugin";
import { openTransformers } from "../../../plugins/transformers-embedding/open-transformers.ts";
import { transformersFacts } from "../../../plugins/transformers-embedding/transformers-configuration.ts";
import { describeWithServer } from "../../servers/describe-with-server.ts";

const root = join(import.meta.dirname, "../../..");
const library = join(root, ".cache/servers/transformers/node_modules");
/** A vocabulary of 15 words and 8 dimensions: each word has its vector, a text's is the mean of those of its tokens. */
const model = join(root, "test/fixtures/tiny-encoder");

const configuration = { model, dtype: "fp32", pooling: "mean", normalize: true } as const;

function scope(folder: string): OpenScope {
  return { folder, name: "encoder", mask: (text: string) => text, config: { retrieval: {} } } as unknown as OpenScope;
}

describe("transformers-embedding", () => {
  it("takes what changes vectors into the model's identity", () => {
    expect(transformersFacts(configuration, "")).toEqual({ model: "tiny-encoder fp32 mean" });
    const other = { ...configuration, name: "tiny@2", dtype: "q8", normalize: false, prefixes: { document: "passage: " }, dimensions: 8, maxTokens: 16 };
    expect(transformersFacts(other, "")).toEqual({ model: 'tiny@2 q8 mean raw after "passage: "', dimensions: 8, maxTokens: 16 });
    expect(transformersFacts({ model: null }, "the model of encoder")).toEqual({ model: "the model of encoder" });
    expect(transformersFacts({ model: 1 }, "x")).toBeUndefined();
  });

  it("says which folder is not there before anything is loaded", async () => {
    const opening = openTransformers({ ...configuration, model: "models/none" }, scope("/nowhere"));
    await expect(opening).rejects.toMatchObject({ code: "RETRIEVAL_PROVIDER_UNAVAILABLE", message: "The model's folder models/none does not exist" });
  });

  it("says which package to install where it is not there", async () => {
    expect(existsSync(join(root, "node_modules/@huggingface/transformers"))).toBe(false);
    await expect(openTransformers(configuration, scope("/"))).rejects.toMatchObject({
      code: "RETRIEVAL_PROVIDER_UNAVAILABLE",
      message: "The package @huggingface/transformers could not be loaded: install it beside this one",
    });
  });
});

describeWithServer(
  { name: "@huggingface/transformers", isInstalled: existsSync(join(library, "@huggingface/transformers")), install: "sh scripts/servers/transformers.sh" },
  () => {
    let project = "";

    /** A project that has this package's build and the library installed side by side, as its users have. */
    beforeAll(() => {
      project = mkdtempSync(join(tmpdir(), "ditto-transformers-"));
      const own = join(project, "node_modules/@codesoul-co/ditto");
      for (const part of ["dist", "package.json", "src/cli/bin.mjs", "src/cli/load-built.mjs"]) {
        mkdirSync(dirname(join(own, part)), { recursive: true });
        cpSync(join(root, part), join(own, part), { recursive: true });
      }
      const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { readonly dependencies: Readonly<Record<string, string>> };
      const places = [
        ...Object.keys(manifest.dependencies).map((name) => [name, join(root, "node_modules", name)] as const),
        ...readdirSync(library)
          .filter((name) => !name.startsWith("."))
          .map((name) => [name, join(library, name)] as const),
      ];
      for (const [name, place] of places) {
        const link = join(project, "node_modules", name);
        if (existsSync(link)) continue;
        mkdirSync(dirname(link), { recursive: true });
        symlinkSync(place, link);
      }
      writeFileSync(join(project, "records.jsonl"), '{"id":"1","text":"the river"}\n{"id":"2","text":"a cat"}\n{"id":"3","text":"noon"}\n');
    }, 60_000);

    afterAll(() => rmSync(project, { recursive: true, force: true }));

    function ditto(encoder: string, ...argv: readonly string[]) {
      const folder = mkdtempSync(join(project, "run-"));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      cpSync(model, join(folder, "models/tiny"), { recursive: true });
      writeFileSync(
        join(folder, "kb.yaml"),
        `version: 1
name: kb
resources:
  db: { sqlite: { file: kb.db } }
  encoder: { transformers-embedding: ${encoder} }
  kb: { sqlite.collection: { database: db, embedding: encoder } }
targets:
  kb: { default: vector, strategies: { vector: { vector: { collection: kb } } } }
ingest:
  kb:
    into: kb
    input: { type: object, required: [id, text], properties: { id: { type: string }, text: { type: string } } }
    id: \${ input.id }
    content: \${ input.text }
    records: ../records.jsonl
    fill: true
`,
      );
      return spawnSync(process.execPath, [join(project, "node_modules/@codesoul-co/ditto/src/cli/bin.mjs"), argv[0] ?? "", "kb.yaml", ...argv.slice(1)], {
        cwd: folder,
        encoding: "utf8",
        timeout: 60_000,
      });
    }

    it("fills a collection and finds by meaning", { timeout: 90_000 }, () => {
      const { stdout, stderr, status } = ditto("{ model: models/tiny, dimensions: 8 }", "run", "--query", "the river", "--json");
      expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
      const { candidates } = JSON.parse(stdout) as { candidates: { id: string; score: number }[] };
      expect(candidates.map(({ id }) => id)[0]).toBe("1");
      expect(candidates[0]?.score).toBeCloseTo(1, 5);
    });

    it("refuses vectors of another length, and weights that are not there", { timeout: 90_000 }, () => {
      const wrong = ditto("{ model: models/tiny, dimensions: 9 }", "validate", "--connect");
      expect([wrong.status, wrong.stderr]).toEqual([1, expect.stringContaining("has 8 dimensions instead of 9")]);
      const missing = ditto("{ model: models/tiny, dtype: q8 }", "validate", "--connect");
      expect([missing.status, missing.stderr]).toEqual([1, expect.stringContaining("holds no model that can be loaded with the weights q8")]);
    });
  },
);
