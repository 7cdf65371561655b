import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { Script } from "node:vm";

/** What stack traces call the file: V8 keeps the name in the cache, and the place where the package was built says nothing. */
const shownAs = "@codesoul-co/ditto/dist/cli.cjs";

/**
 * Loads the built command with what V8 made of it when it was built: most of a cold start would be spent on compiling.
 *
 * A cache of another version of V8 is refused by V8 itself, and the text is compiled as usual.
 *
 * @param {string} path Absolute path of the CommonJS file; its cache lies beside it.
 * @returns {{ exports: any, script: Script }} What the file exports, and the script, from which the build makes the cache.
 */
export function loadBuilt(path) {
  // A script from a cache cannot import by itself, so the build has it call `importModule`.
  const text = `(function (exports, require, module, __filename, __dirname, importModule) {${readFileSync(path, "utf8")}\n})`;
  const script = new Script(text, { filename: shownAs, cachedData: readCache(`${path}.cache`) });
  const importModule = (specifier) => import(specifier);
  const loaded = { exports: {} };
  script.runInThisContext().call(loaded.exports, loaded.exports, createRequire(path), loaded, path, dirname(path), importModule);
  return { exports: loaded.exports, script };
}

function readCache(path) {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
