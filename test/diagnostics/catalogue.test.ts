import { describe, expect, test } from "vitest";
import type { CatalogueEntry } from "../../schema/diagnostics/catalogue-entry.ts";
import { diagnosticCatalogue } from "../../schema/diagnostics/catalogue.ts";
import { diagnosticMessage } from "../../src/diagnostics/diagnostic.ts";
import { documentDiagnostics } from "../../src/diagnostics/document-diagnostics.ts";
import { parseDocument } from "../../src/document/parse-document.ts";

const entries: readonly (readonly [string, CatalogueEntry])[] = Object.entries(diagnosticCatalogue);
const ofReading = entries.filter(([code]) => code < "DITTO116");

describe("the catalogue", () => {
  test.each(entries)("%s is complete", (code, entry) => {
    expect(code).toMatch(/^DITTO[1-7]\d\d$/);
    for (const text of [entry.title, entry.explanation, entry.wayOut, entry.wrong, entry.right]) expect(text.trim()).not.toBe("");
    expect(entry.sentence).not.toMatch(/\.$/);
    expect(entry.explanation).toMatch(/\.$/);
    expect(entry.wayOut).toMatch(/\.$|\)$|`$|yaml$/);
    expect(entry.wrong).not.toBe(entry.right);
  });

  test.each(ofReading)("what %s shows as wrong is reported by this code alone, what it shows as right is read", (code, entry) => {
    const wrong = parseDocument({ path: "x.yaml", text: entry.wrong });
    expect(new Set(wrong.problems.map((problem) => problem.code))).toEqual(new Set([code]));
    expect(parseDocument({ path: "x.yaml", text: entry.right }).problems).toEqual([]);
  });

  test.each(ofReading)("reading gives %s every argument that its sentence names", (_, entry) => {
    for (const diagnostic of documentDiagnostics(parseDocument({ path: "x.yaml", text: entry.wrong }))) {
      expect(diagnosticMessage(diagnostic)).not.toMatch(/<[a-z]+>/);
    }
  });
});
