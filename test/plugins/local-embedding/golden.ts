import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A text with what the model makes of it. */
export interface GoldenVector {
  /** The model's prefix before the text; empty for none. */
  readonly kind: "query" | "passage" | "";
  readonly text: string;
  readonly tokens: readonly number[];
  /** The first components of the vector, to six digits. */
  readonly first8: readonly number[];
}

export const golden: readonly GoldenVector[] = JSON.parse(readFileSync(new URL("golden.json", import.meta.url), "utf8")) as GoldenVector[];

/** Difference that the rounding to six digits and another order of sums explain. */
export const goldenTolerance = 1e-5;

export const modelFolder: string = fileURLToPath(new URL("../../../plugins/local-embedding/model", import.meta.url));

/** Largest difference of the golden components from those of a vector. */
export function goldenDifference(expected: GoldenVector, vector: ArrayLike<number> | undefined): number {
  return Math.max(...expected.first8.map((component, index) => Math.abs(component - (vector?.[index] ?? Number.NaN))));
}
