import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../src/contracts/json-schema.ts";
import { check, problems } from "./read.ts";

const hit: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["id", "content"],
  properties: {
    id: { type: "string" },
    content: {},
    score: { type: "number" },
    tags: { type: "array", items: { type: "string" } },
    note: { type: ["string", "null"] },
  },
};
const names: Readonly<Record<string, JsonSchema>> = {
  hits: { type: "array", items: hit },
  hit,
  n: { type: "integer" },
  x: { type: "number" },
  s: { type: "string" },
  b: { type: "boolean" },
  any: {},
  open: { type: "object", additionalProperties: true },
  mode: { enum: ["fast", "slow"] },
  input: {
    type: "object",
    required: ["question"],
    properties: {
      question: { type: "string" },
      meta: { type: "object", properties: { date: { type: "string" }, user: { type: "string" } }, required: ["user"] },
    },
  },
  now: { type: "string", format: "date-time" },
};

/** Problems against the usual names. */
const found = (text: string, expected?: JsonSchema): readonly string[] => problems(text, names, { expected });
const schemaOf = (text: string): JsonSchema => check(text, names).schema;

describe("names and members", () => {
  it("reports an unknown name with the one that was meant and those that are known", () => {
    expect(check("inptu.meta", names).problems).toMatchObject([
      { kind: "unknownName", start: 0, end: 5, suggestion: "input", hint: expect.stringContaining("known here: hits, hit, n") },
    ]);
  });

  it("reports a member that a declared object cannot have, also inside has", () => {
    expect(found("hits[0].scroe")).toEqual(["unknownMember: scroe"]);
    expect(check("hits[0].scroe", names).problems).toMatchObject([{ suggestion: "score", hint: "its members: id, content, score, tags, note" }]);
    expect(found("has(hit.scroe)")).toEqual(["unknownMember: scroe"]);
    expect(found('hit["scroe"]')).toEqual(["unknownMember: scroe"]);
    expect(found("hit.?scroe")).toEqual(["unknownMember: scroe"]);
    expect(found("coalesce(hit.scroe, 1)")).toEqual(["unknownMember: scroe"]);
    expect(found("s.length")).toEqual(["unknownMember: length"]);
  });

  it("reports each of several mistakes once, in order", () => {
    expect(found("hitz[0].id + hit.scroe + s.foo() + size(n) + (b ? -s : 1)")).toEqual([
      "unknownName: hitz",
      "unknownMember: scroe",
      "unknownFunction: foo",
      "wrongArgument: n",
      "wrongOperands: s",
    ]);
  });

  it("lets undeclared members of open objects be dynamic, and slips of declared ones not", () => {
    expect(found("open.whatever.deep + 1")).toEqual([]);
    expect(found("any.x[0].y")).toEqual([]);
    expect(found("input.other")).toEqual([]);
    expect(found("input.qestion")).toEqual(["unknownMember: qestion"]);
  });

  it("asks for .? where a declared member is optional, once for a chain", () => {
    expect(found("hit.score + 1")).toEqual(["optionalMember: score"]);
    expect(check("hit.score + 1", names).problems).toMatchObject([
      { hint: "write hit.?score where it may be left out, or coalesce(hit.?score, ...) for a default" },
    ]);
    expect(found("input.meta.date")).toEqual(["optionalMember: meta"]);
    expect(found('hit["score"] + 1')).toEqual(["optionalMember: score"]);
  });

  it("knows a member that a condition has shown to be there", () => {
    expect(found("has(hit.score) ? hit.score : 0.0")).toEqual([]);
    expect(found("has(hit.score) && hit.score > 1")).toEqual([]);
    expect(found("!has(hit.score) || hit.score > 1")).toEqual([]);
    expect(found("!has(hit.score) ? 0.0 : hit.score")).toEqual([]);
    expect(found("has(input.meta.date) ? input.meta.date : input.meta.user")).toEqual(["optionalMember: meta"]);
    expect(found('"score" in hit ? hit.score : 0.0')).toEqual([]);
    expect(found("has(hit.score) || hit.score > 1")).toEqual(["optionalMember: score"]);
    expect(found("hits.filter(h, has(h.score)).map(h, h.score)")).toEqual([]);
    expect(found("hits.map(h, has(h.score), h.score)")).toEqual([]);
  });

  it("forgets what was shown of a name that a variable hides", () => {
    expect(found("has(hit.score) && hits.all(hit, hit.score > 1)")).toEqual(["optionalMember: score"]);
  });

  it("knows a value that was compared with null", () => {
    expect(found("has(hit.note) && hit.note != null && hit.note.size() > 1")).toEqual([]);
    expect(found("has(hit.note) && hit.note.size() > 1")).toEqual(["wrongArgument: size"]);
  });

  it("tells the names that an expression reads, without variables", () => {
    expect(check("hits.map(h, h.id + s)", names).uses).toEqual(["hits", "s"]);
    expect(check("age(s)", names).uses).toEqual(["s", "now"]);
  });

  it("refuses age where the place has no now", () => {
    expect(problems("age(s)", { s: { type: "string" } })).toEqual(["unknownName: age"]);
  });
});

