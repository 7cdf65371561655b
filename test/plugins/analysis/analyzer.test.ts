import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { analysisFingerprint, createAnalyzer } from "../../../plugins/analysis/analyzer.ts";
import { languageCodes } from "../../../plugins/analysis/languages.ts";

const english = await createAnalyzer("en");

/** Whether a question finds a text: they share a token. */
function finds(question: string, text: string): boolean {
  const tokens = new Set(english.index(text));
  return english.query(question).some((token) => tokens.has(token));
}

describe("words", () => {
  it("meet in their forms, whatever their case and accents", () => {
    expect(english.index("Resetting PASSWORDS")).toEqual(english.index("resets password"));
    expect(english.index("Café naïve résumé")).toEqual(english.index("cafe naive resume"));
    expect(english.index("ＡＢＣ ﬁle")).toEqual(english.index("abc file"));
  });

  it("keep accents for the stemmer of a language that needs them", async () => {
    const french = await createAnalyzer("fr");
    expect(french.index("mangées")).toEqual(french.index("mangé"));
  });

  it("drop what an apostrophe hangs on, and keep what stands before it", () => {
    expect(english.index("the plan's")).toEqual(["the", "plan"]);
    expect(english.index("l’eau")).toEqual(["l", "eau"]);
  });

  it("stay as they are without a language", async () => {
    const none = await createAnalyzer("none");
    expect(none.index("The Passwords")).toEqual(["the", "passwords"]);
    expect(none.query("the 的")).toEqual(["the", "的"]);
  });
});

describe("a question", () => {
  it("leaves out words that say nothing", () => {
    expect(english.query("What is the capital of a country?")).toEqual(["capit", "countri"]);
    expect(english.query("什么是首都")).not.toContain("什么");
  });

  it("keeps them when there is nothing else", () => {
    expect(english.query("to be or not to be")).toEqual(["to", "be", "or", "not"]);
    expect(english.query("的")).toEqual(["的"]);
  });

  it("asks for each word once", () => {
    expect(english.query("lock locks LOCK")).toEqual(["lock"]);
  });

  it("keeps a word that only looks like one of those", () => {
    expect(english.query("who won the cup")).toEqual(["won", "cup"]);
    expect(english.query("one or two")).toEqual(["on", "two"]);
  });

  it("is empty without words", () => {
    expect(english.query("  *** -- () \"' 🎉")).toEqual([]);
  });
});

describe("Chinese, Japanese and Korean", () => {
  it.each(["重", "重跑", "重跑后", "gen-itgc", "itgc", "后"])("are found by %s in mixed text", (question) => {
    expect(finds(question, "重跑gen-itgc后")).toBe(true);
  });

  it.each([
    ["東", "東京タワー"],
    ["タワー", "東京タワー"],
    ["서울", "서울특별시"],
    ["시", "서울특별시"],
    ["ｶﾅ", "カナ"],
  ])("find %s in %s", (question, text) => {
    expect(finds(question, text)).toBe(true);
  });

  it("do not meet by a sound", () => {
    expect(finds("のり", "きのう")).toBe(false);
  });

  it("are cut between whole characters", () => {
    expect(english.index("𠮷野家")).toEqual(["𠮷野", "𠮷", "野家", "野", "家"]);
  });
});

describe("names of programs, products and versions", () => {
  it.each([
    ["E-1042", "error E-1042 occurred"],
    ["E1042", "error E-1042 occurred"],
    ["1042", "error E-1042 occurred"],
    ["node.js", "we use node.js here"],
    ["nodejs", "we use Node.js here"],
    ["node", "we use node.js here"],
    ["C++", "written in C++."],
    ["C#", "written in C#, mostly"],
    ["ATLAS_PROXY_URL", "set ATLAS_PROXY_URL=x"],
    ["proxy", "set ATLAS_PROXY_URL=x"],
    ["1.20.3", "since 1.20.3"],
    ["icu4c@78", "brew install icu4c@78"],
    ["multi-agent", "a multi-agent system"],
    ["agents", "a multi-agent system"],
    ["50%", "50% off"],
  ])("are found by %s", (question, text) => {
    expect(finds(question, text)).toBe(true);
  });

  it("differ where they differ", () => {
    expect(english.index("1.20.3")).toContain("1.20.3");
    expect(english.index("12.0.3")).not.toContain("1.20.3");
    expect(english.index("C++")).toContain("c++");
    expect(english.index("C")).not.toContain("c++");
    expect(english.index("issue #12")).not.toContain("issue#");
  });
});

describe("tokens", () => {
  const texts = fc.oneof(fc.string({ unit: "binary", maxLength: 60 }), fc.string({ unit: "grapheme", maxLength: 60 }), fc.lorem());

  it("of a question are among those of the same text", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const tokens = new Set(english.index(text));
        expect(english.query(text).filter((token) => !tokens.has(token))).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  it.each(languageCodes)("of language %s hold nothing that an index could take for something else", async (language) => {
    const analyzer = await createAnalyzer(language);
    fc.assert(
      fc.property(texts, (text) => {
        for (const token of analyzer.index(text)) {
          expect(token).toMatch(/^(?:[\p{L}\p{M}\p{N}.+#])+$/u);
          expect(token.length).toBeLessThanOrEqual(64);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("are cut where they are no words any more", () => {
    expect(english.index("x".repeat(100_000))).toEqual(["x".repeat(64)]);
  });
});

it("has a fingerprint of version and language", () => {
  expect(analysisFingerprint("en")).toMatch(/^\d+:en$/);
  expect(analysisFingerprint("en")).not.toBe(analysisFingerprint("de"));
});

it("refuses a language that it does not have", async () => {
  await expect(createAnalyzer("xx")).rejects.toThrow(RangeError);
});
