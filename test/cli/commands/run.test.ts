import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { articles, type CliResult, ditto, folderWith, keywordPipeline } from "../support/ditto.ts";

async function filled(): Promise<(args: readonly string[], input?: string) => Promise<CliResult>> {
  const cwd = folderWith({
    "kb.yaml": keywordPipeline.replace("records: articles.jsonl", "records: articles.jsonl\n    fill: true"),
    "articles.jsonl": articles,
  });
  return (args, input) => ditto(["run", "kb.yaml", ...args], { cwd, input });
}

describe("ditto run --query", () => {
  it("fills the empty collection, then prints a table and nothing else on standard output", async () => {
    const run = await filled();
    const first = await run(["--query", "password"]);
    expect(first.stderr).toBe('filled "articles" with 3 records\n');
    expect(first.code).toBe(0);
    expect(first.stdout).toMatch(/^kb \/ keyword · 1 result · \d+ ms\n\n 1 {2}\d+\.\d+ {2}reset {2}Reset your password\n$/);
    const second = await run(["-q", "密码", "--limit", "2"]);
    expect(second.stderr).toBe("");
    expect(second.stdout).toMatch(/^kb \/ keyword · 1 of 2 · \d+ ms\n\n 1 {2}\d+\.\d+ {2}忘记密码 {2}忘记密码怎么办\n$/);
  });

  it("prints the whole answer as JSON", async () => {
    const run = await filled();
    const { stdout } = await run(["--query", "refund", "--json", "--filter", '{"product": "billing"}']);
    expect(JSON.parse(stdout)).toMatchObject({ target: { name: "kb" }, strategy: "keyword", candidates: [{ id: "refund", metadata: { product: "billing" } }] });
  });

  it("says plainly that nothing was found, and what to try", async () => {
    const run = await filled();
    expect((await run(["-q", "zebra"])).stdout).toMatch(/0 results · \d+ ms\n\nNothing was found\. Try other or fewer words\.\n$/);
    expect((await run(["-q", "password", "--filter", '{"product": "none"}'])).stdout).toContain("try without --filter");
    const cwd = folderWith({ "kb.yaml": keywordPipeline });
    expect((await ditto(["run", "kb.yaml", "-q", "x"], { cwd })).stdout).toContain("no records yet: ditto ingest FILE writes some");
  });

  it("explains where results stand, and traces steps on standard error", async () => {
    const run = await filled();
    const { stdout, stderr } = await run(["-q", "password", "--explain", "--trace"]);
    expect(stdout).toContain("#1 reset");
    expect(stderr).toMatch(/ ms {2}search kb\/keyword/);
    expect((await run(["-q", "password", "--explain=refund"])).stdout).toContain(
      "refund  is not in the answer\n   not-found\n     kb/keyword: no word of the query is in it\n",
    );
    const { stdout: json } = await run(["-q", "password", "--explain=refund", "--trace", "--json"]);
    expect(JSON.parse(json)).toMatchObject({
      output: { candidates: [{ id: "reset" }] },
      explanation: { id: "refund", reasons: [{ code: "not-found", step: "kb/keyword" }] },
      trace: [{ kind: "search", label: "kb/keyword", steps: [{ label: "text" }] }],
    });
  });

  it.each([
    [["--query", " "], "--query is blank", "--query"],
    [[], "there is nothing to run", "--query TEXT searches"],
    [["--query", "x", "--input", "{}"], "--query and --input exclude each other", ""],
    [["--input", "{}", "--limit", "3"], "--limit does not go with --input", ""],
    [["--query", "x", "--graph", "double"], "--graph does not go with --query", ""],
    [["--query", "x", "--limit", "0"], '--limit must be a whole number from 1 to 10000, not "0"', ""],
    [["--query", "x", "--filter", "{product"], "--filter: this is no JSON", "write --filter"],
    [["--query", "x", "--filter", "[]"], "--filter takes a JSON object", ""],
    [["--query", "x", "--target", "kbb"], 'no target is called "kbb"', 'did you mean "kb"?'],
    [["--query", "x", "--strategy", "keywrd"], 'no strategy "keywrd"', 'did you mean "keyword"?'],
    [["--query", "x", "--set", "factor"], "--set takes name=value", ""],
  ])("%j is wrong usage", async (args, message, hint) => {
    const cwd = folderWith({ "kb.yaml": keywordPipeline });
    const { code, stdout, stderr } = await ditto(["run", "kb.yaml", ...args], { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
  });

  it("says what is wrong with the file's name", async () => {
    const cwd = folderWith({ "pipelines/kb.yaml": keywordPipeline });
    expect(await ditto(["run", "pipelines", "-q", "x"], { cwd })).toMatchObject({ code: 2, stderr: expect.stringContaining("pipelines/kb.yaml") });
    expect(await ditto(["run", "pipelines/kbb.yaml", "-q", "x"], { cwd })).toMatchObject({ code: 2, stderr: expect.stringContaining("does not exist") });
    expect(await ditto(["run", "pipelines/keyb.yaml", "-q", "x"], { cwd: folderWith({ "pipelines/keys.yaml": "" }) })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('did you mean "pipelines/keys.yaml"?'),
    });
  });

  it("shows every mistake of the file, at its place", async () => {
    const cwd = folderWith({
      "kb.yaml": keywordPipeline.replace("text: { collection: kb }", "text: { colection: kb }").replace("default: keyword", "default: keywrd"),
    });
    const { code, stdout, stderr } = await ditto(["run", "kb.yaml", "-q", "x"], { cwd });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^kb\.yaml:\d+:\d+ error DITTO/m);
    expect(stderr).toContain('did you mean "collection"?');
    expect(stderr).toContain('did you mean "keyword"?');
  });

  it("fails with the code of a refused request, and no stack", async () => {
    const run = await filled();
    const { code, stderr } = await run(["-q", "x", "--filter", '{"colour": "red"}']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/error RETRIEVAL_INVALID_INPUT .*"colour"/);
    expect(stderr).not.toContain("    at ");
  });
});

