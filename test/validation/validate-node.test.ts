import { describe, expect, test } from "vitest";
import { pipelineFileSchema } from "../../schema/pipeline-file.ts";
import { nodeSchemas } from "../../schema/nodes.ts";
import type { JsonSchema } from "../../src/contracts/json-schema.ts";
import { type Diagnostic, diagnosticMessage } from "../../src/diagnostics/diagnostic.ts";
import { applyEdits } from "../../src/document/apply-edits.ts";
import { parseDocument } from "../../src/document/parse-document.ts";
import { type ValidateNodeOptions, validateNode } from "../../src/validation/validate-node.ts";

interface Judged {
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
  /** Code, marked text, sentence, and the way out. */
  readonly found: readonly (readonly (string | undefined)[])[];
}

function judge(text: string, schema: JsonSchema, options: Partial<ValidateNodeOptions> = {}): Judged {
  const file = { path: "x.yaml", text };
  const { root, problems } = parseDocument(file);
  if (root === undefined || problems.length > 0) throw new Error(`not sound: ${JSON.stringify(problems)}`);
  const diagnostics = validateNode(root, schema, { file, place: "rerank", ...options });
  const found = diagnostics.map((diagnostic) => [
    diagnostic.code,
    text.slice(diagnostic.span.start, diagnostic.span.end),
    diagnosticMessage(diagnostic),
    diagnostic.suggestion ?? diagnostic.hint,
  ]);
  return { text, diagnostics, found };
}

function repaired({ text, diagnostics }: Judged): string {
  return applyEdits(
    text,
    diagnostics.flatMap((diagnostic) => diagnostic.fix?.edits ?? []),
  );
}

const rerank: JsonSchema = {
  type: "object",
  required: ["search", "reranker"],
  additionalProperties: false,
  properties: {
    search: { "x-ditto-slot": { role: "search" } },
    reranker: { "x-ditto-slot": { role: "reranker" } },
    candidateLimit: { type: "integer", minimum: 1, maximum: 10_000 },
    onError: { "x-ditto-slot": { role: "search", literals: ["fail"] } },
    text: { type: "string", "x-ditto-place": { sees: ["candidate"] } },
    options: { type: "object", additionalProperties: false, properties: { cache: { type: "boolean" }, model: { type: "string" } } },
  },
};

describe("keys", () => {
  test("that are nearly right are suggested, and renamed by the fix", () => {
    const judged = judge("search: a\nreranker: b\ncandidatLimit: 50\n", rerank);
    expect(judged.found).toEqual([["DITTO204", "candidatLimit", 'unknown key "candidatLimit" in rerank', "candidateLimit"]]);
    expect(repaired(judged)).toBe("search: a\nreranker: b\ncandidateLimit: 50\n");
  });

  test("that are misspelt are not missing as well, and what stands below them is judged", () => {
    const { found } = judge("serach: a\nreranker: b\ncandidat-limit: 0\n", rerank);
    expect(found.map(([code, place]) => [code, place])).toEqual([
      ["DITTO204", "serach"],
      ["DITTO204", "candidat-limit"],
      ["DITTO207", "0"],
    ]);
  });

  test("that stand beside the right one are not renamed to it", () => {
    const judged = judge("search: a\nsaerch: b\nreranker: c\n", rerank);
    expect(judged.found[0]?.[3]).toBe("search");
    expect(judged.diagnostics[0]?.fix).toBeUndefined();
  });

  test("that belong into a sibling or one level up say so", () => {
    expect(judge("search: a\nreranker: b\nmodel: c\n", rerank).found).toEqual([
      ["DITTO204", "model", 'unknown key "model" in rerank', '"model" belongs in "options"'],
    ]);
    expect(judge("search: a\nreranker: b\noptions: { candidateLimit: 5 }\n", rerank).found).toEqual([
      ["DITTO204", "candidateLimit", 'unknown key "candidateLimit" in options', '"candidateLimit" belongs one level up, in rerank'],
    ]);
    const above = { label: "ranked", keys: ["timeout"] };
    expect(judge("search: a\nreranker: b\ntimeout: 5\n", rerank, { above }).found[0]?.[3]).toBe('"timeout" belongs one level up, in ranked');
  });

  test("that are like no other name the legal ones, at most eight", () => {
    expect(judge("search: a\nreranker: b\nxyz: 5\n", rerank).found[0]?.[3]).toBe("legal keys: search, reranker, candidateLimit, onError, text, options");
    const many: JsonSchema = { additionalProperties: false, properties: Object.fromEntries("abcdefghij".split("").map((name) => [name, {}])) };
    expect(judge("xyz: 1\n", many).found[0]?.[3]).toBe("legal keys: a, b, c, d, e, f, g, h and 2 more");
  });

  test("that are missing are shown at the mapping's key", () => {
    const outer: JsonSchema = { properties: { rerank } };
    expect(judge("rerank:\n  search: a\n", outer).found).toEqual([["DITTO203", "rerank", 'missing key "reranker" in rerank', undefined]]);
  });

  test("named like members of every object are keys like others", () => {
    expect(judge("search: a\nreranker: b\nconstructor: 1\ntoString: 2\n", rerank).found.map(([code, place]) => [code, place])).toEqual([
      ["DITTO204", "constructor"],
      ["DITTO204", "toString"],
    ]);
  });

  test("have a form where the schema names one", () => {
    const schema: JsonSchema = { propertyNames: { pattern: "^[a-z][a-z0-9_-]*$" } };
    const judged = judge("My KB: 1\ngood: 2\n", schema, { place: "targets" });
    expect(judged.found).toEqual([
      ["DITTO208", "My KB", 'each name in targets must be a name of lower-case letters, digits, "_" and "-" that begins with a letter, not "My KB"', "my-kb"],
    ]);
  });
});

