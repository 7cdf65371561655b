import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { ditto, folderWith } from "../support/ditto.ts";

const count = 40;
const ids = Array.from({ length: count }, (_, index) => index + 1);

/** Each document has a word of its own; the branch `noise` finds the same ones whatever is asked. */
const pipeline = `version: 1
name: words
resources:
  db: { sqlite: { file: words.db } }
  notes: { sqlite.collection: { database: db, language: none } }
ingest:
  notes: { into: notes, id: "\${ input.id }", content: "\${ input.text }", records: notes.jsonl, fill: true }
targets:
  notes:
    default: both
    strategies:
      words: { text: { collection: notes } }
      noise: { rewrite: { search: words, query: common } }
      both:
        hybrid:
          rrfK: 10
          branches:
            words: { weight: 1 }
            noise: { weight: 5 } # far too much
`;

const files = {
  "words.yaml": pipeline,
  "notes.jsonl": ids.map((id) => `${JSON.stringify({ id: `d${id}`, text: `common own${id}` })}\n`).join(""),
  "queries.jsonl": ids.map((id) => `${JSON.stringify({ _id: `q${id}`, text: `own${id}` })}\n`).join(""),
  "qrels.tsv": `query-id\tcorpus-id\tscore\n${ids.map((id) => `q${id}\td${id}\t1\n`).join("")}`,
};

