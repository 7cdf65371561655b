// What a pipeline's kinds cost over the same calls written by hand: `node scripts/bench.mjs kinds`, or `node scripts/run.mjs test/bench/kinds.ts`.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RetrievalCandidate, RetrievalSearchInput, RetrievalSearchProvider } from "../../src/contracts/retrieval.ts";
import { loadPipeline } from "../../src/live/load-pipeline.ts";
import type { Pipeline } from "../../src/live/pipeline.ts";
import { definePlugin } from "../../src/plugin/define-plugin.ts";
import { createHybridSearchProvider } from "../../src/retrieval/providers/hybrid.ts";
import { createRefineSearchProvider } from "../../src/retrieval/providers/refine.ts";
import { createRewriteSearchProvider } from "../../src/retrieval/providers/rewrite.ts";
import { createRouteSearchProvider } from "../../src/retrieval/providers/route.ts";
import { createTextSearchProvider } from "../../src/retrieval/providers/text.ts";

const rounds = Number(process.env.DITTO_BENCH_ROUNDS ?? 2000);
const candidates: readonly RetrievalCandidate[] = Array.from({ length: 200 }, (_, index) => ({
  id: `c${index}`,
  content: `content of ${index}`,
  score: 1 - index / 1000,
  metadata: { createdAt: "2026-01-31T12:00:00Z", importance: 0.5, n: index },
}));

/** Answers at once, so that only the kinds cost. */
const fixed: RetrievalSearchProvider = {
  search: async ({ target, limit = 10 }) => ({ target, candidates: limit >= 200 ? candidates : candidates.slice(0, limit) }),
};
const plugin = definePlugin({
  name: "fixed",
  apiVersion: 1,
  kinds: [{ kind: "fixed", role: "search", summary: "Answers at once.", schema: { type: "object" }, example: {}, create: () => fixed }],
});

const request: RetrievalSearchInput = { query: { content: "agent memory" }, target: { name: "kb" }, limit: 10 };

const strategies = `
      leaf: { fixed: {} }
      ten:
        rewrite:
          search:
            route:
              by: one
              branches:
                one:
                  search:
                    rewrite:
                      search:
                        route:
                          by: one
                          branches:
                            one:
                              search:
                                rewrite:
                                  search:
                                    hybrid:
                                      branches:
                                        a: { search: { text: { backend: leaf } } }
                                        b: { search: { text: { backend: leaf } } }
      refined:
        refine:
          search: leaf
          candidateLimit: 200
          score: "\${ candidate.score * exp(-age(candidate.metadata.createdAt) / days(30)) * (0.5 + candidate.metadata.importance) }"
      routed: { route: { by: '\${ text(query.content).matches("\\\\p{Han}") ? "zh" : "en" }', branches: { zh: { search: leaf }, en: { search: leaf } } } }
      rewritten: { rewrite: { search: leaf, query: "\${ 'about ' + text(query.content) }", filter: { lang: en } } }
`;

/** Microseconds of a call: the best of several medians, since other work on the machine only ever adds. */
async function microseconds(call: () => Promise<unknown>): Promise<number> {
  const medians: number[] = [];
  for (let batch = 0; batch < 6; batch += 1) {
    const times: number[] = [];
    for (let round = 0; round < rounds / 4; round += 1) {
      const started = performance.now();
      await call();
      times.push((performance.now() - started) * 1000);
    }
    medians.push(times.sort((a, b) => a - b)[times.length >> 1] as number);
  }
  return Math.min(...medians);
}

function byHand(): RetrievalSearchProvider {
  const text = () => createTextSearchProvider(fixed);
  const hybrid = createHybridSearchProvider({
    branches: [
      { provider: text(), strategy: "a" },
      { provider: text(), strategy: "b" },
    ],
  });
  const rewrite = (search: RetrievalSearchProvider) => createRewriteSearchProvider({ search });
  const route = (search: RetrievalSearchProvider) => createRouteSearchProvider({ by: () => "one", branches: { one: search } });
  return rewrite(route(rewrite(route(rewrite(hybrid)))));
}

function line(what: string, value: number, bound: number): void {
  console.log(`${what.padEnd(58)} ${value.toFixed(1).padStart(8)} us   ${value <= bound ? "within" : "BEYOND"} ${bound} us`);
  if (value > bound) process.exitCode = 1;
}

async function measure(pipeline: Pipeline): Promise<void> {
  const provider = (name: string) => pipeline.providers.kb?.[name] as RetrievalSearchProvider;
  const leaf = await microseconds(() => provider("leaf").search(request));
  const ten = await microseconds(() => provider("ten").search(request));
  const hand = byHand();
  const handed = await microseconds(() => hand.search(request));
  console.log(`ten kinds nested: ${ten.toFixed(1)} us, the same calls by hand: ${handed.toFixed(1)} us`);
  line("ten kinds nested, over the same calls by hand", ten - handed, 50);
  const whole = { ...request, limit: 200 };
  const expression = await microseconds(() => provider("refined").search(whole));
  const plain = createRefineSearchProvider({ search: fixed, candidateLimit: 200 });
  const without = await microseconds(() => plain.search(whole));
  console.log(`refine without an expression over 200 candidates: ${without.toFixed(1)} us`);
  line("refine with an expression over 200 candidates", expression, 600);
  line("route, by an expression", (await microseconds(() => provider("routed").search(request))) - leaf, 10);
  line("rewrite, a question and a filter", (await microseconds(() => provider("rewritten").search(request))) - leaf, 10);
}

const folder = mkdtempSync(join(tmpdir(), "ditto-bench-"));
writeFileSync(join(folder, "kinds.yaml"), `version: 1\nname: kinds\ntargets:\n  kb:\n    default: leaf\n    strategies:${strategies}`);
const pipeline = await loadPipeline(join(folder, "kinds.yaml"), { plugins: [plugin], env: {} });
try {
  await measure(pipeline);
} finally {
  await pipeline.close();
  rmSync(folder, { recursive: true, force: true });
}
