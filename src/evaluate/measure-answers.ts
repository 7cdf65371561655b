import { type Judgments, type Metric, measure } from "./metrics.ts";
import type { JudgedQuery } from "./read-queries.ts";
import type { Answers } from "./run-file.ts";

/** Values by metric name: the mean, and each query's in the order of the queries. */
export type Measured = Readonly<Record<string, { readonly mean: number; readonly values: readonly number[] }>>;

/**
 * Measures answers over judged queries; a query without an answer counts 0.
 *
 * @param answers By query.
 * @param options The metrics, and the queries with their judgments.
 */
export function measureAnswers(
  answers: Answers,
  {
    metrics,
    queries,
    judgments,
  }: { readonly metrics: readonly Metric[]; readonly queries: readonly JudgedQuery[]; readonly judgments: ReadonlyMap<string, Judgments> },
): Measured {
  const ids = queries.map(({ id }) => (answers.get(id) ?? []).map((document) => document.id));
  return Object.fromEntries(
    metrics.map((metric) => {
      const values = queries.map(({ id }, index) => measure(metric, ids[index] ?? [], judgments.get(id) ?? new Map()));
      return [metric.name, { mean: meanOf(values), values }];
    }),
  );
}

/** The mean; 0 of nothing. */
export function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