describe("absence", () => {
  it("is the result's where it is not settled", () => {
    expect(check("hit.?score", names)).toMatchObject({ absent: true, schema: { type: "number" }, problems: [] });
    expect(check("input.?meta.?date", names)).toMatchObject({ absent: true, problems: [] });
    expect(check("input.?meta.user", names)).toMatchObject({ absent: true, problems: [] });
    expect(check("input.?question", names)).toMatchObject({ absent: false });
    expect(check("b ? hit.?score : 1.0", names)).toMatchObject({ absent: true, problems: [] });
  });

  it("is settled by coalesce", () => {
    expect(check("coalesce(hit.?score, 0)", names)).toMatchObject({ absent: false, schema: { type: "number" }, problems: [] });
    expect(check("coalesce(hit.score, 0)", names)).toMatchObject({ absent: false, problems: [] });
    expect(check("coalesce(hit.?note, s)", names)).toMatchObject({ absent: false, schema: { type: "string" }, problems: [] });
    expect(check("coalesce(hit.?score, input.?meta.?date)", names)).toMatchObject({ absent: true, problems: [] });
  });

  it("leaves out the key of a map and the element of a list", () => {
    expect(check('{"a": hit.?score, "b": 1}', names)).toMatchObject({ absent: false, schema: { required: ["b"] }, problems: [] });
    expect(check("[hit.?score, 1]", names)).toMatchObject({ absent: false, problems: [] });
  });

  it.each([
    ["hit.?score + 1", "hit.?score"],
    ["text(hit.?score)", "hit.?score"],
    ["hit.?score == 1", "hit.?score"],
    ["hits.map(h, h.?score)", "h.?score"],
    ["hits.filter(h, h.?score > 1)", "h.?score"],
    ["hits[hit.?score]", "hit.?score"],
    ["hit.?tags.size()", "hit.?tags"],
    ["hit.?tags.map(t, t)", "hit.?tags"],
  ])("must be settled in %s", (text, at) => {
    expect(found(text)).toContain(`absentValue: ${at}`);
  });

  it("of a whole name is asked for like a member's", () => {
    const node = { type: "object", required: ["output"], additionalProperties: false, properties: { output: { type: "array", items: hit } } } as const;
    const options = { optionalNames: ["node", "flag"] };
    const seen = { node, flag: { type: "boolean" } } as const;
    expect(problems("coalesce(node.?output, []).map(h, h.id)", seen, options)).toEqual([]);
    expect(problems("coalesce(node.output, [])", seen, options)).toEqual([]);
    expect(problems("node.output.map(h, h.id)", seen, options)).toEqual(["optionalMember: node"]);
    expect(problems("has(node) ? node.output : []", seen, options)).toEqual([]);
    expect(problems("flag ? 1 : 2", seen, options)).toEqual(["absentValue: flag"]);
    expect(problems("coalesce(flag, false) ? 1 : 2", seen, options)).toEqual([]);
    expect(check("flag", seen, options)).toMatchObject({ absent: true, problems: [] });
  });
});

describe("operators", () => {
  it("treat integers and other numbers as one type, and keep integers where they can", () => {
    expect(schemaOf("n + 1")).toEqual({ type: "integer" });
    expect(schemaOf("n * n - 3 % n")).toEqual({ type: "integer" });
    expect(schemaOf("n / 2")).toEqual({ type: "number" });
    expect(schemaOf("n + x")).toEqual({ type: "number" });
    expect(schemaOf("-n")).toEqual({ type: "integer" });
    expect(found("n == 1.0 && size(s) > 2 && 5 / 2 == 2.5 && x < n")).toEqual([]);
  });

  it("join strings, and lists", () => {
    expect(schemaOf('s + "a"')).toEqual({ type: "string" });
    expect(schemaOf("[n] + [x]")).toEqual({ type: "array", items: { type: "number" } });
    expect(schemaOf("[] + hits")).toEqual({ type: "array", items: hit });
  });

  it.each([
    ["s + 1", "wrongOperands: +"],
    ["n - s", "wrongOperands: s"],
    ["hit + hit", "wrongOperands: hit"],
    ["s < 1", "wrongOperands: <"],
    ["hits < hits", "wrongOperands: hits"],
    ["s == 1", "wrongOperands: =="],
    ["1 in [s]", "wrongOperands: in"],
    ["n in hit", "wrongOperands: in"],
    ["n in s", "wrongOperands: s"],
    ["!n", "wrongOperands: n"],
    ["-s", "wrongOperands: s"],
    ["n && b", "wrongOperands: n"],
    ["s ? 1 : 2", "wrongOperands: s"],
    ["s[0]", "wrongOperands: 0"],
    ["hits[s]", "wrongArgument: s"],
    ["hits[x]", "wrongArgument: x"],
    ["hit[0]", "wrongArgument: 0"],
    ["{1: 2}", "wrongArgument: 1"],
    ['{"a": 1, "a": 2}', 'duplicateKey: "a"'],
  ])("refuse %s", (text, problem) => {
    expect(found(text)).toContain(problem);
  });

  it("say nothing about values that are dynamic", () => {
    expect(found("any + 1 > any.x && any[0] in any || !any")).toEqual([]);
    expect(found("dyn(s) + 1")).toEqual([]);
  });

  it("warn of a comparison that can only come out one way", () => {
    expect(check('mode == "fats"', names).problems).toMatchObject([{ kind: "alwaysSame", severity: "warning", arguments: { result: "false" } }]);
    expect(found('mode == "fast"')).toEqual([]);
  });
});

