import { describe, it } from "vitest";

/** How the tests of one kind of server find it. */
export interface ServerRequirement {
  /** As a sentence names it: "PostgreSQL 15". */
  readonly name: string;
  /** Whether it can be started here. */
  readonly isInstalled: boolean;
  /** The command that brings it. */
  readonly install: string;
}

/**
 * Groups tests that need a server. Where it is not installed they are left out, and the run says how to get it; under `CI=true` that is a
 * failure instead, so that nothing goes untested in silence.
 *
 * @param body Declares the tests; it starts the server itself in `beforeAll`, once a file.
 */
export function describeWithServer({ name, isInstalled, install }: ServerRequirement, body: () => void): void {
  if (isInstalled) {
    describe(name, body);
    return;
  }
  describe(name, () => {
    if (process.env.CI === "true") {
      it("is installed", () => {
        throw new Error(`${name} is not installed: ${install}`);
      });
      return;
    }
    it.skip(`is not installed, so its tests are left out: ${install}`, () => {});
  });
}
