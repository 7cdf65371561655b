import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ditto, folderWith } from "../support/ditto.ts";

const root = join(import.meta.dirname, "../../..");

const pipeline = `version: 1
name: notes
resources:
  db: { sqlite: { file: notes.db } }
  notes: { sqlite.collection: { database: db, fields: { kind: { type: string } } } }
ingest:
  notes: { into: notes, id: "\${ input.id }", content: "\${ input.text }", metadata: { kind: "\${ input.?kind }" } }
targets:
  notes:
    default: words
    strategies:
      words: { text: { collection: notes } }
      lately: { rewrite: { search: words, filter: { kind: new } } }
graphs:
  ask:
    input: { type: object, required: [q], properties: { q: { type: string }, more: { type: boolean } } }
    nodes:
      search: { node: RETRIEVAL.SEARCH, input: { target: { name: notes }, query: { content: "\${ input.q }" } } }
      more: { when: "\${ coalesce(input.?more, false) }", value: "\${ 'more' }" }
    output: "\${ search.output.candidates.map(c, { 'id': coalesce(c.?id, '') }) }"
`;

const fixtures = `version: 1
pipeline: notes.yaml
fixtures:
  notes:
    - { id: a, text: refund within a month, kind: old }
    - { id: b, text: refund refund, kind: new }
    - { id: c, text: something else }
`;

