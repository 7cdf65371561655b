import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { LiveFolder } from "./live-folder.ts";

/** A plugin with a function that joins what its helper files say; it needs no import of the package. */
const plugin = (own: string): string => `import { typed } from "./typed.ts";
import { plain } from "./plain.js";
import { module } from "./module.mjs";
import common from "./common.cjs";
import data from "./data.json";
const own: string = "${own}";
export default {
  name: "word",
  apiVersion: 1,
  kinds: [],
  functions: {
    words: {
      description: "Joins.",
      parameters: [],
      result: { type: "string" },
      call: (): string => [own, typed, plain, module, common.word, data.word].join(" "),
    },
  },
};
`;

const pipeline = `version: 1
name: a
graphs:
  say:
    input: { type: object }
    nodes: { said: { value: "\${ words() }" } }
    output: "\${ said }"
`;

function files(word: string): Record<string, string> {
  return {
    "plugins/word.ts": plugin(word),
    "plugins/typed.ts": `export const typed: string = "${word}";`,
    "plugins/plain.js": `export const plain = "${word}";`,
    "plugins/module.mjs": `export const module = "${word}";`,
    "plugins/common.cjs": `module.exports = { word: "${word}" };`,
    "plugins/data.json": `{ "word": "${word}" }`,
    "plugins/package.json": `{ "type": "module" }`,
    "ditto.yaml": "plugins: [./plugins/word.ts]\n",
    "pipelines/a.yaml": pipeline,
  };
}

it("an edit of a plugin's file, or of any of its helper files, runs the new code", async () => {
  const folder = new LiveFolder(files("0"));
  const pipelines = await folder.start({ watch: true });
  expect(await pipelines.get("a").run({})).toBe("0 0 0 0 0 0");
  const edited = files("1");
  let number = 1;
  for (const [index, name] of ["word.ts", "typed.ts", "plain.js", "module.mjs", "common.cjs", "data.json"].entries()) {
    folder.write(`plugins/${name}`, edited[`plugins/${name}`] ?? "");
    number += 1;
    await folder.next("switched", ({ generation }) => generation.number === number);
    const words = Array.from({ length: 6 }, (_, place) => (place <= index ? "1" : "0"));
    expect(await pipelines.get("a").run({})).toBe(words.join(" "));
  }
});

it("a plugin that is broken keeps the old code running, and its repair is noticed", async () => {
  const folder = new LiveFolder(files("0"));
  const pipelines = await folder.start({ watch: true });
  folder.write("plugins/typed.ts", "export const typed: string = (;");
  expect((await folder.next("failed")).diagnostics[0]?.code).toBe("DITTO602");
  expect(await pipelines.get("a").run({})).toBe("0 0 0 0 0 0");
  folder.write("plugins/typed.ts", 'export const typed: string = "2";');
  await folder.next("switched", ({ generation }) => generation.number === 2);
  expect(await pipelines.get("a").run({})).toBe("0 2 0 0 0 0");
});

it("a package plugin that changes on the disk says that it needs a restart, once, and serves on", async () => {
  const source = (word: string): string =>
    `export default { name: "word", apiVersion: 1, kinds: [], functions: { words: { description: "Says.", parameters: [], result: { type: "string" }, call: () => "${word}" } } };\n`;
  const folder = new LiveFolder({
    "ditto.yaml": "plugins: [word-plugin]\n",
    "pipelines/a.yaml": pipeline,
    "node_modules/word-plugin/package.json": '{ "name": "word-plugin", "version": "1.0.0", "type": "module", "exports": "./index.js" }',
    "node_modules/word-plugin/index.js": source("old"),
  });
  const pipelines = await folder.start({ watch: true });
  folder.write("node_modules/word-plugin/index.js", source("new"));
  expect(await folder.next("restart-needed")).toMatchObject({ plugin: "word-plugin" });
  await pipelines.reload();
  expect(folder.count("restart-needed")).toBe(1);
  expect(pipelines.status().pipelines[0]?.restartNeeded).toEqual(["word-plugin"]);
  expect(await pipelines.get("a").run({})).toBe("old");
});

it("a plugin's package that is linked is imported once, like any package", async () => {
  const folder = new LiveFolder({
    ...files("0"),
    "linked/package.json": '{ "name": "linked", "type": "module", "exports": "./index.js" }',
    "linked/index.js": "globalThis.linkedImports = (globalThis.linkedImports ?? 0) + 1; export const linked = true;",
  });
  mkdirSync(folder.at("plugins/node_modules"));
  symlinkSync(folder.at("linked"), join(folder.at("plugins/node_modules"), "linked"));
  folder.write("plugins/typed.ts", 'import "linked"; export const typed: string = "0";');
  const pipelines = await folder.start();
  folder.write("plugins/word.ts", plugin("1"));
  await pipelines.reload();
  expect(await pipelines.get("a").run({})).toBe("1 0 0 0 0 0");
  expect((globalThis as { linkedImports?: number }).linkedImports).toBe(1);
});
