import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { generatedFiles } from "../../schema/generate/generated-files.ts";

const files = Object.entries(await generatedFiles());

describe("generated files", () => {
  test.each(files)("%s is what `npm run generate` writes", (path, text) => {
    expect(readFileSync(join(import.meta.dirname, "../..", path), "utf8")).toBe(text);
  });
});
