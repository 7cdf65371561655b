import { describe, expect, it } from "vitest";
import { judgeText } from "../support/load-text.ts";

function text(by: string, more = ""): string {
  return `version: 1
name: routed
resources:
  db: { sqlite: { file: a.db } }
  kb: { sqlite.collection: { database: db } }
targets:
  kb:
    default: auto
    strategies:
      keyword: { text: { collection: kb } }
      auto:
        route:
          by: ${by}
${more}          branches: { zh: { search: keyword }, en: { search: keyword } }
`;
}

describe("what names a branch is judged", () => {
  it.each([
    [`'\${ query.content.matches("x") ? "zh" : "en" }'`],
    [`'\${ coalesce(query.content.matches("x") ? "zh" : "en", "en") }'`],
    [`'\${ bucket(text(query.content), { "zh": 10, "en": 90 }) }'`],
    ["zh"],
  ])("%s names branches only", async (by) => {
    expect(await judgeText(text(by))).toEqual([]);
  });

  it("a result that is no branch is told at its own place", async () => {
    expect(await judgeText(text(`'\${ query.content.matches("x") ? "zhh" : "en" }'`))).toEqual(['13:48 DITTO317 this gives "zhh", which is no branch -> zh']);
    expect(await judgeText(text(`'\${ bucket(text(query.content), { "control": 10, "en": 90 }) }'`))).toEqual([
      '13:49 DITTO317 this gives "control", which is no branch',
    ]);
    expect(await judgeText(text("fr"))).toEqual(['13:15 DITTO317 this gives "fr", which is no branch']);
    expect(await judgeText(text(`'\${ query.content.matches("x") ? "zhh" : "en" }'`, "          default: en\n"))).toEqual([
      '13:48 DITTO317 this gives "zhh", which is no branch -> zh',
    ]);
  });

  it("a result that nobody knows beforehand needs a default", async () => {
    const by = "${ coalesce(query.?metadata.?lang, text(query.content)) }";
    expect(await judgeText(text(by))).toEqual(["13:15 DITTO318 by needs a default, for its result is not known beforehand"]);
    expect(await judgeText(text(by, "          default: en\n"))).toEqual([]);
    expect(await judgeText(text(by, "          default: fr\n"))).toEqual(['14:20 DITTO217 "fr" is no branch']);
  });
});