describe("values", () => {
  test.each<[string, JsonSchema, readonly string[], string | undefined]>([
    ["a: 1\n", { type: "string" }, ["DITTO201", "1", "a must be a string, not 1"], 'a: "1"\n'],
    ["a: true\n", { type: "string" }, ["DITTO201", "true", "a must be a string, not true"], 'a: "true"\n'],
    ['a: "5"\n', { type: "integer" }, ["DITTO201", '"5"', 'a must be a whole number, not "5"'], "a: 5\n"],
    ["a: yes\n", { type: "boolean" }, ["DITTO201", "yes", 'a must be true or false, not "yes"'], "a: true\n"],
    ["a: 1.5\n", { type: "integer" }, ["DITTO201", "1.5", "a must be a whole number, not 1.5"], undefined],
    ["a:\n", { type: "object" }, ["DITTO201", "a", "a must be a mapping, not empty"], undefined],
    ["a: [1]\n", { type: "object" }, ["DITTO201", "[1]", "a must be a mapping, not a list"], undefined],
    ["a: x\n", { type: ["object", "null"] }, ["DITTO201", "x", 'a must be a mapping or null, not "x"'], undefined],
    ["a: x\n", { type: "array", items: { type: "string" } }, ["DITTO201", "x", 'a must be a list of strings, not "x"'], undefined],
    ["a: 0\n", { type: "integer", minimum: 1, maximum: 10 }, ["DITTO207", "0", "a must be a whole number from 1 to 10, not 0"], undefined],
    ["a: 0\n", { type: "number", exclusiveMinimum: 0 }, ["DITTO207", "0", "a must be a number above 0, not 0"], undefined],
    ["a: 5\n", { type: "number", exclusiveMaximum: 5 }, ["DITTO207", "5", "a must be a number below 5, not 5"], undefined],
    ["a: 0.35\n", { type: "number", multipleOf: 0.1 }, ["DITTO207", "0.35", "a must be a number that is a multiple of 0.1, not 0.35"], undefined],
    ['a: ""\n', { type: "string", minLength: 1 }, ["DITTO209", '""', "a must be at least 1 character long, not empty"], undefined],
    ["a: 字字字\n", { type: "string", maxLength: 2 }, ["DITTO209", "字字字", "a must be at most 2 characters long, not 3 characters"], undefined],
    ["a: x\n", { type: "string", pattern: "^y" }, ["DITTO208", "x", 'a must be a string that matches ^y, not "x"'], undefined],
    ["a: 2025-02-30\n", { type: "string", format: "date" }, ["DITTO208", "2025-02-30", 'a must be a date such as 2025-01-31, not "2025-02-30"'], undefined],
    [
      "a: 2025-02-03\n",
      { type: "string", format: "date-time" },
      ["DITTO208", "2025-02-03", 'a must be a date and time such as 2025-01-31T12:00:00Z, not "2025-02-03"'],
      undefined,
    ],
    ["a: kb\n", { type: "string", format: "uri" }, ["DITTO208", "kb", 'a must be an absolute URL, not "kb"'], undefined],
    ["a: minimax\n", { enum: ["rrf", "minmax"] }, ["DITTO202", "minimax", 'a must be one of "rrf" or "minmax", not "minimax"'], "a: minmax\n"],
    ["a: 'minimax'\n", { enum: ["rrf", "minmax"] }, ["DITTO202", "'minimax'", 'a must be one of "rrf" or "minmax", not "minimax"'], "a: 'minmax'\n"],
    ["a: 2\n", { const: 1 }, ["DITTO201", "2", "a must be 1, not 2"], undefined],
    ["a: []\n", { minItems: 1 }, ["DITTO210", "a", "a must have at least 1 item, not 0"], undefined],
    ["a: [1, 2, 3]\n", { maxItems: 2 }, ["DITTO210", "a", "a must have at most 2 items, not 3"], undefined],
    ["a: { b: 1, c: 2 }\n", { minProperties: 1, maxProperties: 1 }, ["DITTO210", "a", "a must have exactly one key, not 2"], undefined],
    ["a: [x, y, x]\n", { uniqueItems: true }, ["DITTO211", "x", "this item of a is there already"], undefined],
    ["a: [1, x]\n", { items: { type: "number" } }, ["DITTO201", "x", 'item 2 of a must be a number, not "x"'], undefined],
    ["a: [1, x]\n", { items: [{ type: "string" }] }, ["DITTO201", "1", "item 1 of a must be a string, not 1"], undefined],
  ])("%j under %j", (text, schema, expected, fix) => {
    const judged = judge(text, { properties: { a: schema } });
    expect(judged.found.map((entry) => entry.slice(0, 3))).toEqual([expected]);
    if (fix !== undefined) expect(repaired(judged)).toBe(fix);
  });

  test("in schemas by pattern and in open ones are judged too", () => {
    expect(
      judge("x-a: 1\nb: 2\n", { patternProperties: { "^x-": { type: "string" } }, additionalProperties: { type: "boolean" } }).found.map(([, place]) => place),
    ).toEqual(["1", "2"]);
  });

  test("behind an anchor are reported at the anchor, the same for each use", () => {
    const text = "a: &n { limit: x }\nb: *n\n";
    const limits: JsonSchema = { type: "object", required: ["z"], properties: { limit: { type: "number" } } };
    const { diagnostics } = judge(text, { additionalProperties: limits });
    const places = diagnostics.map(({ code, span }) => [code, text.slice(span.start, span.end)]);
    expect(places).toEqual([
      ["DITTO201", "x"],
      ["DITTO203", "a"],
      ["DITTO201", "x"],
      ["DITTO203", "{ limit: x }"],
    ]);
  });
});

