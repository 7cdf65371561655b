// Checks that documents hold: every block of code compiles against this package, and what it hands out is run.
// `node scripts/check-documents.mjs FOLDER ... [--dist]`
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { compileModules, compilerFlags } from "./compile-modules.ts";
import { type DocumentBlock, extractBlocks, extractFencedBlocks } from "./extract-blocks.ts";
import { packageNames } from "./package-names.ts";
import { type DocumentUnit, planUnits } from "./plan-units.ts";
import type { ProofReport } from "./prove-units.ts";
import { writeModules } from "./write-modules.ts";

const root = dirname(dirname(dirname(process.argv[1]!)));
const folders = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const dist = process.argv.includes("--dist");
if (folders.length === 0) {
  console.error("usage: npm run check:documents -- FOLDER ... [--dist]");
  process.exit(2);
}

/** Documents by their name, each with its blocks. */
const documents = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => /\.(?:txt|md)$/u.test(name))
    .map((name) => ({ name, ...(name.endsWith(".md") ? extractFencedBlocks : extractBlocks)(readFileSync(join(folder, name), "utf8")) })),
);
const problems = documents.flatMap(({ name, missed }) => missed.map((line) => `${name}:${line} looks like code and stands in no block`));
const units = documents.flatMap(({ name, blocks }) => planUnits(name, ofLanguage(blocks, "typescript")));
const settings = documents.flatMap(({ name, blocks }) =>
  ofLanguage(blocks, "yaml")
    .filter(({ code }) => code.startsWith("workers:"))
    .map(({ code }) => ({ document: name, text: code })),
);

const application = makeApplication();
const output = join(root, ".cache/documents", String(process.pid));
process.on("exit", () => {
  for (const folder of [application, output]) rmSync(folder, { recursive: true, force: true });
});

problems.push(...compile());
// Only the pages that were exported as text say of their code that it runs; of Markdown, types are compared.
const runnable = units.filter(({ kind, document }) => kind !== "interfaces" && document.endsWith(".txt"));
const report = runnable.length === 0 ? { functions: 0, fragments: 0, settings: 0, problems: [] } : await run(runnable);
problems.push(...report.problems);

for (const problem of problems) console.error(problem);
const blocks = documents.flatMap((document) => document.blocks);
const interfaces = units.flatMap((unit) => (unit.kind === "examples" ? [] : unit.interfaces));
console.log(
  [
    `documents: ${documents.length}, blocks: ${blocks.length} (TypeScript ${ofLanguage(blocks, "typescript").length}, YAML ${ofLanguage(blocks, "yaml").length}, SQL ${ofLanguage(blocks, "sql").length})`,
    `compiled against ${dist ? "dist" : "the source"}: ${units.length} modules of ${units.flatMap(({ lines }) => lines).length} blocks, ${interfaces.length} interfaces compared`,
    `run: ${report.functions} exported functions and values, ${report.fragments} fragments, ${report.settings} settings`,
    `problems: ${problems.length}`,
  ].join("\n"),
);
process.exitCode = problems.length === 0 ? 0 : 1;

function ofLanguage(from: readonly DocumentBlock[], language: DocumentBlock["language"]): readonly DocumentBlock[] {
  return from.filter((block) => block.language === language);
}

/** A folder as an application's, with this package installed in it. */
function makeApplication(): string {
  const folder = mkdtempSync(join(tmpdir(), "ditto-documents-"));
  mkdirSync(join(folder, "node_modules/@codesoul-co"), { recursive: true });
  symlinkSync(root, join(folder, "node_modules/@codesoul-co/ditto"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "application", private: true, type: "module" }));
  copyFileSync(join(root, "test/fixtures/documents/beforehand.d.ts"), join(folder, "beforehand.d.ts"));
  return folder;
}

function compile(): readonly string[] {
  const [plain, own] = compilerFlags(root, dist);
  const names = packageNames(join(application, "names.ts"), plain.options);
  const written = writeModules(application, units, names);
  const ambient = join(application, "beforehand.d.ts");
  // With exactOptionalPropertyTypes, the package's types may say `| undefined` where the documents leave it out, so that
  // applications can hand on what may be missing: only one direction holds then.
  return [
    ...compileModules([...written.units, ...written.taken, ...written.given], plain, { ambient, inside: dist ? join(root, "dist/types") : undefined }),
    ...compileModules([...written.units, ...written.taken], own, { ambient }),
  ];
}

async function run(of: readonly DocumentUnit[]): Promise<ProofReport> {
  const described = of.map((unit) => {
    const { name, document, lines, kind, code, exports } = unit;
    const own = settings.find((candidate) => candidate.document === document)?.text ?? "workers: {}\n";
    return `{ ...${JSON.stringify({ name, document, line: lines[0], kind, code, exports, settings: own })}, load: () => import("./${name}.ts") }`;
  });
  const entry = join(application, "entry.ts");
  writeFileSync(
    entry,
    `import { proveUnits } from ${JSON.stringify(join(root, "test/documents/prove-units.ts"))};
const units = [${described.join(",\n")}];
export const report = await proveUnits(units, ${JSON.stringify(settings)}, ${JSON.stringify(application)});
`,
  );
  const bundle = await rolldown({
    input: { entry },
    platform: "node",
    external: (id) => !id.startsWith(".") && !id.startsWith("/") && !id.startsWith("@codesoul-co/ditto"),
    resolve: { conditionNames: dist ? ["node", "import", "default"] : ["ditto-source", "node", "import", "default"] },
    logLevel: "silent",
  });
  await bundle.write({ dir: output, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" });
  await bundle.close();
  return ((await import(pathToFileURL(join(output, "entry.mjs")).href)) as { readonly report: ProofReport }).report;
}
