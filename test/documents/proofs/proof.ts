import assert from "node:assert/strict";
import type { World } from "../open-world.ts";

/** What the documents export is known by name only, so its shape is stated where it is proved. */
// biome-ignore lint/suspicious/noExplicitAny: the documents' own code is not there when this is compiled.
export type Documented = any;

/** Runs something of a document and asserts what it gives. */
export type Proof = (documented: Documented, world: World) => Promise<void> | void;

/** Proves a fragment: a block that is no function, known by what stands in it. */
export interface FragmentProof {
  readonly contains: string;
  readonly prove: Proof;
}

/** Asserts that something rejects, or throws, with a code. */
export async function assertCode(code: string, work: () => unknown): Promise<void> {
  await assert.rejects(
    async () => work(),
    (error: unknown) => {
      assert.equal((error as { readonly code?: unknown }).code, code);
      return true;
    },
  );
}

/** The ids of candidates. */
export function ids(found: readonly { readonly id?: string | undefined }[]): readonly (string | undefined)[] {
  return found.map(({ id }) => id);
}