describe("ditto eval", () => {
  let cwd: string;

  // Only searched by the tests below that do not write: filled once.
  beforeAll(async () => {
    const { mkdtempSync } = await import("node:fs");
    const { tmpdir } = await import("node:os");
    cwd = mkdtempSync(join(tmpdir(), "ditto-eval-"));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
    return async () => (await import("node:fs")).rmSync(cwd, { recursive: true, force: true });
  });

  it("measures every strategy, compares them with the default one, and finds the judgments beside the pipeline", async () => {
    const { code, stdout, stderr } = await ditto(["eval", "words.yaml", "--metrics", "ndcg@10,hit@1"], { cwd });
    expect(stderr).not.toContain("error");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^40 queries\n\n +ndcg@10 +hit@1\nboth +0\.\d{4} +0\.\d{4}\nwords +1\.0000 +1\.0000\nnoise +/u);
    expect(stdout).toMatch(/words against both: ndcg@10 \+0\.\d{4} \(p < 0\.001\), \d+ better, 0 worse/u);
    expect(existsSync(join(cwd, ".ditto/eval-words.yaml.jsonl"))).toBe(false);
  });

  it("tells of queries without judgments, and of judged ids that no query has", async () => {
    writeFileSync(join(cwd, "other.tsv"), "q1\td1\t1\nq2\td2\t1\nq99\td3\t1\n");
    const { stdout } = await ditto(["eval", "words.yaml", "--qrels", "other.tsv", "--queries", "queries.jsonl", "--metrics", "hit@1"], { cwd });
    expect(stdout).toMatch(/^2 queries, 38 without judgments left out, 1 judged that no query has \(q99\)\n/u);
  });

  it("prints JSON with each query's values, and the queries that won and lost of two strategies", async () => {
    const { stdout } = await ditto(["eval", "words.yaml", "--strategy", "words,noise", "--metrics", "hit@1", "--json"], { cwd });
    const told = JSON.parse(stdout) as { readonly systems: readonly unknown[]; readonly perQuery: readonly unknown[] };
    expect(told.systems[0]).toEqual({ name: "words", metrics: { "hit@1": 1 } });
    expect(told.perQuery).toHaveLength(count);
    const { stdout: text } = await ditto(["eval", "words.yaml", "--strategy", "noise,words", "--metrics", "hit@1"], { cwd });
    expect(text).toContain("won most with words\n  0.000 -> 1.000  q");
  });

  it("fails below a threshold, and with every bad line of the judgments", async () => {
    const low = await ditto(["eval", "words.yaml", "--threshold", "ndcg@10=0.999"], { cwd });
    expect([low.code, low.stderr]).toEqual([1, expect.stringContaining("below both: ndcg@10 is 0.")]);
    expect((await ditto(["eval", "words.yaml", "--strategy", "words", "--threshold", "ndcg@10=0.999"], { cwd })).code).toBe(0);
    writeFileSync(join(cwd, "bad.tsv"), "q1\td1\t1\nq1\td1\t1\nq2\tyes\n");
    const bad = await ditto(["eval", "words.yaml", "--qrels", "bad.tsv"], { cwd });
    expect(bad.code).toBe(1);
    expect(bad.stderr).toContain("bad.tsv:2:1 error DITTO708 line 2:");
    expect(bad.stderr).toContain("bad.tsv:3:1 error DITTO708 line 3:");
  });

  it("refuses options that make no sense", async () => {
    const messages = await Promise.all(
      [["--metrics", "ndgc@10"], ["--write"], ["--sweep", "rrfK"], ["--strategy", "word"], ["--threshold", "ndcg@10"], ["--sweep", "weight.word=1,2"]].map(
        async (rest) => {
          const { code, stderr } = await ditto(["eval", "words.yaml", ...rest], { cwd });
          return [code, stderr.replaceAll("\n", " ").trim()];
        },
      ),
    );
    expect(messages).toEqual([
      [2, 'error ditto eval: "ndgc@10" is no metric   did you mean "ndcg@10"?'],
      [2, "error ditto eval: --write belongs to --sweep"],
      [2, expect.stringContaining('--sweep: "rrfK" is no name=values')],
      [2, 'error ditto eval: the target "notes" has no strategy "word"   did you mean "words"?'],
      [2, expect.stringContaining("--threshold takes metric=value")],
      [2, expect.stringContaining('did you mean "weight.words"?')],
    ]);
  });

  it("takes answers that it has from a state file, and none of another pipeline", async () => {
    const args = ["eval", "words.yaml", "--strategy", "words", "--metrics", "hit@1", "--state", "state.jsonl"];
    await ditto(args, { cwd });
    const kept = readFileSync(join(cwd, "state.jsonl"), "utf8").trim().split(/\n+/u);
    expect(kept).toHaveLength(count);
    // An answer that only the file can know: proof that it was not asked again. A broken last line is left out.
    const changed = kept.map((line) => line.replaceAll(/\["d\d+"/gu, '["elsewhere"'));
    writeFileSync(join(cwd, "state.jsonl"), `${changed.slice(0, 10).join("\n")}\n{"key": "brok`);
    expect((await ditto(args, { cwd })).stdout).toContain("words  0.7500");
    writeFileSync(join(cwd, "other.yaml"), pipeline.replace("rrfK: 10", "rrfK: 11"));
    expect((await ditto(["eval", "other.yaml", ...args.slice(2)], { cwd })).stdout).toContain("words  1.0000");
  });

  it("saves runs that it reads again, and compares pipelines", async () => {
    writeFileSync(join(cwd, "less.yaml"), pipeline.replace("weight: 5", "weight: 0.1"));
    const compared = await ditto(["eval", "words.yaml", "--compare", "less.yaml", "--metrics", "mrr@10", "--save", "run-{name}.txt"], { cwd });
    expect(compared.stdout).toContain("less.yaml#both against words.yaml#both: mrr@10 +");
    const [line] = readFileSync(join(cwd, "run-less.yaml-both.txt"), "utf8").split("\n");
    expect(line).toMatch(/^q1 Q0 d1 1 [\d.]+ less\.yaml#both$/u);
    const again = await ditto(["eval", "words.yaml", "--strategy", "both", "--metrics", "mrr@10", "--run", "run-less.yaml-both.txt"], { cwd });
    expect(/less\.yaml#both +(\d\.\d{4})/u.exec(compared.stdout)?.[1]).toBe(/run-less\.yaml-both\.txt +(\d\.\d{4})/u.exec(again.stdout)?.[1]);
  });

  it("finds a better setting by one half of the queries, proves it by the other, shows the patch, and writes it with the comments kept", async () => {
    const folder = folderWith(files);
    const args = ["eval", "words.yaml", "--sweep", "weight.noise=0.1,1,5", "--sweep", "rrfK=10,60", "--metrics", "ndcg@10"];
    const { stdout, code } = await ditto([...args, "--plot", "sweep.svg"], { cwd: folder });
    expect(code).toBe(0);
    expect(stdout).toContain("* weight.noise=0.1 rrfK=10");
    expect(stdout).toContain("-            noise: { weight: 5 } # far too much\n+            noise: { weight: 0.1 } # far too much\n");
    expect(readFileSync(join(folder, "sweep.svg"), "utf8")).toContain("<svg");
    expect(readFileSync(join(folder, "words.yaml"), "utf8")).toBe(pipeline);
    const written = await ditto([...args, "--write"], { cwd: folder });
    expect(written.stderr).toContain("wrote weight.noise=0.1 rrfK=10 into words.yaml");
    expect(readFileSync(join(folder, "words.yaml"), "utf8")).toBe(pipeline.replace("weight: 5", "weight: 0.1"));
    const again = await ditto([...args, "--write"], { cwd: folder });
    expect(again.stderr).toContain("has the best setting already");
  });
});
