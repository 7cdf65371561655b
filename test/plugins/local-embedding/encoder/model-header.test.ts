import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { modelName, readModelHeader } from "../../../../plugins/local-embedding/encoder/model-header.ts";
import { modelFolder } from "../golden.ts";

test("The header names the model with its major version", () => {
  expect(modelName(readModelHeader(modelFolder))).toBe("multilingual-e5-small-en-zh-q4@1");
});

test("A header of another format is refused", () => {
  const folder = mkdtempSync(join(tmpdir(), "ditto-header-"));
  writeFileSync(join(folder, "header.json"), JSON.stringify({ ...readModelHeader(modelFolder), format: "bert-packed/3" }));
  expect(() => readModelHeader(folder)).toThrow("bert-packed/3");
});
