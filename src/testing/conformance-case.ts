/** One sentence that must hold of every subject of a kind, whatever runs it. */
export interface ConformanceCase<Subject> {
  /** The sentence. */
  readonly name: string;
  /** Capabilities of the subject without which the sentence means nothing, such as `scope`. */
  readonly needs: readonly string[];
  /**
   * Opens what it needs of the subject, tries it and closes it again.
   *
   * @throws ConformanceError `CONFORMANCE_FAILED` where the sentence does not hold.
   */
  run(subject: Subject): Promise<void>;
}

/** Cases that a subject can be held to, and those it cannot, with what it lacks. */
export interface CaseSelection<Subject> {
  readonly cases: readonly ConformanceCase<Subject>[];
  readonly leftOut: readonly { readonly name: string; readonly lacks: readonly string[] }[];
}

/**
 * Chooses the cases that a subject can be held to. What it lacks is listed, so that a gap is never silent.
 *
 * @param cases The cases of a suite.
 * @param capabilities What the subject can do.
 * @example
 * ```ts
 * const { cases, leftOut } = selectCases(memoryStoreCases, ["scope"]);
 * for (const { name, run } of cases) it(name, () => run(subject));
 * ```
 */
export function selectCases<Subject>(cases: readonly ConformanceCase<Subject>[], capabilities: readonly string[]): CaseSelection<Subject> {
  const lacking = (needs: readonly string[]) => needs.filter((need) => !capabilities.includes(need));
  return {
    cases: cases.filter(({ needs }) => lacking(needs).length === 0),
    leftOut: cases.filter(({ needs }) => lacking(needs).length > 0).map(({ name, needs }) => ({ name, lacks: lacking(needs) })),
  };
}
