import { describe, expect, it } from "vitest";
import { articles, ditto, folderWith, keywordPipeline } from "../support/ditto.ts";

const project = (): string => folderWith({ "kb.yaml": keywordPipeline, "articles.jsonl": articles });

describe("ditto ingest", () => {
  it("writes the file's records and prints one line", async () => {
    const cwd = project();
    const first = await ditto(["ingest", "kb.yaml"], { cwd });
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toMatch(/^articles: 3 read, 3 written, 0 unchanged, in .+\n$/);
    expect((await ditto(["ingest", "kb.yaml", "articles"], { cwd })).stdout).toMatch(/^articles: 3 read, 0 written, 3 unchanged, in/);
    expect(JSON.parse((await ditto(["ingest", "kb.yaml", "--json"], { cwd })).stdout)).toMatchObject({ read: 3, unchanged: 3, failed: [] });
  });

  it("reads standard input and CSV", async () => {
    const cwd = project();
    expect((await ditto(["ingest", "kb.yaml", "--records", "-"], { cwd, input: '{"id":"x","body":"from a pipe"}\n' })).stdout).toContain("1 written");
    expect((await ditto(["ingest", "kb.yaml", "-r", "-", "--format", "csv"], { cwd, input: "id,body\ny,from CSV\n" })).stdout).toContain("1 written");
    expect((await ditto(["run", "kb.yaml", "-q", "pipe CSV"], { cwd })).stdout).toContain("2 results");
  });

  it("names bad lines, stops or goes on, and fails", async () => {
    const cwd = folderWith({ "kb.yaml": keywordPipeline, "bad.jsonl": '{"id":"a","body":"x"}\n{"id":"b"}\n{oops\n{"id":"d","body":"y"}\n' });
    const stopped = await ditto(["ingest", "kb.yaml", "-r", "bad.jsonl"], { cwd });
    expect(stopped.code).toBe(1);
    expect(stopped.stderr).toMatch(/^bad\.jsonl:2 error .*body.*\nstopped there; --on-error skip leaves bad records out\n$/);
    const skipped = await ditto(["ingest", "kb.yaml", "-r", "bad.jsonl", "--on-error", "skip"], { cwd });
    expect(skipped.code).toBe(1);
    expect(skipped.stderr).toMatch(/^bad\.jsonl:2 error .*\nbad\.jsonl:3 error no JSON.*\n$/);
    expect(skipped.stdout).toContain("4 read, 1 written, 1 unchanged, 2 bad");
  });

  it("prunes and deletes", async () => {
    const cwd = project();
    await ditto(["ingest", "kb.yaml"], { cwd });
    expect((await ditto(["ingest", "kb.yaml", "-r", "-", "--prune"], { cwd, input: articles.split("\n").slice(0, 2).join("\n") })).stdout).toContain(
      "1 removed",
    );
    expect((await ditto(["ingest", "kb.yaml", "--delete", "--where", '{"product": "web"}'], { cwd })).stdout).toBe("kb: 1 row removed\n");
    expect(await ditto(["ingest", "kb.yaml", "--delete", "--where", "{}"], { cwd })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("INGEST_FILTER_NEEDED"),
    });
  });

  it("ends at Ctrl-C with what is kept", async () => {
    const cwd = project();
    const { code, stdout, stderr } = await ditto(["ingest", "kb.yaml", "-r", "/dev/zero", "--format", "jsonl"], {
      cwd,
      interruptWhen: ({ elapsedMs }) => elapsedMs > 1500,
    });
    expect(code).toBe(130);
    expect(stderr).toBe("");
    expect(stdout).toContain("interrupted: what was written stays");
  });

  it.each([
    [["kb.yaml", "artcles"], 'no ingest is called "artcles"', 'did you mean "articles"?'],
    [["kb.yaml", "--delete"], "--delete needs --where", ""],
    [["kb.yaml", "--where", "{}"], "--where belongs to --delete", ""],
    [["kb.yaml", "--on-error", "ignore"], "--on-error is stop or skip", ""],
    [["kb.yaml", "--batch", "x"], "--batch must be a whole number", ""],
  ])("%j is wrong usage", async (args, message, hint) => {
    const { code, stderr } = await ditto(["ingest", ...args], { cwd: project() });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
  });

  it("says what is wrong with the source", async () => {
    const cwd = project();
    expect(await ditto(["ingest", "kb.yaml", "-r", "none.jsonl"], { cwd })).toMatchObject({ code: 1, stderr: expect.stringContaining("do not exist") });
    expect(await ditto(["ingest", "kb.yaml", "-r", "kb.yaml"], { cwd })).toMatchObject({ code: 1, stderr: expect.stringContaining("INGEST_SOURCE_UNKNOWN") });
  });
});