describe("functions", () => {
  it.each([
    ["sizee(s)", "unknownFunction", "sizee", "size"],
    ["s.upperAscci()", "unknownFunction", "upperAscci", "upperAscii"],
    ["math.flor(x)", "unknownFunction", "math.flor", "math.floor"],
    ["hits.fliter(h, true)", "unknownFunction", "fliter", "filter"],
  ])("suggest the nearest name for %s", (text, kind, at, suggestion) => {
    const [problem] = check(text, names).problems;
    expect([problem?.kind, text.slice(problem?.start, problem?.end), problem?.suggestion]).toEqual([kind, at, suggestion]);
  });

  it("know what other languages call them", () => {
    expect(check("s.toLowerCase()", names).problems).toMatchObject([{ kind: "unknownFunction", suggestion: undefined, hint: "write s.lowerAscii()" }]);
  });

  it.each([
    ["trim(s)", "callForm: trim"],
    ["n.int()", "callForm: int"],
    ["hits.map(h)", "callForm: map"],
    ["has(n)", "callForm: n"],
    ["size(s, s)", "argumentCount: size"],
    ["s.substring()", "argumentCount: substring"],
    ["coalesce()", "callForm: coalesce"],
    ["s.contains(n)", "wrongArgument: n"],
    ["s.substring(x)", "wrongArgument: x"],
    ["[1].join()", "wrongArgument: join"],
    ["hits.sort()", "wrongArgument: sort"],
    ["math.greatest(s, 1)", "wrongArgument: s"],
    ["math.greatest([s])", "wrongArgument: [s]"],
    ['bucket(s, {"a": "b"})', 'wrongArgument: {"a": "b"}'],
    ["n.map(i, i)", "wrongArgument: map"],
    ["hits.sortBy(h, h)", "wrongArgument: h"],
  ])("refuse %s", (text, problem) => {
    expect(found(text)).toContain(problem);
  });

  it("check a written regular expression", () => {
    expect(found('s.matches("(?=a)")')).toEqual(['regularExpression: "(?=a)"']);
    expect(found(String.raw`s.matches("\\p{Han}+")`)).toEqual([]);
  });

  it("know their results", () => {
    expect(schemaOf('bucket(s, {"a": 1, "b": 2})')).toEqual({ type: "string", enum: ["a", "b"] });
    expect(schemaOf('b ? "zh" : "en"')).toEqual({ type: "string", enum: ["zh", "en"] });
    expect(schemaOf("hits.map(h, h.id)")).toEqual({ type: "array", items: { type: "string" } });
    expect(schemaOf("hits.filter(h, true)[0]")).toEqual(hit);
    expect(schemaOf("math.round(x)")).toEqual({ type: "integer" });
    expect(schemaOf("parseJson(s)")).toEqual({});
    expect(schemaOf("[hits, hits].flatten()[0].id")).toEqual({ type: "string" });
  });

  it("of plugins are checked by their schemas", () => {
    const functions = new Map([
      [
        "slug",
        {
          parameters: [
            { name: "title", schema: { type: "string" } },
            { name: "limit", schema: { type: "integer" }, optional: true },
          ],
          result: { type: "string" },
          call: () => "",
        },
      ],
    ] as const);
    expect(problems("slug(s) + slug(s, n)", names, { functions })).toEqual([]);
    expect(problems("slug(n)", names, { functions })).toEqual(["wrongArgument: n"]);
    expect(problems("slug()", names, { functions })).toEqual(["argumentCount: slug"]);
    expect(check("slgu(s)", names, { functions }).problems).toMatchObject([{ kind: "unknownFunction", suggestion: "slug" }]);
  });
});