describe("what is not known yet", () => {
  test("is not judged: scalars with expressions and values from outside, and what combines them", () => {
    const schema: JsonSchema = {
      properties: {
        a: { type: "integer" },
        b: { enum: ["x"] },
        c: { type: "object" },
        d: { anyOf: [{ type: "number" }, { type: "array" }] },
        e: { not: { type: "string" } },
      },
    };
    expect(judge('a: ${ vars.n }\nb: "${env:B}"\nc: pre ${ x } post\nd: ${ y }\ne: ${ z }\n', schema).found).toEqual([]);
  });

  test("a literal `$${` is known", () => {
    expect(judge("a: $${x}\n", { properties: { a: { type: "integer" } } }).found).toHaveLength(1);
  });

  test("slots and places are told, with their pointers, and not looked into", () => {
    const slots: string[] = [];
    const places: string[] = [];
    const options: Partial<ValidateNodeOptions> = {
      onSlot: ({ pointer, annotation, label }) => slots.push(`${pointer} ${annotation.role} ${label}`),
      onPlace: ({ pointer, annotation }) => places.push(`${pointer} ${annotation.sees.join()}`),
    };
    expect(judge("search: { wrong: 1 }\nreranker: b\nonError: fail\ntext: 5\n", rerank, options).found).toEqual([]);
    expect(slots).toEqual(["/search search search", "/reranker reranker reranker"]);
    expect(places).toEqual(["/text candidate"]);
  });

  test("but a place's own schema judges what stands there when it is asked to", () => {
    const place: JsonSchema = { type: "boolean", "x-ditto-place": { sees: [] } };
    expect(judge("[]\n", place, { place: "when" }).found.map((entry) => entry[2])).toEqual(["when must be true or false, not a list"]);
  });
});

