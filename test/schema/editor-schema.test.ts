import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { nodeValue } from "../../src/document/node-value.ts";
import { parseDocument } from "../../src/document/parse-document.ts";

const root = join(import.meta.dirname, "../..");
const validate = new Ajv({ strict: false, logger: false }).compile(JSON.parse(readFileSync(join(root, "schema/pipeline.schema.json"), "utf8")));
const pipelines = readdirSync(join(root, "pipelines")).filter((name) => name.endsWith(".yaml") && !name.endsWith(".test.yaml"));

function accepts(text: string): boolean {
  const { root: node, problems } = parseDocument({ path: "x.yaml", text });
  if (node === undefined || problems.length > 0) throw new Error("not sound");
  return validate(nodeValue(node));
}

const kb = `version: 1
name: kb
resources:
  db: { sqlite: { file: kb.db } }
  encoder: { local-embedding: {} }
  kb: { sqlite.collection: { database: db, embedding: encoder } }
targets:
  kb:
    strategies:
`;

describe("the editor's schema", () => {
  test.each(pipelines)("accepts pipelines/%s", (name) => {
    validate(parse(readFileSync(join(root, "pipelines", name), "utf8")));
    expect(validate.errors).toBeNull();
  });

  test.each([
    "vector: { vector: { collection: kb } }",
    "vector: { vector: { collection: { sqlite.collection: { database: db } } } }",
    "piped: { pipe: [vector, { rerank: { reranker: { cosine: { embedding: encoder } } } }, { refine: { where: '${ candidate.score > 1 }' } }] }",
    "hybrid: { hybrid: { candidateLimit: '${ vars.limit }', branches: { vector: {}, keyword: { search: kb/keyword, onError: skip } } } }",
  ])("accepts the strategy %s", (strategy) => {
    expect(accepts(`${kb}      ${strategy}\n`)).toBe(true);
  });

  test.each([
    "vector: { vektor: { collection: kb } }",
    "vector: { vector: { collection: kb }, text: { collection: kb } }",
    "vector: { vector: { colection: kb } }",
    "hybrid: { hybrid: { candidateLimit: many, branches: { vector: {} } } }",
    "hybrid: { hybrid: { branches: { vector: { weight: -1 } } } }",
    "Bad: { vector: { collection: kb } }",
    "piped: { rerank: { reranker: { cosine: { embedding: encoder } } } }",
  ])("refuses the strategy %s", (strategy) => {
    expect(accepts(`${kb}      ${strategy}\n`)).toBe(false);
  });

  test("knows JSON Schema where one stands", () => {
    const graph = (input: string): string => `version: 1\nname: a\ngraphs: { g: { input: ${input}, nodes: { n: { value: 1 } }, output: 1 } }\n`;
    expect(accepts(graph("{ type: object, properties: { a: { type: string } } }"))).toBe(true);
    expect(accepts(graph("{ type: object, properties: { a: { type: text } } }"))).toBe(false);
  });

  test("knows where no search can stand", () => {
    expect(accepts("version: 1\nname: kb\nresources: { s: { vector: { collection: kb } } }\n")).toBe(false);
  });
});

function parse(text: string): unknown {
  const { root: node } = parseDocument({ path: "x.yaml", text });
  return node && nodeValue(node);
}
