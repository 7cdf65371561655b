import { describe, expect, test } from "vitest";
import { createDiagnostic } from "../../src/diagnostics/diagnostic.ts";
import { formatGithub } from "../../src/diagnostics/format-github.ts";
import { formatJson } from "../../src/diagnostics/format-json.ts";
import { formatJunit } from "../../src/diagnostics/format-junit.ts";
import { formatSarif } from "../../src/diagnostics/format-sarif.ts";

const file = { path: "pipelines/a b,c.yaml", text: 'a: 1\n字: <x>&"%\n' };
const error = createDiagnostic("DITTO204", {
  file,
  span: { start: 5, end: 6 },
  arguments: { key: "字%<x>", place: "p" },
  suggestion: "word",
  fix: { title: "Rename to word", edits: [{ span: { start: 5, end: 6 }, text: "word" }] },
  related: [{ file, span: { start: 0, end: 1 }, note: "beside this" }],
});
const warning = createDiagnostic("DITTO218", { file, span: { start: 0, end: 7 }, arguments: { finding: "f" }, hint: "h" });

describe("for programs", () => {
  test("JSON is an array with places from 1", () => {
    expect(JSON.parse(formatJson([error, warning]))).toEqual([
      {
        code: "DITTO204",
        severity: "error",
        message: 'unknown key "字%<x>" in p',
        file: file.path,
        line: 2,
        column: 1,
        endLine: 2,
        endColumn: 2,
        suggestion: "word",
      },
      { code: "DITTO218", severity: "warning", message: "f", file: file.path, line: 1, column: 1, endLine: 2, endColumn: 3, suggestion: "h" },
    ]);
    expect(JSON.parse(formatJson([]))).toEqual([]);
  });

  test("GitHub gets one escaped command for each", () => {
    expect(formatGithub([error, warning])).toBe(
      '::error file=pipelines/a b%2Cc.yaml,line=2,col=1,endLine=2,endColumn=2,title=DITTO204::unknown key "字%25<x>" in p (did you mean "word"?)\n' +
        "::warning file=pipelines/a b%2Cc.yaml,line=1,col=1,endLine=2,endColumn=3,title=DITTO218::f (h)\n",
    );
  });

  test("SARIF names rules, places, fixes and related places", () => {
    const { version, runs } = JSON.parse(formatSarif([error, warning]));
    expect(version).toBe("2.1.0");
    expect(runs[0].tool.driver.rules.map((rule: { id: string }) => rule.id)).toEqual(["DITTO204", "DITTO218"]);
    expect(runs[0].results[0]).toMatchObject({
      ruleId: "DITTO204",
      ruleIndex: 0,
      level: "error",
      locations: [
        { physicalLocation: { artifactLocation: { uri: "pipelines/a%20b%2Cc.yaml" }, region: { startLine: 2, startColumn: 1, endLine: 2, endColumn: 2 } } },
      ],
      relatedLocations: [{ message: { text: "beside this" } }],
      fixes: [{ artifactChanges: [{ replacements: [{ insertedContent: { text: "word" } }] }] }],
    });
    expect(runs[0].results[1].level).toBe("warning");
  });

  test("JUnit has a suite for each file, and shows files without findings as passed", () => {
    const xml = formatJunit([error, warning], { files: ["pipelines/good.yaml", file.path] });
    expect(xml).toContain('<testsuite name="pipelines/a b,c.yaml" tests="2" failures="1">');
    expect(xml).toContain('message="unknown key &quot;字%&lt;x&gt;&quot; in p"');
    expect(xml).toContain('<testcase classname="pipelines/good.yaml" name="valid"/>');
    expect(xml.match(/<failure /g)).toHaveLength(1);
  });
});
