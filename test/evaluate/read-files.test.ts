import { describe, expect, it } from "vitest";
import { diagnosticMessage } from "../../src/diagnostics/diagnostic.ts";
import { readJudgments } from "../../src/evaluate/read-judgments.ts";
import { readQueries } from "../../src/evaluate/read-queries.ts";
import { readRunFile, writeRunFile } from "../../src/evaluate/run-file.ts";

const messages = ({
  diagnostics,
}: {
  readonly diagnostics: Parameters<typeof diagnosticMessage>[0][] | readonly Parameters<typeof diagnosticMessage>[0][];
}): readonly string[] => diagnostics.map((diagnostic) => diagnosticMessage(diagnostic));

describe("files of queries, judgments and answers", () => {
  it("reads queries as JSON lines or as a table, with line ends of any kind", () => {
    const lines = readQueries({ path: "q.jsonl", text: '\ufeff{"_id": "a", "text": "one"}\r\n\n{"id": 2, "query": "two", "filter": {"lang": "en"}}\n' });
    expect(lines.queries).toEqual([
      { id: "a", text: "one" },
      { id: "2", text: "two", filter: { lang: "en" } },
    ]);
    expect(readQueries({ path: "q.tsv", text: "query-id\ttext\na\tone\tword\n" }).queries).toEqual([{ id: "a", text: "one\tword" }]);
  });

  it("names every bad line of queries with its number and place", () => {
    const text = '{"_id": "a", "text": "one"}\n[1]\n{"_id": "a", "text": "again"}\n{"text": "x"}\n{"_id": "b", "text": " "}\n{"_id"\n';
    const read = readQueries({ path: "q.jsonl", text });
    expect(messages(read)).toEqual([
      "line 2: it is no JSON object",
      'line 3: the id "a" was used in line 1',
      'line 4: it has no "_id" or "id"',
      'line 5: it has no "text", or a blank one',
      expect.stringMatching(/^line 6: no JSON/u),
    ]);
    expect(text.slice(read.diagnostics[0]?.span.start, read.diagnostics[0]?.span.end)).toBe("[1]");
  });

  it("reads judgments with three columns, with a header, and with TREC's four", () => {
    const three = readJudgments({ path: "q.tsv", text: "query-id\tcorpus-id\tscore\nq\td\t2\n" });
    const four = readJudgments({ path: "q.txt", text: "q 0 d 2\n" });
    expect(three.judgments).toEqual(new Map([["q", new Map([["d", 2]])]]));
    expect(four.judgments).toEqual(three.judgments);
    expect(messages(readJudgments({ path: "q.tsv", text: "q\td\t1\nq\td\t0\nq\td\nq\te\tyes\n" }))).toEqual([
      'line 2: the document "d" was judged for the query "q" before',
      "line 3: it has neither the columns query, document, gain nor query, 0, document, gain",
      'line 4: the gain "yes" is no whole number',
    ]);
  });

  it("writes run files that are read in the order of the answer, whatever its scores are", () => {
    const answers = new Map([
      [
        "falls",
        [
          { id: "a", score: 3 },
          { id: "b", score: 1 },
        ],
      ],
      [
        "ties",
        [
          { id: "a", score: 1 },
          { id: "b", score: 1 },
        ],
      ],
      ["none", [{ id: "b" }, { id: "a" }]],
    ]);
    const { answers: read, diagnostics } = readRunFile({ path: "run.txt", text: writeRunFile(answers, "my run") });
    expect(diagnostics).toEqual([]);
    expect([...read].map(([query, documents]) => [query, documents.map(({ id }) => id)])).toEqual([
      ["falls", ["a", "b"]],
      ["ties", ["a", "b"]],
      ["none", ["b", "a"]],
    ]);
    expect(messages(readRunFile({ path: "run.txt", text: "q Q0 d 1\nq Q0 d 1 high x\n" }))).toEqual([
      "line 1: it has not the columns query, Q0, document, rank, score, name",
      'line 2: the score "high" is no number',
    ]);
  });
});
