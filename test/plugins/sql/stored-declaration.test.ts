import { describe, expect, it } from "vitest";
import { compareDeclarations, type StoredDeclaration } from "../../../plugins/sql/stored-declaration.ts";

const stored: StoredDeclaration = {
  layout: 1,
  analysis: "1:en",
  namespace: null,
  model: "a",
  dimensions: 3,
  fields: { product: { type: "string", guaranteed: true } },
};

function problems(declared: Partial<StoredDeclaration>): readonly string[] {
  return compareDeclarations("kb", stored, { ...stored, ...declared }).problems.map(
    ({ message, repairable }) => `${repairable ? "repairable" : "final"}: ${message}`,
  );
}

describe("compareDeclarations", () => {
  it("finds nothing wrong with the same, a new optional field, or a field that is no longer guaranteed", () => {
    expect(problems({})).toEqual([]);
    expect(problems({ dimensions: null })).toEqual([]);
    const more = { product: { type: "string", guaranteed: false }, at: { type: "date-time", guaranteed: false } };
    expect(compareDeclarations("kb", stored, { ...stored, fields: more })).toEqual({ problems: [], newFields: ["at"] });
  });

  it("names both values and the way out", () => {
    expect(problems({ dimensions: 4 })).toEqual([
      'final: Collection "kb" was made with vectors of dimension 3, but 4 is declared; give it another `table` and ingest again, or embed the old one anew with `ditto copy`',
    ]);
    expect(problems({ model: "b" })[0]).toContain('embedding model "a", but "b" is declared');
    expect(problems({ model: null })[0]).toContain('embedding model "a", but none is declared');
    expect(problems({ namespace: "tenant" })[0]).toMatch(/^final: .*namespace none, but "tenant"/);
    expect(problems({ layout: 2 })[0]).toMatch(/^final: .*layout 1, but 2/);
    expect(problems({ analysis: "1:de" })[0]).toMatch(/^repairable: .*"1:en", but "1:de" is declared; `ditto setup FILE --apply`/);
  });

  it.each([
    ["a field of another type", { product: { type: "number", guaranteed: true } }],
    ["a field that is gone", {}],
    ["a new field that every row should have", { ...stored.fields, n: { type: "number", guaranteed: true } }],
  ])("leaves %s to setup", (_, fields) => {
    expect(problems({ fields })).toHaveLength(1);
    expect(problems({ fields })[0]).toMatch(/^repairable: /);
  });
});
