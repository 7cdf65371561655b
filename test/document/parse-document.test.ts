import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyEdits } from "../../src/document/apply-edits.ts";
import type { DocumentProblem } from "../../src/document/document.ts";
import { nodeAt } from "../../src/document/find-node.ts";
import { nodeValue } from "../../src/document/node-value.ts";
import { parseDocument } from "../../src/document/parse-document.ts";
import { propertyRuns } from "../property-runs.ts";

function read(text: string) {
  const { root, problems } = parseDocument({ path: "x.yaml", text });
  return {
    root,
    problems,
    value: root && nodeValue(root),
    marked: problems.map((problem) => [problem.code, text.slice(problem.span.start, problem.span.end)]),
  };
}

/** The text after every fix. */
function fixed(text: string, problems: readonly DocumentProblem[]): string {
  return applyEdits(
    text,
    problems.flatMap((problem) => problem.fix?.edits ?? []),
  );
}

describe("values", () => {
  test("are those of the YAML 1.2 core schema", () => {
    const { value, problems } = read("a: yes\nb: 012\nc: 0x1F\nd: 1e3\ne: ~\nf: true\ng: 'true'\nh: 2024-01-01\ni:\nj: 1_000\n");
    expect(problems).toEqual([]);
    expect(value).toEqual({ a: "yes", b: 12, c: 31, d: 1000, e: null, f: true, g: "true", h: "2024-01-01", i: null, j: "1_000" });
  });

  test("an alias is its anchor's node, and knows where it was written", () => {
    const text = "a: &x { k: 1 }\nb: *x\n";
    const { root, value } = read(text);
    expect(value).toEqual({ a: { k: 1 }, b: { k: 1 } });
    const used = root && nodeAt(root, "/b")?.node;
    expect(used?.span).toEqual(root && nodeAt(root, "/a")?.node.span);
    expect(used?.alias?.name).toBe("x");
    expect(text.slice(used?.alias?.span.start, used?.alias?.span.end)).toBe("*x");
  });

  test("`<<` is an ordinary key", () => {
    expect(read("a: &x { k: 1 }\nb: { <<: *x }\n").value).toEqual({ a: { k: 1 }, b: { "<<": { k: 1 } } });
  });

  test("a value that is left out is null at the place behind its colon", () => {
    const { root } = read("a:\nb: 1\n");
    expect(root && nodeAt(root, "/a")?.node).toMatchObject({ kind: "scalar", value: null, span: { start: 2, end: 2 } });
  });

  test("spans enclose what is written", () => {
    const text = "a: 'x y'\nb:\n  - c: [1, 2]\n    d: |\n      text\ne: 1\n";
    const { root } = read(text);
    const written = (pointer: string) => {
      const span = root && nodeAt(root, pointer)?.node.span;
      return text.slice(span?.start, span?.end);
    };
    expect(written("/a")).toBe("'x y'");
    expect(written("/b/0/c")).toBe("[1, 2]");
    expect(written("/b/0/d")).toBe("|\n      text\n");
    expect(written("/e")).toBe("1");
  });

  test("offsets count a byte order mark and Windows line breaks", () => {
    const text = "\ufeffa: 1\r\nb: two\r\n";
    const { root, problems } = read(text);
    expect(problems).toEqual([]);
    const span = root && nodeAt(root, "/b")?.node.span;
    expect(text.slice(span?.start, span?.end)).toBe("two");
  });
});

