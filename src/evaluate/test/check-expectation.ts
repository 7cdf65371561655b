import { canonicalJson } from "../../base/canonical-json.ts";
import type { JsonValue } from "../../contracts/json.ts";
import type { RetrievalSearchOutput } from "../../contracts/retrieval.ts";
import { checkExpression } from "../../expression/check-expression.ts";
import { compileExpression } from "../../expression/compile-expression.ts";
import type { ExpressionProblem } from "../../expression/expression-problem.ts";
import { parseExpression } from "../../expression/parse-expression.ts";

/** What a test expects. */
export interface Expectation {
  readonly ids?: readonly string[];
  readonly first?: string;
  readonly contains?: readonly string[];
  readonly before?: readonly string[];
  readonly excludes?: readonly string[];
  readonly count?: number;
  readonly scores?: Readonly<Record<string, number>>;
  readonly tolerance?: number;
  readonly degraded?: false | readonly string[];
  readonly error?: string;
  readonly output?: JsonValue;
  readonly that?: string | readonly string[];
}

/** What came out. */
export type Outcome =
  | { readonly search: RetrievalSearchOutput }
  | { readonly output: JsonValue }
  | { readonly error: { readonly code: string; readonly message: string } };

/** An expectation that was not met. */
export interface Unmet {
  /** Below `expect`: a key, or a key and an index. */
  readonly pointer: string;
  readonly problem: string;
  /** What `--update` writes there; absent where no value would be right. */
  readonly actual?: JsonValue | undefined;
}

/**
 * Holds an outcome against what a test expects.
 *
 * @returns Everything that is not met.
 */
export function checkExpectation(expect: Expectation, outcome: Outcome): readonly Unmet[] {
  if (expect.error !== undefined) return checkError(expect.error, outcome);
  if ("error" in outcome) return [{ pointer: "", problem: `it failed with ${outcome.error.code}: ${outcome.error.message}` }];
  const answer = "search" in outcome ? (outcome.search as unknown as JsonValue) : outcome.output;
  const candidates = "search" in outcome ? outcome.search.candidates : candidatesIn(outcome.output);
  const ids = candidates.map(({ id }) => id ?? "");
  const scores = Object.fromEntries(candidates.flatMap(({ id, score }) => (id === undefined || score === undefined ? [] : [[id, score] as const])));
  return [
    ...checkIds(expect, ids),
    ...checkScores(expect, scores),
    ...checkDegraded(expect.degraded, outcome),
    ...(expect.output === undefined || canonicalJson(expect.output) === canonicalJson(answer)
      ? []
      : [{ pointer: "/output", problem: `expected ${canonicalJson(expect.output)}, got ${canonicalJson(answer)}`, actual: answer }]),
    ...checkThat(expect.that, { answer, ids, scores }),
  ];
}

/** A run whose output is a list of things with ids can be tested like a search. */
function candidatesIn(output: JsonValue): readonly { readonly id?: string; readonly score?: number }[] {
  return Array.isArray(output) ? (output as readonly { readonly id?: string; readonly score?: number }[]) : [];
}

function checkError(code: string, outcome: Outcome): readonly Unmet[] {
  if (!("error" in outcome)) return [{ pointer: "/error", problem: `expected ${code}, and it succeeded` }];
  return outcome.error.code === code
    ? []
    : [{ pointer: "/error", problem: `expected ${code}, got ${outcome.error.code}: ${outcome.error.message}`, actual: outcome.error.code }];
}

function checkIds({ ids: exact, first, contains, before, excludes, count }: Expectation, ids: readonly string[]): readonly Unmet[] {
  const found = ids.length === 0 ? "nothing" : ids.join(", ");
  const unmet: Unmet[] = [];
  if (exact !== undefined && exact.join("\n") !== ids.join("\n"))
    unmet.push({ pointer: "/ids", problem: `expected ${exact.join(", ") || "nothing"}\n     got ${found}${difference(exact, ids)}`, actual: [...ids] });
  if (first !== undefined && ids[0] !== first) unmet.push({ pointer: "/first", problem: `expected ${first} first, got ${found}`, actual: ids[0] });
  const missing = (contains ?? []).filter((id) => !ids.includes(id));
  if (missing.length > 0) unmet.push({ pointer: "/contains", problem: `${missing.join(", ")} missing in ${found}` });
  const unwanted = (excludes ?? []).filter((id) => ids.includes(id));
  if (unwanted.length > 0) unmet.push({ pointer: "/excludes", problem: `${unwanted.join(", ")} found: ${found}` });
  for (const [index, id] of (before ?? []).entries()) {
    const next = before?.[index + 1];
    const [at, after] = [ids.indexOf(id), next === undefined ? Number.POSITIVE_INFINITY : ids.indexOf(next)];
    if (at < 0 || (next !== undefined && after >= 0 && after < at))
      unmet.push({ pointer: "/before", problem: at < 0 ? `${id} missing in ${found}` : `${next} stands before ${id} in ${found}` });
  }
  if (count !== undefined && count !== ids.length) unmet.push({ pointer: "/count", problem: `expected ${count}, got ${ids.length}`, actual: ids.length });
  return unmet;
}

