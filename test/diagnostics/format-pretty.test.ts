import { describe, expect, test } from "vitest";
import { createDiagnostic } from "../../src/diagnostics/diagnostic.ts";
import { formatPretty } from "../../src/diagnostics/format-pretty.ts";

const file = {
  path: "pipelines/support-kb.yaml",
  text: `${"#\n".repeat(35)}          candidatLimit: 50\n`,
};
const start = file.text.indexOf("candidat");
const diagnostic = createDiagnostic("DITTO204", {
  file,
  span: { start, end: start + 13 },
  arguments: { key: "candidatLimit", place: "rerank" },
  suggestion: "candidateLimit",
});

function marks(text: string, span: { readonly start: number; readonly end: number }): readonly string[] {
  const shown = createDiagnostic("DITTO204", { file: { path: "x", text }, span, arguments: { key: "k", place: "p" } });
  return formatPretty([shown]).split("\n").slice(1, 3);
}

describe("for people", () => {
  test("a diagnostic shows place, sentence, line, carets and what was meant", () => {
    expect(formatPretty([diagnostic])).toBe(
      [
        'pipelines/support-kb.yaml:36:11 error DITTO204 unknown key "candidatLimit" in rerank',
        "   36 |           candidatLimit: 50",
        '      |           ^^^^^^^^^^^^^ did you mean "candidateLimit"?',
        "",
      ].join("\n"),
    );
  });

  test("a hint stands where a suggestion would, and both stand below each other", () => {
    const { suggestion: _, ...rest } = diagnostic;
    expect(formatPretty([{ ...rest, hint: "it belongs above" }])).toContain("^^^^^^^^^^^^^ it belongs above\n");
    expect(formatPretty([{ ...diagnostic, hint: "it belongs above" }])).toContain("?\n      | it belongs above\n");
  });

  test("related places follow with their own lines", () => {
    const related = [{ file: { path: "b.yaml", text: "x: 1\n" }, span: { start: 0, end: 1 }, note: "here it is written first" }];
    expect(formatPretty([{ ...diagnostic, related }])).toContain("b.yaml:1:1 here it is written first\n    1 | x: 1\n      | ^\n");
  });

  test("several are separated by an empty line, none is nothing", () => {
    expect(formatPretty([diagnostic, diagnostic]).split("\n\n")).toHaveLength(2);
    expect(formatPretty([])).toBe("");
  });

  test("colours are added only when asked for, and change no text", () => {
    expect(formatPretty([diagnostic])).not.toContain("\u001b");
    const colored = formatPretty([diagnostic], { color: true });
    expect(colored).toContain("\u001b[31m^^^^^^^^^^^^^\u001b[39m");
    expect(colored.replace(/\u001b\[\d+m/g, "")).toBe(formatPretty([diagnostic]));
  });

  test("carets stand under wide characters by the columns that these take", () => {
    expect(marks("字段: 错误值 x", { start: 4, end: 7 })).toEqual(["    1 | 字段: 错误值 x", "      |       ^^^^^^"]);
  });

  test("tabs are expanded in the line and under it", () => {
    expect(marks("a:\tbc", { start: 3, end: 5 })).toEqual(["    1 | a:  bc", "      |     ^^"]);
  });

  test("of a long line the part around the place is shown", () => {
    const [line = "", under = ""] = marks(`${"a".repeat(500)}HERE${"b".repeat(500)}`, { start: 500, end: 504 });
    expect(line.length).toBeLessThanOrEqual(128);
    expect(line.slice(under.indexOf("^"), under.indexOf("^") + 4)).toBe("HERE");
    expect(line).toMatch(/\| …a+HEREb+…$/);
  });

  test("of several lines the first is marked, of an empty place one column", () => {
    expect(marks("ab\ncd", { start: 1, end: 5 })[1]).toBe("      |  ^");
    expect(marks("ab", { start: 2, end: 2 })[1]).toBe("      |   ^");
  });

  test("what would move the cursor of a terminal is never printed", () => {
    expect(marks("a\u001b[2Jb\u202e", { start: 0, end: 1 })[0]).toBe("    1 | a\ufffd[2Jb\ufffd");
  });

  test("a file without text has no line to show", () => {
    const missing = createDiagnostic("DITTO116", {
      file: { path: "no.yaml", text: "" },
      span: { start: 0, end: 0 },
      arguments: { path: "no.yaml", reason: "it does not exist" },
      hint: "look again",
    });
    expect(formatPretty([missing])).toBe('no.yaml error DITTO116 the file "no.yaml" cannot be read: it does not exist\n      | look again\n');
  });
});
