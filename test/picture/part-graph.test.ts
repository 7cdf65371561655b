import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { dot } from "../../src/picture/dot.ts";
import { layoutParts } from "../../src/picture/layout.ts";
import { mermaid } from "../../src/picture/mermaid.ts";
import { partGraph } from "../../src/picture/part-graph.ts";
import { svg } from "../../src/picture/svg.ts";
import { compilePipelineFile } from "../../src/live/compile-file.ts";

const text = `version: 1
name: kb
resources:
  db: { sqlite: { file: kb.db } }
  kb: { sqlite.collection: { database: db, embedding: { local-embedding: {} } } }
targets:
  kb:
    default: both
    strategies:
      vector: { vector: { collection: kb } }
      both: { hybrid: { branches: { vector: {}, words: { search: { text: { collection: kb } } } } } }
memory: { store: kb, search: kb }
graphs:
  recall:
    input: { type: object, required: [q], properties: { q: { type: string } } }
    nodes:
      hits: { node: MEMORY.SEARCH, input: { query: "\${ input.q }" } }
      first: { value: "\${ hits.output[0].memory.id }", after: [told] }
      told: { node: CONTEXT.UPDATE, input: { context: { items: [] } } }
    output: "\${ first }"
ingest: { all: { into: kb, id: a, content: b } }
`;

async function graph() {
  const { plan, diagnostics } = await compilePipelineFile(join(import.meta.dirname, "kb.yaml"), { text, judgeOnly: true });
  if (plan === undefined) throw new Error(JSON.stringify(diagnostics.map(({ code }) => code)));
  return partGraph(plan);
}

describe("the parts of a pipeline", () => {
  test("hang together from resources to searches, targets, memory and graphs, with what flows", async () => {
    const { parts, edges } = await graph();
    expect(parts.map(({ id, kind }) => `${kind} ${id}`)).toEqual(
      expect.arrayContaining([
        "connection resources.db",
        "embedding resources.kb/embedding",
        "search targets.kb.strategies.both",
        "target targets.kb",
        "memory memory",
        "node graphs.recall.hits",
        "ingest ingest.all",
      ]),
    );
    expect(parts.find(({ id }) => id.endsWith("branches/words/search"))?.label).toBe("words");
    expect(edges.map(({ from, to, type }) => `${from} > ${to}: ${type}`)).toEqual(
      expect.arrayContaining([
        "resources.db > resources.kb: connection",
        "resources.kb/embedding > resources.kb: vectors",
        "resources.kb > targets.kb.strategies.vector: rows",
        "targets.kb.strategies.vector > targets.kb.strategies.both: candidates, vector",
        "targets.kb.strategies.both > targets.kb: candidates by default",
        "targets.kb > memory: candidates",
        "memory > graphs.recall.hits: MEMORY.SEARCH result",
        "graphs.recall.$input > graphs.recall.hits: { q }",
        "graphs.recall.hits > graphs.recall.first: output: a list of objects",
        "graphs.recall.told > graphs.recall.first: after",
        "graphs.recall.first > graphs.recall.$output: a string",
        "ingest.all > resources.kb: records",
      ]),
    );
    const ids = new Set(parts.map(({ id }) => id));
    expect(edges.filter(({ from, to }) => !ids.has(from) || !ids.has(to))).toEqual([]);
  });

  test("stand behind what they get something from, and nowhere on each other", async () => {
    const drawn = await graph();
    const layout = layoutParts(drawn);
    const spot = new Map(layout.parts.map((placed) => [placed.part.id, placed]));
    for (const { from, to } of drawn.edges) {
      const [left, right] = [spot.get(from), spot.get(to)];
      expect((left?.x ?? 0) + (left?.width ?? 0)).toBeLessThan(right?.x ?? 0);
    }
    for (const [index, a] of layout.parts.entries()) {
      for (const b of layout.parts.slice(index + 1))
        expect(a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height).toBe(false);
      expect(a.x + a.width).toBeLessThanOrEqual(layout.width);
      expect(a.y + a.height).toBeLessThanOrEqual(layout.height);
    }
  });

  test("are written in each format with nothing from elsewhere", async () => {
    const drawn = await graph();
    expect(mermaid(drawn)).toMatch(/^flowchart LR\n/u);
    expect(mermaid(drawn)).toContain('-.->|"after"|');
    expect(dot(drawn)).toMatch(/^digraph "kb" \{\n[\s\S]*subgraph "cluster_recall"[\s\S]*\}\n$/u);
    const image = svg({ ...drawn, name: 'a "<&>' });
    expect(image).toContain('aria-label="The pipeline a &quot;&lt;&amp;&gt;"');
    expect(image).toContain("prefers-color-scheme:dark");
    expect(image.replace("http://www.w3.org/2000/svg", "")).not.toMatch(/https?:|<script|@import|url\((?!#)/u);
    expect(image.match(/<g data-part=/gu)?.length).toBe(drawn.parts.length);
  });
});