describe("combined schemas", () => {
  const strategy = nodeSchemas["CONTEXT.SELECT"]?.input ?? {};

  test("report the form that was meant, told by its fixed member", () => {
    expect(judge("purpose: infer\ncontext: { items: [] }\nstrategy: { kind: provider, nam: x }\n", strategy).found).toEqual([
      ["DITTO204", "nam", 'unknown key "nam" in strategy', "name"],
    ]);
    expect(judge("purpose: infer\ncontext: { items: [] }\nstrategy: { kind: rga }\n", strategy).found).toEqual([
      ["DITTO202", "rga", 'kind must be one of "default", "provider" or "rag", not "rga"', "rag"],
    ]);
  });

  test("report the form that was meant, told by its type", () => {
    const into: JsonSchema = { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] };
    expect(judge("a: [x, 1]\n", { properties: { a: into } }).found.map((entry) => entry[2])).toEqual(["item 2 of a must be a string, not 1"]);
    expect(judge("a: { x: 1 }\n", { properties: { a: into } }).found.map((entry) => entry[2])).toEqual(["a must be a string or a list of strings"]);
  });

  test("name the keys of which one is needed, and those that exclude each other", () => {
    const either: JsonSchema = { oneOf: [{ required: ["ids"] }, { required: ["keys"] }] };
    expect(judge("limit: 1\n", either, { place: "input" }).found.map((entry) => entry[2])).toEqual(['input needs one of the keys "ids" or "keys"']);
    const both = judge("ids: []\nkeys: []\n", either, { place: "input" });
    expect(both.found).toEqual([["DITTO213", "keys", '"keys" cannot stand beside "ids" in input', undefined]]);
    expect(both.diagnostics[0]?.related?.[0]?.span).toEqual({ start: 0, end: 3 });
    expect(judge("ids: []\n", either).found).toEqual([]);
  });

  test("follow conditions, references, all and not", () => {
    const schema: JsonSchema = {
      definitions: { limit: { type: "integer", minimum: 1 } },
      properties: { limit: { $ref: "#/definitions/limit" }, child: { $ref: "#" } },
      allOf: [{ not: { required: ["a", "b"] } }],
      if: { required: ["fill"] },
      then: { required: ["records"] },
      else: { required: ["into"] },
    };
    const codes = (text: string) => judge(text, schema).found.map(([code, , message]) => `${code} ${message}`);
    expect(codes("into: 1\nchild: { into: 1, limit: 0 }\n")).toEqual(["DITTO207 limit must be a whole number of at least 1, not 0"]);
    expect(codes("fill: 1\n")).toEqual(['DITTO203 missing key "records" in rerank']);
    expect(codes("x: 1\n")).toEqual(['DITTO203 missing key "into" in rerank']);
    expect(codes("into: 1\na: 1\nb: 1\n")).toEqual(['DITTO213 "b" cannot stand beside "a" in rerank']);
  });
});

describe("a pipeline file", () => {
  test("with a graph that mixes value and node is told so once", () => {
    const text = "version: 1\nname: a\ngraphs:\n  g:\n    nodes:\n      n: { value: 1, timeoutMs: 5 }\n    output: 1\n";
    expect(judge(text, pipelineFileSchema).found.map((entry) => entry[2])).toEqual(['"timeoutMs" cannot stand beside "value" in n']);
  });

  test("of a newer version is refused", () => {
    expect(judge("version: 2\nname: a\n", pipelineFileSchema).found.map((entry) => entry[2])).toEqual(["version must be 1, not 2"]);
  });

  test("that fills needs records to fill from", () => {
    const text = 'version: 1\nname: a\ningest:\n  x: { into: kb, id: "${ input.id }", content: "${ input.body }", fill: true }\n';
    expect(judge(text, pipelineFileSchema).found.map((entry) => entry[2])).toEqual(['missing key "records" in x']);
  });
});