function difference(expected: readonly string[], ids: readonly string[]): string {
  const missing = expected.filter((id) => !ids.includes(id));
  const more = ids.filter((id) => !expected.includes(id));
  if (missing.length + more.length === 0) return " (the same, in another order)";
  return `${missing.length > 0 ? `\n missing ${missing.join(", ")}` : ""}${more.length > 0 ? `\n    more ${more.join(", ")}` : ""}`;
}

function checkScores({ scores: expected = {}, tolerance = 0.0001 }: Expectation, scores: Readonly<Record<string, number>>): readonly Unmet[] {
  return Object.entries(expected).flatMap(([id, score]): readonly Unmet[] => {
    const found = scores[id];
    if (found !== undefined && Math.abs(found - score) <= tolerance) return [];
    return [
      { pointer: `/scores/${id}`, problem: found === undefined ? `${id} has no score` : `expected ${score} within ${tolerance}, got ${found}`, actual: found },
    ];
  });
}

function checkDegraded(expected: Expectation["degraded"], outcome: Outcome): readonly Unmet[] {
  if (expected === undefined) return [];
  const steps = degradedSteps(outcome);
  const wanted = expected === false ? [] : expected;
  if (steps.toSorted().join("\n") === wanted.toSorted().join("\n")) return [];
  return [
    {
      pointer: "/degraded",
      problem: `expected ${wanted.join(", ") || "nothing"} to be degraded, got ${steps.join(", ") || "nothing"}`,
      actual: steps.length === 0 ? false : [...steps],
    },
  ];
}

/** What an answer says was skipped or replaced. */
export function degradedSteps(outcome: Outcome): readonly string[] {
  const degraded = "search" in outcome ? outcome.search.metadata?.["degraded"] : undefined;
  return Array.isArray(degraded) ? (degraded as readonly { readonly step: string }[]).map(({ step }) => step) : [];
}

function checkThat(
  that: Expectation["that"],
  names: { readonly answer: JsonValue; readonly ids: readonly string[]; readonly scores: Readonly<Record<string, number>> },
): readonly Unmet[] {
  const texts = that === undefined ? [] : typeof that === "string" ? [that] : that;
  return texts.flatMap((text, index): readonly Unmet[] => {
    const pointer = typeof that === "string" ? "/that" : `/that/${index}`;
    const parsed = parseExpression(predicateOf(text).source);
    // Every predicate was checked when the file was read.
    if (!parsed.ok) return [];
    const { source } = predicateOf(text);
    try {
      const value = compileExpression(parsed.expression).evaluate(names as never);
      return value === true ? [] : [{ pointer, problem: `${source} is ${value === undefined ? "absent" : canonicalJson(value)}` }];
    } catch (error) {
      return [{ pointer, problem: `${source} fails: ${error instanceof Error ? error.message : String(error)}` }];
    }
  });
}

/** What is wrong with a predicate before anything is run. */
export function predicateProblems(text: string): readonly ExpressionProblem[] {
  const { source, offset } = predicateOf(text);
  const parsed = parseExpression(source, { offset });
  if (!parsed.ok) return parsed.problems;
  const names = {
    answer: {},
    ids: { type: "array", items: { type: "string" } },
    scores: { type: "object", additionalProperties: { type: "number" } },
  } as const;
  return checkExpression(parsed.expression, { names, expected: { type: "boolean" } }).problems;
}

/** Written with or without its braces. */
function predicateOf(text: string): { readonly source: string; readonly offset: number } {
  const match = /^(\s*\$\{)([\s\S]*)\}\s*$/u.exec(text);
  return match === null ? { source: text, offset: 0 } : { source: match[2] ?? "", offset: match[1]?.length ?? 0 };
}
