import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { diagnosticMessage } from "../../src/diagnostics/diagnostic.ts";
import { diagnosticPosition } from "../../src/diagnostics/diagnostic-position.ts";
import { compilePipelineFile } from "../../src/live/compile-file.ts";
import { readScenario } from "./read-scenario.ts";

const folder = import.meta.dirname;

describe("a pipeline file is judged as its marks say", () => {
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".yaml")).sort()) {
    it(basename(path, ".yaml").replaceAll("-", " "), async () => {
      const scenario = readScenario(readFileSync(join(folder, path), "utf8"));
      const env = { SET: "value", EMPTY: "", NUMBER: "7" };
      const { diagnostics } = await compilePipelineFile(join(folder, dirname(path), basename(path)), { text: scenario.text, env });
      const found = diagnostics.map((diagnostic) => {
        const { line, column, endLine, endColumn } = diagnosticPosition(diagnostic.file, diagnostic.span);
        const until = endLine === line ? endColumn : undefined;
        return { line, column, ...(until === undefined ? {} : { endColumn: until }), code: diagnostic.code, suggestion: diagnostic.suggestion, message: diagnosticMessage(diagnostic) };
      });
      const expected = scenario.marks.map((mark) => ({ ...mark, message: expect.any(String) }));
      expect(found, relative(process.cwd(), path)).toEqual(expected.map((mark) => expect.objectContaining(withoutUndefined(mark))));
    });
  }
});

function withoutUndefined<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Partial<T>;
}