describe("the result", () => {
  const target: JsonSchema = {
    type: "object",
    additionalProperties: false,
    required: ["id", "score"],
    properties: {
      id: { type: "string" },
      score: { type: "number", minimum: 0, maximum: 1 },
      tags: { type: "array", items: { type: "string" } },
      kind: { enum: ["a", "b"] },
    },
  };

  it.each<[string, JsonSchema, readonly string[]]>([
    ["s", { type: "integer" }, ["wrongResult: s"]],
    ["x", { type: "integer" }, ["wrongResult: x"]],
    ["n", { type: "number" }, []],
    ["b ? 1 : s", { type: "integer" }, ["wrongResult: s"]],
    ["11", { type: "integer", maximum: 10 }, ["wrongResult: 11"]],
    ["n", { type: "integer", maximum: 10 }, []],
    ['"em"', { enum: ["zh", "en"] }, ['wrongResult: "em"']],
    ["coalesce(hit.?note, s)", { type: "string" }, []],
    ["coalesce(hit.?score, s)", { type: "number" }, ["wrongResult: s"]],
    [
      '{"id": n, "scroe": 1, "score": 2, "tags": [s, 1], "kind": "c"}',
      target,
      ["wrongResult: n", "unknownKey: scroe", "wrongResult: 2", "wrongResult: 1", 'wrongResult: "c"'],
    ],
    ['b ? "zhong" : "englsh"', { enum: ["zhong", "english"] }, ["wrongResult: englsh"]],
    ['{"id": s}', target, ["missingKey: {"]],
    ['{"id": s, "score": hit.?score}', target, ["absentValue: hit.?score"]],
    ["hit", target, ["wrongResult: hit"]],
    ["any", target, []],
    ["open", target, []],
    ['hits.map(h, {"id": h.id, "score": "x"})', { type: "array", items: target }, ['wrongResult: "x"']],
    ["[]", { type: "array", items: target }, []],
    ["null", { type: ["string", "null"] }, []],
  ])("of %s is judged against its place", (text, expected, problem) => {
    expect(found(text, expected)).toEqual(problem);
  });

  it("is judged by the shape that a literal's tag chooses", () => {
    const union: JsonSchema = {
      oneOf: [
        { type: "object", additionalProperties: false, required: ["kind", "n"], properties: { kind: { const: "a" }, n: { type: "integer" } } },
        { type: "object", additionalProperties: false, required: ["kind", "s"], properties: { kind: { const: "b" }, s: { type: "string" } } },
      ],
    };
    expect(found('{"kind": "a", "n": 1}', union)).toEqual([]);
    expect(found('{"kind": "b", "s": 1}', union)).toEqual(["wrongResult: 1"]);
    expect(found('{"kind": "b", "z": s}', union)).toEqual(["missingKey: {", "unknownKey: z"]);
  });

  it("says whether only its value can tell", () => {
    expect(check("any", names, { expected: { type: "string" } }).needsRuntimeCheck).toBe(true);
    expect(check("n", names, { expected: { type: "integer", maximum: 10 } }).needsRuntimeCheck).toBe(true);
    expect(check("5", names, { expected: { type: "integer", maximum: 10 } }).needsRuntimeCheck).toBe(false);
    expect(check("any", names, { expected: {} }).needsRuntimeCheck).toBe(false);
    expect(check('{"a": any}', names, { expected: { type: "object", properties: { a: { type: "string" } } } }).needsRuntimeCheck).toBe(true);
  });
});

describe("schemas", () => {
  it("are read through references, unions and allOf", () => {
    const tree: JsonSchema = {
      $ref: "#/definitions/node",
      definitions: {
        node: {
          type: "object",
          additionalProperties: false,
          required: ["name"],
          properties: { name: { type: "string" }, children: { type: "array", items: { $ref: "#/definitions/node" } } },
        },
      },
    };
    expect(problems("coalesce(t.?children, []).map(c, c.name) + [t.nmae]", { t: tree })).toEqual(["unknownMember: nmae"]);
    const merged: JsonSchema = {
      allOf: [{ type: "object", required: ["a"], properties: { a: { type: "string" } } }, { properties: { b: { type: "number" } } }],
      additionalProperties: false,
    };
    expect(problems("t.a + text(t.?b) + t.c", { t: merged })).toEqual(["absentValue: t.?b", "unknownMember: c"]);
    const union: JsonSchema = {
      anyOf: [{ type: "object", required: ["a"], additionalProperties: false, properties: { a: { type: "string" } } }, { type: "string" }],
    };
    expect(problems("t.a", { t: union })).toEqual(["unknownMember: a"]);
    expect(problems('coalesce(t.?a, "x") + "y"', { t: union })).toEqual([]);
  });
});
