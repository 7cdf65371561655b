import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseByLibrary } from "../../src/document/parse-document.ts";
import { readPlainYaml } from "../../src/document/read-plain-yaml.ts";
import { samplePipeline } from "../bench/sample-pipeline.ts";
import { mutate } from "../pipeline/mutate.ts";
import { propertyRuns } from "../property-runs.ts";
import { readScenario } from "../scenarios/read-scenario.ts";

const root = join(import.meta.dirname, "../..");
const scenarios = join(root, "test/scenarios");
const corpus = [
  ...readdirSync(join(root, "pipelines"))
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => readFileSync(join(root, "pipelines", name), "utf8")),
  ...readdirSync(scenarios, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => readScenario(readFileSync(join(scenarios, name), "utf8")).text),
  samplePipeline(200, 1),
];

/** Nothing where it gave up; otherwise what the library says must be the same. */
function compare(text: string): boolean {
  const read = readPlainYaml(text);
  if (read === undefined) return false;
  const { root: expected, problems } = parseByLibrary({ path: "x.yaml", text });
  if (problems.length > 0 || JSON.stringify(sorted(expected)) !== JSON.stringify(sorted(read)))
    expect({ root: read, problems: [] }, text).toEqual({ root: expected, problems });
  return true;
}

/** Members in one order, so that equal trees are equal texts. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
}

describe("everyday YAML is read as the library reads it", () => {
  test.each([
    "a: 1 # c\n\nb: 2\n",
    "a:\n  b: x  \n  c:\n\n  # comment\nd: y # z\n# end\n\n",
    "a:\n- 1\n- b: 2\n  c: 3\n-\n- - x\nd: {}\n",
    "a: { b: 1, c : [x, 'y'] , } # t\ne: [\n    1,\n    2 ]\n",
    "a: |\n  x\n   y\n\nb: >-\n  one\n  two\n\n  three\n",
    "a: |-\n    x\n\n    y\n\n\n",
    "a: \"x\\n\\u0041 \\\"q\\\"\" \n'b c': 'it''s'\n\"q\": ''\n",
    "a: ~\nb: null\nc: True\nd: FALSE\ne: -1.5e3\nf: .5\ng: +12\nh: 1.\ni: 012\nj: nope\nk: tide\nl: 1.2.3\nm: 2024-01-01\nn: 1_000\n",
    "a:\n    b:\n        c: 1\n    d: 2\n",
    "- a\n",
    "a: x",
    "a:",
    'a: x#y\nb: x:y\nc: http://a\nd: -x\ne: ?x\nf: a - b\ng: "#"\n',
    "  a: 1\n  b:\n  - x\n  -   c: 1\n      d: 2\n",
    "a: {\n  b: 1, # one\n  # two\n\n  c: [ ] }\nd: []\n",
    'a: ${ x.y }\nb: text ${ x } more\nc: { d: "${ e ? 1 : 2 }" }\n',
    "a:\r\n  b: 1 # c\r\n  c: >-\r\n    x\r\n    y\r\nd: [1,\r\n  2]\r\n",
    'price.gte: "x"\na b: c d\n字: 值\n',
  ])("%j", (text) => {
    expect(compare(text)).toBe(text !== "- a\n");
  });

  test.each([
    "a: &x 1\n",
    "a: *x\n",
    "a: !x 1\n",
    "a: x\n  y\n",
    "a: 'x\n  y'\n",
    "a: ${ b ? c : d }\n",
    "a: { b: ${ c } }\n",
    "a: ${ b # c }\n",
    "a: 1\na: 2\n",
    "1: a\n",
    "null: a\n",
    "a:\tb\n",
    "a: b: c\n",
    "a: [b: c]\n",
    "a: { b }\n",
    "a: {b:1}\n",
    "a: [1, 2\n",
    "a: [1\n]\n",
    "---\na: 1\n",
    "%YAML 1.2\n---\na: 1\n",
    "a: |2\n   x\n",
    "a: >+\n  x\n\n",
    "a: 9007199254740993\n",
    "a: .inf\n",
    "a: 0x1F\n",
    "a:\n  b: 1\n c: 2\n",
    "a: 1\n  b: 2\n",
    "? a\n: b\n",
    "__proto__: 1\n",
    'a: "\\x41"\n',
    "a: 'x'y\n",
    "\ufeffa: 1\n",
    "",
    "# c\n",
    "text\n",
  ])("and %j is left to it", (text) => {
    expect(readPlainYaml(text)).toBeUndefined();
  });

  test("every file of the repository, with both line breaks, and most of them without the library", () => {
    const read = corpus.filter((text) => compare(text)).length + corpus.filter((text) => compare(text.replaceAll("\n", "\r\n"))).length;
    expect(read).toBeGreaterThan(corpus.length);
  });

  test("mutated files", { timeout: 600_000 }, () => {
    let read = 0;
    for (let seed = 0; seed < propertyRuns(60_000); seed += 1) if (compare(mutate(corpus[seed % corpus.length] as string, seed))) read += 1;
    expect(read).toBeGreaterThan(propertyRuns(1000));
  });
});