describe("the profile refuses", () => {
  test("double keys, naming both places", () => {
    const text = "a: 1\nb: 2\na: 3\n";
    const { problems, value } = read(text);
    expect(problems).toEqual([
      { code: "DITTO102", span: { start: 10, end: 11 }, arguments: { key: "a" }, related: [{ span: { start: 0, end: 1 }, note: "here it is written first" }] },
    ]);
    expect(value).toEqual({ a: 1, b: 2 });
  });

  test("keys that are equal once decoded", () => {
    expect(read('a: 1\n"\\u0061": 2\n').marked).toEqual([["DITTO102", '"\\u0061"']]);
  });

  test.each([
    ["a: !custom b\n", "DITTO103", "!custom"],
    ["a: !!binary aGk=\n", "DITTO103", "!!binary"],
    ["a: !!set { b }\n", "DITTO103", "!!set"],
    ["%YAML 1.1\n---\na: 1\n", "DITTO104", "%YAML 1.1"],
    ["%TAG ! tag:x,2000:\n---\na: 1\n", "DITTO104", "%TAG ! tag:x,2000:"],
    ["a: 1\n---\nb: 2\n", "DITTO105", "---"],
    ["1: a\n", "DITTO106", "1"],
    ["true: a\n", "DITTO106", "true"],
    ["? [a]\n: b\n", "DITTO106", "[a]"],
    ["a: &x b\n*x : c\n", "DITTO106", "*x"],
    ["__proto__: 1\n", "DITTO107", "__proto__"],
    ['a: { "__proto__": 1 }\n', "DITTO107", '"__proto__"'],
    ["a:\n\tb: 1\n", "DITTO108", "\t"],
    ["a: 9007199254740993\n", "DITTO109", "9007199254740993"],
    ["a: 0x20000000000001\n", "DITTO109", "0x20000000000001"],
    ["a: .inf\n", "DITTO115", ".inf"],
    ["a: 1e999\n", "DITTO115", "1e999"],
    ["a: .nan\n", "DITTO115", ".nan"],
    ["", "DITTO111", ""],
    ["# only a comment\n", "DITTO111", ""],
    ["---\n", "DITTO111", ""],
    ["a: *b\n", "DITTO113", "*b"],
    ["a: &a [*a]\n", "DITTO113", "*a"],
    ["a: [1, 2\nb: 3\n", "DITTO101", "["],
    ['a: "open\n', "DITTO101", '"'],
    ["a: b\u0000c\n", "DITTO101", "\u0000"],
  ])("%j: %s at %j", (text, code, place) => {
    const { marked } = read(text);
    expect(marked).toContainEqual([code, place]);
    expect(new Set(marked.map(([found]) => found))).toEqual(new Set([code]));
  });

  test("integers are fine up to the last exact one", () => {
    expect(read("a: 9007199254740991\nb: -9007199254740991\nc: 1e300\n").problems).toEqual([]);
  });

  test("the 101st expansion, counting those inside expanded aliases", () => {
    const many = (count: number) => `a: &a 1\nb: [${Array.from({ length: count }, () => "*a").join(", ")}]\n`;
    expect(read(many(100)).problems).toEqual([]);
    expect(read(many(101)).marked).toEqual([["DITTO110", "*a"]]);
    const nested = Array.from({ length: 40 }, (_, level) => `k${level}: &x${level} [${level === 0 ? "1" : `*x${level - 1}, *x${level - 1}`}]`).join("\n");
    const { problems, value } = read(nested);
    expect(problems.map((problem) => problem.code)).toEqual(["DITTO110"]);
    expect(JSON.stringify(value).length).toBeLessThan(20_000);
  });

  test("nesting beyond a hundred levels, in blocks and brackets", () => {
    expect(read(`a: ${"[".repeat(5000)}\n`).marked.map(([code]) => code)).toEqual(["DITTO114"]);
    expect(read(Array.from({ length: 500 }, (_, level) => `${" ".repeat(level)}a:`).join("\n")).marked.map(([code]) => code)).toEqual(["DITTO114"]);
    expect(read(`a: ${"[".repeat(50)}1${"]".repeat(50)}\n`).problems).toEqual([]);
  });

  test("all of it in one run, in the order of the text", () => {
    expect(read("a: 1\na: 2\nb: !x y\n3: c\nd: 99999999999999999\n").marked.map(([code]) => code)).toEqual(["DITTO102", "DITTO103", "DITTO106", "DITTO109"]);
  });

  test("a key that is no string has the quoted one as its fix", () => {
    const text = "1: a\nnull: b\n";
    expect(fixed(text, read(text).problems)).toBe('"1": a\n"null": b\n');
  });
});

describe("an expression that YAML would cut", () => {
  test.each([
    ["a: ${ x # y }\n", 'a: "${ x # y }"\n'],
    ["a: ${ x ? y : z }\n", 'a: "${ x ? y : z }"\n'],
    ['a: ${ {"k": 1} }\n', "a: '${ {\"k\": 1} }'\n"],
    ["- ${ a: b }\n", '- "${ a: b }"\n'],
    ["a: { b: ${ c } }\n", 'a: { b: "${ c }" }\n'],
    ["a: [${ c }, ${ d }]\n", 'a: ["${ c }", "${ d }"]\n'],
    ['a: { b: pre ${ c.map(x, {"k": x}) } post, d: 1 }\n', "a: { b: 'pre ${ c.map(x, {\"k\": x}) } post', d: 1 }\n"],
    ["a: !has(x.y)\n", 'a: "${ !has(x.y) }"\n'],
    ["a: { b: !has(x, y) && z, c: 1 }\n", 'a: { b: "${ !has(x, y) && z }", c: 1 }\n'],
    ['a: "${ b["k"] }"\n', "a: '${ b[\"k\"] }'\n"],
    ["a: '${ b['k'] } x'\n", "a: '${ b[''k''] } x'\n"],
    ['a: ${ x.map(y, {\n     "k": y }) }\nb: 1\n', "a: '${ x.map(y, {\n     \"k\": y }) }'\nb: 1\n"],
    ["a: { u: ${env:X:?don't: forget} }\n", 'a: { u: "${env:X:?don\'t: forget}" }\n'],
    ["a: { b: ${ c } # why\n  }\n", 'a: { b: "${ c }" # why\n  }\n'],
    ["a: { b: $${ c } }\n", 'a: { b: "$${ c }" }\n'],
  ])("%j becomes %j", (text, expected) => {
    const { problems, root } = read(text);
    expect(new Set(problems.map((problem) => problem.code))).toEqual(new Set(["DITTO112"]));
    expect(root).toBeDefined();
    const repaired = fixed(text, problems);
    expect(repaired).toBe(expected);
    expect(read(repaired).problems).toEqual([]);
  });

  test("leaves the rest of the file readable, with true places", () => {
    const text = "a: { b: ${ x } }\nc: 1\nc: 2\nd: ${ y ? 1 : 2 }\n";
    const { marked, value } = read(text);
    expect(marked).toEqual([
      ["DITTO112", "${ x }"],
      ["DITTO102", "c"],
      ["DITTO112", "${ y ? 1 : 2 }"],
    ]);
    expect(value).toEqual({ a: { b: "${ x }" }, c: 1, d: "${ y ? 1 : 2 }" });
  });

  test.each([
    "a: ${ x }\n",
    "a: text ${ x } and ${ y }\n",
    "a: ${ x +\n  y }\n",
    'a: "${ x ? {1: 2} : 3 }"\n',
    "a: >-\n  ${ x # y: z }\n",
    "a: ${ x }# no comment\n",
    "a: ${ x } # a comment\n",
    "a: costs $${ not an expression: it is text\n".replace(": it", " it"),
    "a: { b: \"${ c }\", d: '${ e }' }\n",
    "a: ${env:URL}\nb: ${file:/run/x}\n",
    "a: ${ unclosed\nb: 1\n",
    "a: '#{ x }'\n",
  ])("%j is none", (text) => {
    expect(read(text).problems).toEqual([]);
  });
});

