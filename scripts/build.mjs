// Builds `dist`: one bundle with split chunks for the package's entries, the command and the worker threads, and the
// declarations file by file. It runs at `npm ci` (`prepare`), so it needs nothing but what is installed.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { isolatedDeclarationSync } from "rolldown/experimental";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** Built beside and moved into place whole, so that nobody who runs meanwhile sees half of it. */
const target = join(root, `.cache/dist-${process.pid}`);
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Bundled, because they are needed to validate a file and a cold start pays for each module; everything else stays a dependency. */
const bundled = new Set(["yaml", "commander"]);

/** The public entries by their path in `dist`, as `exports` names them. */
function entries() {
  const threads = ["plugins/local-embedding/encoder-thread", "plugins/sqlite/read-thread"];
  const input = Object.fromEntries(threads.map((name) => [name, join(root, `${name}.ts`)]));
  for (const value of Object.values(manifest.exports)) {
    if (typeof value === "string") continue;
    input[value.default.slice("./dist/".length, -".js".length)] = join(root, value["ditto-source"]);
  }
  return input;
}

function isExternal(id) {
  if (id.startsWith("node:")) return true;
  if (id.startsWith(".") || id.startsWith("/")) return false;
  const name = id
    .split("/")
    .slice(0, id.startsWith("@") ? 2 : 1)
    .join("/");
  return name !== manifest.name && !bundled.has(name);
}

/** Files of these rooms. */
function room(names) {
  return new RegExp(`[\\\\/]src[\\\\/](?:${names})[\\\\/]`);
}

/** What both bundles have in common. */
const reading = {
  platform: "node",
  external: isExternal,
  resolve: {
    conditionNames: ["ditto-source", "node", "import", "default"],
    // Its modules of this century: what is not used falls away, and nothing is wrapped.
    alias: { yaml: join(root, "node_modules/yaml/browser/index.js") },
  },
  treeshake: { moduleSideEffects: (id) => id.endsWith("scripts/command.ts") },
  onwarn(warning, handler) {
    if (warning.code !== "CIRCULAR_DEPENDENCY") handler(warning);
  },
};
/** Without white space and with short local names; those of functions stay, for whoever reads a stack. */
const minify = { compress: true, mangle: { toplevel: false }, codegen: true };

/** The entries of the package: what is loaded together stands together, since a start pays for each file. */
async function bundleEntries() {
  const build = await rolldown({ ...reading, input: entries() });
  await build.write({
    dir: target,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    codeSplitting: {
      groups: [
        { name: "common", test: room("base|contracts") },
        {
          name: "document",
          test: new RegExp(`${room("document|diagnostics|validation|configuration").source}|[\\\\/]schema[\\\\/]|[\\\\/]node_modules[\\\\/]yaml[\\\\/]`),
        },
        { name: "runtime", test: room("runtime|worker|retrieval") },
        { name: "compile", test: room("expression|plugin|kinds|pipeline") },
      ],
    },
    minify,
  });
  await build.close();
}

/** The command: one file, which `src/cli/bin.mjs` loads with V8's cache. */
async function bundleCommand() {
  const build = await rolldown({ ...reading, input: { cli: join(root, "scripts/command.ts") } });
  const { output } = await build.generate({ format: "cjs", codeSplitting: false, minify });
  await build.close();
  // See `load-built.mjs`: the file's own `import()` would not work from a cache.
  writeFileSync(join(target, "cli.cjs"), output[0].code.replaceAll(/(?<![\w$.])import\(/g, "importModule("));
}

function* sources(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    // The inspector's page runs in browsers: nobody imports its types.
    if (entry.isDirectory()) yield* entry.name === "page" ? [] : sources(path);
    else if (entry.name.endsWith(".ts") && !entry.name.endsWith(".d.ts")) yield path;
  }
}

/** One declaration file for each source file; `.ts` in import paths becomes `.js`, which TypeScript reads as the `.d.ts` beside it. */
function declarations() {
  const problems = [];
  for (const folder of ["src", "plugins", "schema"]) {
    for (const path of sources(join(root, folder))) {
      const { code, errors } = isolatedDeclarationSync(path, readFileSync(path, "utf8"));
      for (const error of errors) problems.push(`${relative(root, path)}: ${error.message}`);
      const output = join(target, "types", relative(root, path).replace(/\.ts$/, ".d.ts"));
      mkdirSync(dirname(output), { recursive: true });
      writeFileSync(output, code.replace(/(from\s+|import\(\s*|module\s+)("|')(\.{1,2}\/[^"']+)\.ts\2/g, "$1$2$3.js$2"));
    }
  }
  if (problems.length > 0) throw new Error(`Declarations cannot be written:\n${problems.join("\n")}`);
}

/** The inspector's page: one script and one style sheet, beside the document that names them. */
async function bundlePage() {
  const page = join(root, "src/inspector/page");
  const build = await rolldown({ input: { app: join(page, "main.ts") }, platform: "browser", resolve: reading.resolve, onwarn: reading.onwarn });
  await build.write({ dir: join(target, "inspector"), format: "esm", entryFileNames: "[name].js", codeSplitting: false, minify: true });
  await build.close();
  for (const file of ["index.html", "app.css"]) copyFileSync(join(page, file), join(target, "inspector", file));
}

/** Lets V8 keep what it compiles while a file is judged. A build that cannot warm up is a whole one all the same. */
function warmCommand() {
  spawnSync(process.execPath, [join(root, "scripts/warm-command.mjs")], { cwd: root, stdio: "ignore" });
}

/** Two renames: whoever starts meanwhile finds one build or the other, except for an instant between them. */
function swapIn() {
  const [dist, old] = [join(root, "dist"), `${target}-old`];
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(target, dist);
  rmSync(old, { recursive: true, force: true });
}

mkdirSync(target, { recursive: true });
try {
  await bundleEntries();
  await bundleCommand();
  await bundlePage();
  declarations();
  swapIn();
  warmCommand();
} finally {
  rmSync(target, { recursive: true, force: true });
}
