// What expressions cost: `node scripts/run.mjs test/bench/expression.ts` prints one JSON object.
import { checkExpression } from "../../src/expression/check-expression.ts";
import { compileExpression } from "../../src/expression/compile-expression.ts";
import { parseExpression } from "../../src/expression/parse-expression.ts";

const decay = "candidate.score * exp(-age(candidate.metadata.createdAt) / days(30)) * (0.5 + candidate.metadata.importance)";
const mapped =
  '{ "memory": { "id": candidate.source.target + ":" + candidate.id, "content": candidate.content, "metadata": candidate.?metadata }, "score": candidate.?score }';
const documents = "candidates.map(c, text(c.content))";
const language = 'content.matches("\\\\p{Han}") ? "zh" : "en"';

const candidates = Array.from({ length: 200 }, (_, index) => ({
  id: `m${index}`,
  content: "A record about refunds and how they are paid out, in a sentence or two.",
  score: 1 - index / 200,
  source: { target: "memories" },
  metadata: { createdAt: new Date(Date.UTC(2026, 0, 1) + index * 3_600_000).toISOString(), importance: 0.5 },
}));
const now = "2026-03-01T12:00:00.000Z";

function read(text: string): Parameters<typeof compileExpression>[0] {
  const parsed = parseExpression(text);
  if (!parsed.ok) throw new Error(text);
  return parsed.expression;
}

/** Milliseconds of a run: the first, and the middle one of many. */
function measure(rounds: number, run: () => void): { readonly firstMs: number; readonly medianMs: number } {
  const times = Array.from({ length: rounds }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  const firstMs = times[0] ?? 0;
  const medianMs = times.sort((a, b) => a - b)[rounds >> 1] ?? 0;
  return { firstMs: Number(firstMs.toFixed(3)), medianMs: Number(medianMs.toFixed(3)) };
}

const schema = {
  type: "object",
  required: ["score", "metadata"],
  properties: {
    score: { type: "number" },
    metadata: { type: "object", required: ["createdAt", "importance"], properties: { createdAt: { type: "string" }, importance: { type: "number" } } },
  },
} as const;
const parse = measure(5, () => {
  for (let index = 0; index < 1_000; index += 1) parseExpression(decay);
});
const expression = read(decay);
const check = measure(5, () => {
  for (let index = 0; index < 1_000; index += 1)
    checkExpression(expression, { names: { candidate: schema, now: { type: "string" } }, expected: { type: "number" } });
});
const compile = measure(5, () => {
  for (let index = 0; index < 1_000; index += 1) compileExpression(expression);
});
const [score, map, list, match] = [decay, mapped, documents, language].map((text) => compileExpression(read(text)));
const results = {
  "parse 1000": parse,
  "check 1000": check,
  "compile 1000": compile,
  "decay of 200 candidates": measure(500, () => {
    for (const candidate of candidates) score?.evaluate({ candidate, now });
  }),
  "map of 200 candidates": measure(500, () => {
    for (const candidate of candidates) map?.evaluate({ candidate });
  }),
  "documents of 200 candidates in one": measure(500, () => {
    list?.evaluate({ candidates });
  }),
  "pattern over 200 texts": measure(200, () => {
    for (const { content } of candidates) match?.evaluate({ content });
  }),
};
console.log(JSON.stringify(results, null, 2));
