import { describe, expect, test } from "vitest";
import { createDiagnostic, diagnosticMessage, hasErrors } from "../../src/diagnostics/diagnostic.ts";
import { sortDiagnostics } from "../../src/diagnostics/sort-diagnostics.ts";

const at = (path: string, start: number, end = start + 1) => ({ file: { path, text: "abcdef" }, span: { start, end } });
const unknownKey = (path: string, start: number, key = "a") => createDiagnostic("DITTO204", { ...at(path, start), arguments: { key, place: "rerank" } });

describe("a diagnostic", () => {
  test("has its severity from the catalogue and no empty members", () => {
    const diagnostic = createDiagnostic("DITTO218", { ...at("x", 0), arguments: { finding: "f" }, hint: undefined });
    expect(diagnostic.severity).toBe("warning");
    expect(Object.keys(diagnostic)).toEqual(["code", "severity", "file", "span", "arguments"]);
    expect(Object.isFrozen(diagnostic)).toBe(true);
  });

  test("is written as its code's sentence", () => {
    expect(diagnosticMessage(unknownKey("x", 0, "candidatLimit"))).toBe('unknown key "candidatLimit" in rerank');
  });

  test("stays on one line of bearable length, whatever the author wrote", () => {
    expect(diagnosticMessage(unknownKey("x", 0, "a\nb\u001b[31m"))).toBe('unknown key "a\\nb\\u001b[31m" in rerank');
    expect(diagnosticMessage(unknownKey("x", 0, "k".repeat(10_000))).length).toBeLessThan(500);
  });

  test("takes dollar signs in arguments as they are", () => {
    expect(diagnosticMessage(unknownKey("x", 0, "$&$1<place>"))).toBe('unknown key "$&$1<place>" in rerank');
  });

  test("of a warning stops nothing", () => {
    expect(hasErrors([createDiagnostic("DITTO218", { ...at("x", 0), arguments: { finding: "f" } })])).toBe(false);
    expect(hasErrors([unknownKey("x", 0)])).toBe(true);
  });
});

describe("sorting", () => {
  test("goes by file, then place", () => {
    const sorted = sortDiagnostics([unknownKey("b", 0), unknownKey("a", 5), unknownKey("a", 1)]);
    expect(sorted.map(({ file, span }) => [file.path, span.start])).toEqual([
      ["a", 1],
      ["a", 5],
      ["b", 0],
    ]);
  });

  test("keeps each finding once: the same code, place and arguments", () => {
    expect(sortDiagnostics([unknownKey("a", 1), unknownKey("a", 1), unknownKey("a", 1, "other")])).toHaveLength(2);
  });
});
