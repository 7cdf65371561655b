/**
 * Writes a pipeline file of about so many lines as people write them: a database, collections, searches of several kinds, a graph.
 *
 * @param lines About how many.
 * @param seed Part of its names.
 */
export function samplePipeline(lines: number, seed: number): string {
  const head = `# Support knowledge base ${seed}.
version: 1
name: sample-${seed}
description: Hybrid search over the articles of team ${seed}.

vars:
  limit: 5                          # --set overrides it
  threshold: 0.83

resources:
  db:
    sqlite: { file: data/sample-${seed}.db }
  encoder:
    local-embedding: {}
`;
  const collections: string[] = [];
  const strategies: string[] = [];
  const nodes: string[] = [];
  const perPart = 29;
  const parts = Math.max(1, Math.round((lines - 40) / perPart));
  for (let part = 0; part < parts; part += 1) {
    collections.push(`  articles-${part}:
    sqlite.collection:
      database: db
      embedding: encoder
      fields:
        title: { type: string, required: true }
        product: { type: string }
        updated: { type: string, format: date-time, required: true }
`);
    strategies.push(`      vector-${part}: { vector: { collection: articles-${part} } }
      keyword-${part}: { text: { collection: articles-${part} } }
      hybrid-${part}:
        hybrid:
          rrfK: 60
          branches:
            vector-${part}: { weight: 0.7 }
            keyword-${part}: { weight: 1, limit: 50 }
      decayed-${part}:
        refine:
          search: hybrid-${part}
          candidateLimit: 200
          score: >-
            \${ candidate.score * exp(-age(candidate.metadata.updated) / days(30)) }
          group: \${ candidate.metadata.title }
`);
    nodes.push(`      search${part}:
        node: RETRIEVAL.SEARCH
        input:
          target: { name: kb }
          query: { content: "\${ input.question }" }
          limit: \${ vars.limit }
      found${part}: { value: "\${ search${part}.output.candidates.map(c, text(c.content)) }" }
`);
  }
  const found = Array.from({ length: parts }, (_, part) => `found${part}`).join(" + ");
  return `${head}${collections.join("")}
targets:
  kb:
    default: decayed-0
    strategies:
${strategies.join("")}
graphs:
  recall:
    input:
      type: object
      required: [question]
      properties: { question: { type: string, minLength: 1 } }
    nodes:
${nodes.join("")}    output:
      found: "\${ ${found} }"
      threshold: \${ vars.threshold }
`;
}
