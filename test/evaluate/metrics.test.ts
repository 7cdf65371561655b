import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { measure, readMetric } from "../../src/evaluate/metrics.ts";
import { readJudgments } from "../../src/evaluate/read-judgments.ts";
import { readRunFile } from "../../src/evaluate/run-file.ts";

const golden = (name: string): string => readFileSync(join(import.meta.dirname, "golden", name), "utf8");
const { values } = JSON.parse(golden("expected.json")) as { readonly values: Readonly<Record<string, Readonly<Record<string, number>>>> };

describe("metrics", () => {
  const { judgments } = readJudgments({ path: "qrels.txt", text: golden("qrels.txt") });
  const { answers } = readRunFile({ path: "run.txt", text: golden("run.txt") });

  it("are those of trec_eval, query by query, ties and graded judgments included", () => {
    const names = Object.keys(Object.values(values)[0] ?? {});
    const own = Object.fromEntries(
      Object.keys(values).map((query) => {
        const ids = (answers.get(query) ?? []).map(({ id }) => id);
        return [
          query,
          Object.fromEntries(
            names.map((name) => {
              const metric = readMetric(name);
              return [name, metric === undefined ? Number.NaN : Math.round(measure(metric, ids, judgments.get(query) ?? new Map()) * 1e6) / 1e6];
            }),
          ),
        ];
      }),
    );
    expect(names).toHaveLength(13);
    expect(own).toEqual(values);
  });

  it("are 0 for an empty answer, and for a query without anything relevant", () => {
    const ndcg = readMetric("ndcg@10");
    if (ndcg === undefined) throw new Error("ndcg@10 is a metric");
    expect(measure(ndcg, [], new Map([["a", 1]]))).toBe(0);
    expect(measure(ndcg, ["a"], new Map([["a", 0]]))).toBe(0);
  });

  it("have names that are judged", () => {
    expect(readMetric("NDCG@10")).toEqual({ name: "ndcg@10", measure: "ndcg", cutoff: 10 });
    for (const name of ["ndgc@10", "ndcg@0", "ndcg@10001", "ndcg@1.5", "", "map@"]) expect(readMetric(name), name).toBeUndefined();
  });
});