describe("whatever is read", () => {
  const seed = `version: 1
name: sample                                 # a comment
vars: { limit: 5, "threshold": 0.83 }
resources:
  pg: { postgres: { url: "\${env:PG_URL:?set PG_URL}" } }
  kb:
    postgres.collection:
      database: pg
      fields: &fields
        site: { type: string }
        tags: { type: array, items: { type: string } }
  kb-next: { postgres.collection: { database: pg, fields: *fields } }
targets:
  kb:
    strategies:
      decayed:
        pipe:
          - hybrid: { branches: { vector: { weight: 0.7 }, keyword: {} } }
          - refine:
              score: >-
                \${ candidate.score * exp(-age(candidate.metadata.createdAt) / days(30))
                   * (0.5 + candidate.metadata.importance) }
              where: \${ coalesce(candidate.?score, 0) >= vars.threshold }
      routed:
        route:
          by: '\${ query.content.matches("\\\\p{Han}") ? "zh" : "en" }'
      stated:
        sql:
          statement: |2
             SELECT id, '字' FROM t
            WHERE :filters

            LIMIT :limit
`;

  test("the sample itself is sound", () => {
    expect(read(seed).problems).toEqual([]);
  });

  test("mutated files come back with sound spans, and never throw", () => {
    const pieces = [
      "{",
      "}",
      "[",
      "]",
      ":",
      ": ",
      " #",
      "${",
      "}",
      "'",
      '"',
      "\n",
      "\t",
      "  ",
      "&a ",
      "*a",
      "!x(",
      "|",
      ">-",
      "- ",
      "%YAML 1.1\n",
      "---\n",
      "字",
      "\u0000",
      "\r\n",
      "\ufeff",
      ",",
      "$",
      "? ",
      "<<: ",
    ];
    const mutation = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(12), fc.constantFrom(...pieces)), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(mutation, (changes) => {
        let text = seed;
        for (const [place, removed, piece] of changes) {
          const at = Math.floor(place * text.length);
          text = text.slice(0, at) + piece + text.slice(at + removed);
        }
        const { root, problems } = parseDocument({ path: "x.yaml", text });
        for (const { span } of problems) {
          if (!(span.start >= 0 && span.start <= span.end && span.end <= text.length)) throw new Error(`unsound span in ${JSON.stringify(text)}`);
        }
        if (root === undefined && problems.length === 0) throw new Error(`neither a tree nor a problem for ${JSON.stringify(text)}`);
      }),
      { numRuns: propertyRuns(20_000) },
    );
  }, 240_000);

  test("fixes applied to mutated files leave nothing more to fix after few rounds", () => {
    const piece = fc.constantFrom("a: ", "{ b: ", "${ x }", "${ y: z }", " }", "\n", "[", "]", ", ", '"', "!has(q)", " # c", "1: ", "k: v\n");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (parts) => {
        let text = parts.join("");
        for (let round = 0; round < 6; round += 1) {
          const { problems } = parseDocument({ path: "x.yaml", text });
          const next = fixed(text, problems);
          if (next === text) return;
          text = next;
        }
        throw new Error(`still being fixed: ${JSON.stringify(text)}`);
      }),
      { numRuns: propertyRuns(5_000) },
    );
  }, 240_000);
});
