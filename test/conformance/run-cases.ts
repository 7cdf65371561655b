import { it } from "vitest";
import { type ConformanceCase, selectCases } from "../../src/testing/conformance-case.ts";

/** Makes a test of each case that the subject can be held to. What it lacks must be what the test says that it lacks. */
export function testCases<Subject>(cases: readonly ConformanceCase<Subject>[], subject: Subject, capabilities: readonly string[], timeoutMs = 20_000): void {
  for (const { name, run } of selectCases(cases, capabilities).cases) it(name, () => run(subject), timeoutMs);
}

/** Names of the cases that a subject fails. */
export async function failedCases<Subject>(cases: readonly ConformanceCase<Subject>[], subject: Subject): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const { name, run } of cases) {
    try {
      await run(subject);
    } catch {
      failed.push(name);
    }
  }
  return failed;
}
