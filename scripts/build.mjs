// Builds `dist`: one bundle with split chunks for the package's entries, the command and the worker threads, and the
// declarations file by file. It runs at `npm ci` (`prepare`), so it needs nothing but what is installed.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
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
  const input = { cli: join(root, "src/cli/main.ts"), "plugins/local-embedding/encoder-thread": join(root, "plugins/local-embedding/encoder-thread.ts") };
  for (const value of Object.values(manifest.exports)) {
    if (typeof value === "string") continue;
    input[value.default.slice("./dist/".length, -".js".length)] = join(root, value["ditto-source"]);
  }
  return input;
}

function isExternal(id) {
  if (id.startsWith("node:")) return true;
  if (id.startsWith(".") || id.startsWith("/")) return false;
  const name = id.split("/").slice(0, id.startsWith("@") ? 2 : 1).join("/");
  return name !== manifest.name && !bundled.has(name);
}

/** Files of these rooms. */
function room(names) {
  return new RegExp(`[\\\\/]src[\\\\/](?:${names})[\\\\/]`);
}

async function bundle() {
  const build = await rolldown({
    input: entries(),
    platform: "node",
    external: isExternal,
    resolve: { conditionNames: ["ditto-source", "node", "import", "default"] },
    treeshake: { moduleSideEffects: false },
    onwarn(warning, handler) {
      if (warning.code !== "CIRCULAR_DEPENDENCY") handler(warning);
    },
  });
  await build.write({
    dir: target,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    sourcemap: false,
    // A cold start pays for each file and each character: what is loaded together stands together, without white space;
    // names stay, for whoever reads a stack.
    codeSplitting: {
      groups: [
        { name: "common", test: room("base|contracts") },
        { name: "document", test: new RegExp(`${room("document|diagnostics|validation|configuration").source}|[\\\\/]schema[\\\\/]|[\\\\/]node_modules[\\\\/]yaml[\\\\/]`) },
        { name: "runtime", test: room("runtime|worker|retrieval") },
        { name: "compile", test: room("expression|plugin|kinds|pipeline") },
      ],
    },
    minify: { compress: true, mangle: false, codegen: true },
  });
  await build.close();
}

function* sources(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
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

mkdirSync(target, { recursive: true });
try {
  await bundle();
  declarations();
  rmSync(join(root, "dist"), { recursive: true, force: true });
  renameSync(target, join(root, "dist"));
} finally {
  rmSync(target, { recursive: true, force: true });
}
