/** What a judged query's answer is measured by. */
export interface Metric {
  /** As it is written and shown: `ndcg@10`, `mrr`. */
  readonly name: string;
  readonly measure: MeasureName;
  /** Only so many of the answer count; the whole answer where absent. */
  readonly cutoff: number | undefined;
}

/** The measures by their names on the command line. */
export const measureNames = ["ndcg", "recall", "precision", "mrr", "map", "hit"] as const;

/** One of {@link measureNames}. */
export type MeasureName = (typeof measureNames)[number];

/** Gains by document id; 1 or more is relevant, 0 and below is judged and not relevant. */
export type Judgments = ReadonlyMap<string, number>;

/**
 * Reads the name of a metric.
 *
 * @param text Such as `ndcg@10` or `map`; capitals do not matter.
 * @returns The metric; undefined where it names none.
 */
export function readMetric(text: string): Metric | undefined {
  const match = /^([a-z]+)(?:@([1-9]\d{0,4}))?$/u.exec(text.trim().toLowerCase());
  const measure = measureNames.find((name) => name === match?.[1]);
  if (match === null || measure === undefined) return undefined;
  const cutoff = match[2] === undefined ? undefined : Number(match[2]);
  if (cutoff !== undefined && cutoff > 10_000) return undefined;
  return { name: cutoff === undefined ? measure : `${measure}@${cutoff}`, measure, cutoff };
}

/**
 * Measures one answer, as trec_eval does: gains are linear, documents without a judgment are not relevant.
 *
 * @param metric What to measure.
 * @param ids The answer's documents in order, each once.
 * @param judgments Those of the query.
 * @returns 0 to 1; 0 where nothing is relevant.
 */
export function measure({ measure: name, cutoff }: Metric, ids: readonly string[], judgments: Judgments): number {
  const top = cutoff === undefined ? ids : ids.slice(0, cutoff);
  const relevant = [...judgments.values()].filter((gain) => gain > 0);
  if (relevant.length === 0) return 0;
  const isRelevant = top.map((id) => (judgments.get(id) ?? 0) > 0);
  const found = isRelevant.filter(Boolean).length;
  switch (name) {
    case "ndcg":
      return ndcg(top, { judgments, relevant, cutoff });
    case "recall":
      return found / relevant.length;
    case "precision":
      return top.length === 0 ? 0 : found / (cutoff ?? top.length);
    case "mrr":
      return found === 0 ? 0 : 1 / (isRelevant.indexOf(true) + 1);
    case "map":
      return averagePrecision(isRelevant) / relevant.length;
    case "hit":
      return found === 0 ? 0 : 1;
  }
}

function ndcg(
  ids: readonly string[],
  { judgments, relevant, cutoff }: { readonly judgments: Judgments; readonly relevant: readonly number[]; readonly cutoff: number | undefined },
): number {
  const ideal = relevant.toSorted((a, b) => b - a).slice(0, cutoff);
  return discounted(ids.map((id) => Math.max(0, judgments.get(id) ?? 0))) / discounted(ideal);
}

function discounted(gains: readonly number[]): number {
  return gains.reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0);
}

/** Sum of the precision at each relevant document. */
function averagePrecision(isRelevant: readonly boolean[]): number {
  let found = 0;
  let sum = 0;
  for (const [index, is] of isRelevant.entries()) {
    if (!is) continue;
    found += 1;
    sum += found / (index + 1);
  }
  return sum;
}
