import { expect, it } from "vitest";
import { type ConformanceCase, selectCases } from "../../src/testing/conformance-case.ts";

/** Makes a test of each case that the subject can be held to. What it lacks must be what the test says that it lacks. */
export function testCases<Subject>(cases: readonly ConformanceCase<Subject>[], subject: Subject, capabilities: readonly string[], timeoutMs = 20_000): void {
  for (const { name, run } of selectCases(cases, capabilities).cases) it(name, () => run(subject), timeoutMs);
}

/**
 * Makes a test of each case that it can fail: with a subject that has the fault which the case is there to find.
 *
 * @param cases The cases; each must have its fault.
 * @param faults Faulty subjects by the name of a case.
 */
export function testFaults<Subject>(cases: readonly ConformanceCase<Subject>[], faults: Readonly<Record<string, Subject>>): void {
  it("has a fault planted for every case, and no other", () => {
    expect(Object.keys(faults).sort()).toEqual(cases.map(({ name }) => name).sort());
  });
  for (const { name, run } of cases) {
    const faulty = faults[name];
    if (faulty !== undefined) it(`can fail: ${name}`, () => expect(run(faulty)).rejects.toMatchObject({ code: "CONFORMANCE_FAILED" }));
  }
}