describe("ditto run --input", () => {
  it("runs a graph and prints its output as JSON", async () => {
    const cwd = folderWith({ "kb.yaml": keywordPipeline, "input.json": '\ufeff{"n": 5}' });
    expect(await ditto(["run", "kb.yaml", "--input", '{"n": 4}'], { cwd })).toMatchObject({ code: 0, stdout: "8\n" });
    expect(await ditto(["run", "kb.yaml", "--input", '{"n": 4}', "--set", "factor=3"], { cwd })).toMatchObject({ code: 0, stdout: "12\n" });
    expect(await ditto(["run", "kb.yaml", "--input", "@input.json"], { cwd })).toMatchObject({ code: 0, stdout: "10\n" });
    expect(await ditto(["run", "kb.yaml", "--input", "-", "--graph", "double"], { cwd, input: '{"n": 6}' })).toMatchObject({ code: 0, stdout: "12\n" });
  });

  it("refuses input that does not fit, and names the place", async () => {
    const cwd = folderWith({ "kb.yaml": keywordPipeline });
    expect(await ditto(["run", "kb.yaml", "--input", '{"n": "4"}'], { cwd })).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/PIPELINE_INVALID_INPUT.*n/),
    });
  });

  it.each([
    [["--input", '{"n": 4'], "this is no JSON", ""],
    [["--input", ""], "it is empty", ""],
    [["--input", "@none.json"], 'the file "none.json" does not exist', ""],
    [["--input", "@."], 'the file "." is a folder', ""],
    [["--input", "{}", "--graph", "dubble"], 'no graph is called "dubble"', 'did you mean "double"?'],
  ])("%j is wrong usage", async (args, message, hint) => {
    const cwd = folderWith({ "kb.yaml": keywordPipeline });
    const { code, stdout, stderr } = await ditto(["run", "kb.yaml", ...args], { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
  });
});

describe("ditto run --records", () => {
  it("runs a graph over every record, in order, and goes on after one that fails", async () => {
    const cwd = folderWith({ "kb.yaml": keywordPipeline });
    const lines = [...Array.from({ length: 20 }, (_, n) => JSON.stringify({ n })), '{"n": "x"}', "oops"];
    const { code, stdout, stderr } = await ditto(["run", "kb.yaml", "--records", "-", "--batch", "3"], { cwd, input: lines.join("\n") });
    const outcomes = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(outcomes.slice(0, 20)).toEqual(Array.from({ length: 20 }, (_, n) => ({ line: n + 1, output: 2 * n })));
    expect(outcomes.slice(20)).toMatchObject([
      { line: 21, error: { code: "PIPELINE_INVALID_INPUT" } },
      { line: 22, error: { message: expect.stringContaining("no JSON") } },
    ]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "22 records, 2 failed\n" });
  });
});

it("ditto run --watch answers again after each edit, tells what is wrong meanwhile, and ends at Ctrl-C", { timeout: 60_000 }, async () => {
  const text = keywordPipeline.replace("records: articles.jsonl", "records: articles.jsonl\n    fill: true");
  const cwd = folderWith({ "kb.yaml": text, "articles.jsonl": articles });
  let step = 0;
  const { code, stdout, stderr } = await ditto(["run", "kb.yaml", "--input", '{"n": 2}', "--watch"], {
    cwd,
    interruptWhen: (output) => {
      if (step === 0 && output.stdout === "4\n") {
        writeFileSync(join(cwd, "kb.yaml"), text.replace("vars.factor", "vars.fctor"));
        step = 1;
      } else if (step === 1 && output.stderr.includes("generation 1 goes on")) {
        writeFileSync(join(cwd, "kb.yaml"), text.replace("factor: 2", "factor: 5"));
        step = 2;
      }
      return step === 2 && output.stdout.includes("10\n");
    },
  });
  expect({ code, stdout }).toEqual({ code: 130, stdout: "4\n10\n" });
  expect(stderr).toContain('did you mean "factor"?');
});