describe("ditto test", () => {
  it("runs the tests beside the project's own pipelines", async () => {
    const { code, stdout, stderr } = await ditto(["test", "pipelines", "--coverage"], { cwd: root });
    expect(stderr).toContain("all passed");
    expect(code).toBe(0);
    expect(stdout).toContain("pipelines/language-routing.yaml: 6 of 6 ways taken");
  });

  it("passes what holds, keeps the pipeline's database untouched, and tells what no test took", async () => {
    const cwd = folderWith({
      "notes.yaml": pipeline,
      "notes.test.yaml": `${fixtures}tests:
  - { name: order, search: refund, expect: { ids: [b, a], first: b, before: [b, a], contains: [a], excludes: [c], count: 2, degraded: false } }
  - { name: filter, search: { query: refund, filter: { kind: old } }, expect: { ids: [a], that: ["\${ scores['a'] > 0 }", "answer.target.name == 'notes'"] } }
  - { name: run, run: { q: refund }, expect: { output: [{ id: b }, { id: a }], ids: [b, a] } }
  - { name: refused, search: { query: refund, filter: { kin: x } }, expect: { error: RETRIEVAL_INVALID_INPUT } }
`,
    });
    const { code, stdout, stderr } = await ditto(["test", "--coverage"], { cwd });
    expect([code, stderr]).toEqual([0, "\n4 tests in 1 file: all passed\n"]);
    expect(stdout).toContain("notes.yaml: 3 of 5 ways taken\n  not taken: notes/lately\n  not taken: ask: more\n");
    expect(() => readFileSync(join(cwd, "notes.db"))).toThrow();
  });

  it("tells what failed at its place with the difference, and --update writes what came out and nothing else", async () => {
    const text = `${fixtures}tests: # mine
  - name: order
    search: refund
    expect:
      ids: [a, c] # wrong
      excludes: [b]
  - { name: graph, run: { q: else }, expect: { output: [] } }
`;
    const cwd = folderWith({ "notes.yaml": pipeline, "notes.test.yaml": text });
    const { code, stderr, stdout } = await ditto(["test"], { cwd });
    expect(code).toBe(1);
    expect(stdout).toContain("  failed order");
    expect(stderr).toContain("notes.test.yaml:12:7 error DITTO721 order: expected a, c");
    expect(stderr).toContain("notes.test.yaml:13:7 error DITTO721 order: b found: b, a");
    expect(stderr).toContain("2 tests in 1 file: 2 failed");
    await ditto(["test", "--update"], { cwd });
    expect(readFileSync(join(cwd, "notes.test.yaml"), "utf8")).toBe(
      text.replace("[a, c] # wrong", '["b", "a"] # wrong').replace("output: []", 'output: [{"id":"c"}]'),
    );
  });

  it("reports as JSON and as JUnit", async () => {
    const cwd = folderWith({ "notes.yaml": pipeline, "notes.test.yaml": `${fixtures}tests:\n  - { name: "<1>", search: refund, expect: { first: a } }\n` });
    const json = await ditto(["test", "--reporter", "json"], { cwd });
    expect(JSON.parse(json.stdout)).toMatchObject([
      { path: "notes.test.yaml", tests: [{ name: "<1>", passed: false, failures: [{ code: "DITTO721", line: 9 }] }] },
    ]);
    const junit = await ditto(["test", "--reporter", "junit"], { cwd });
    expect(junit.stdout).toContain('<testcase classname="notes.test.yaml" name="&lt;1&gt;"');
    expect(junit.stdout).toContain('failures="1"');
  });

  it("holds what validating says against what is expected", async () => {
    const cwd = folderWith({
      "wrong.yaml": "version: 1\nname: wrong\ntargets:\n  kb: { strategies: { words: { txt: {} } } }\n",
      "wrong.test.yaml": "version: 1\npipeline: wrong.yaml\ndiagnostics: [{ code: DITTO999, line: 4 }]\n",
    });
    const { code, stderr } = await ditto(["test"], { cwd });
    expect(code).toBe(1);
    expect(stderr).toMatch(/DITTO721 diagnostics of wrong\.yaml: missing DITTO999:4; not expected DITTO\d+:4:/u);
    await ditto(["test", "--update"], { cwd });
    expect((await ditto(["test"], { cwd })).code).toBe(0);
  });

  it("says everything that is wrong with a test file, at its place", async () => {
    const cwd = folderWith({ "notes.yaml": pipeline });
    const told = async (text: string): Promise<string> => {
      writeFileSync(join(cwd, "notes.test.yaml"), `version: 1\npipeline: notes.yaml\n${text}`);
      const { code, stderr } = await ditto(["test"], { cwd });
      expect(code).toBe(1);
      return stderr;
    };
    expect(await told("tests: [{ name: a, search: x, expect: { idz: [] } }]\n")).toContain('3:41 error DITTO204 unknown key "idz"');
    expect(await told("tests: [{ name: a, expect: { ids: [] } }]\n")).toContain('error DITTO722 "a" must say either what to "search" or what to "run"');
    expect(await told('tests: [{ name: a, search: x, expect: { that: "size(idz) == 1" } }]\n')).toMatch(/3:53 error DITTO404 .*idz/u);
    expect(await told("mocks: { note: { hits: [] } }\ntests: [{ name: a, search: x, expect: { ids: [] } }]\n")).toContain(
      '3:10 error DITTO722 the pipeline has no resource "note"; did you mean "notes"?',
    );
    expect(await told("mocks: { notes: { vectors: { a: [1] } } }\ntests: [{ name: a, search: x, expect: { ids: [] } }]\n")).toContain(
      '"vectors" cannot stand in for "notes", which is a collection',
    );
    expect(await told("fixtures: { note: [] }\ntests: [{ name: a, search: x, expect: { ids: [] } }]\n")).toContain('has no ingest and no collection "note"');
  });

  it("refuses a pipeline that would reach a server, and lets a stand-in take its place", async () => {
    const remote = pipeline
      .replace(
        "graphs:",
        "      far: { http: { connection: api, path: /find, body: { q: '${ query.content }', n: '${ limit }' }, result: '${ response.hits }' } }\ngraphs:",
      )
      .replace("resources:", 'resources:\n  api: { http: { url: "https://api.example.com" } }');
    const test = (more: string): string =>
      `version: 1\npipeline: notes.yaml\n${more}tests:\n  - { name: far, search: { query: x, strategy: far }, expect: { ids: [z] } }\n`;
    const cwd = folderWith({ "notes.yaml": remote, "notes.test.yaml": test("") });
    expect((await ditto(["test"], { cwd })).stderr).toContain('error DITTO723 "api" (http) reaches a server');
    writeFileSync(join(cwd, "notes.test.yaml"), test("mocks: { api: { answers: [{ path: /find, body: { hits: [{ id: z, content: z }] } }] } }\n"));
    const { code, stderr } = await ditto(["test"], { cwd });
    expect(stderr).toContain("all passed");
    expect(code).toBe(0);
  });
});
