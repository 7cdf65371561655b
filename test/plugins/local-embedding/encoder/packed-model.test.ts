import { copyFileSync, mkdtempSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type ModelHeader, readModelHeader } from "../../../../plugins/local-embedding/encoder/model-header.ts";
import { loadPackedModel } from "../../../../plugins/local-embedding/encoder/packed-model.ts";
import { golden, goldenDifference, goldenTolerance, modelFolder } from "../golden.ts";

const header = readModelHeader(modelFolder);
const model = loadPackedModel(modelFolder, header);

test.each(golden)("Its vectors are the golden ones: $kind $text", (expected) => {
  expect(goldenDifference(expected, model.encode(expected.tokens))).toBeLessThanOrEqual(goldenTolerance);
});

test("A vector has length one, for any number of tokens", () => {
  for (const count of [1, 2, 3, 15, 16, 17, 511, 512]) {
    const vector = model.encode(Array.from({ length: count }, (_, index) => 1000 + 7 * index));
    expect(vector).toHaveLength(384);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  }
});

test("A text before leaves no trace in the next", () => {
  const tokens = golden[0]?.tokens ?? [];
  const before = model.encode(tokens);
  model.encode(Array.from({ length: 512 }, (_, index) => 60_000 - index));
  expect(model.encode(tokens)).toEqual(before);
});

test("Tokens that the model cannot take are refused before they reach the kernel", () => {
  for (const tokens of [[], Array(513).fill(5), [-1], [header.tokenizer.pieces], [Number.NaN]]) expect(() => model.encode(tokens)).toThrow(RangeError);
});

test("A model of another shape than the kernel's is refused", () => {
  expect(() => loadPackedModel(modelFolder, { ...header, layers: 6 })).toThrow("layers = 12");
  const tensors = header.tensors.map((tensor) => (tensor.name === "l3.2.w" ? { ...tensor, rows: 1 } : tensor));
  expect(() => loadPackedModel(modelFolder, { ...header, tensors } satisfies ModelHeader)).toThrow("l3.2.w");
});

test("Weights of another size than the header's are refused", () => {
  const folder = mkdtempSync(join(tmpdir(), "ditto-weights-"));
  for (const file of ["weights.bin", "kernel.wasm"]) copyFileSync(join(modelFolder, file), join(folder, file));
  truncateSync(join(folder, "weights.bin"), header.bytes - 64);
  expect(() => loadPackedModel(folder, header)).toThrow(`the header says ${header.bytes}`);
});
