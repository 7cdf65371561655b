import { describe, expect, it } from "vitest";
import { createTextSearchProvider } from "../../../src/retrieval/providers/text.ts";
import { candidates, request, stubSearch } from "../support/stub-search.ts";

describe("createTextSearchProvider", () => {
  it("hands the text to the backend, without embedding", async () => {
    const backend = stubSearch(candidates("a"));
    const output = await createTextSearchProvider(backend).search({ ...request, strategy: "keyword" });
    expect(backend.calls[0]?.input).toEqual({ ...request, strategy: "keyword" });
    expect(output).toEqual({ candidates: candidates("a"), strategy: "keyword", target: request.target });
  });

  it.each(["", "  \n\t", "\u3000", 5, null, ["a"], { text: "a" }])("refuses the content %j before the backend is asked", async (content) => {
    const backend = stubSearch([]);
    await expect(createTextSearchProvider(backend).search({ ...request, query: { content } })).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_INPUT" });
    expect(backend.calls).toEqual([]);
  });

  it("never treats users' text as syntax: it arrives as it was written", async () => {
    const backend = stubSearch([]);
    const content = " multi-agent AND don't NEAR( title:foo * ";
    await createTextSearchProvider(backend).search({ ...request, query: { content } });
    expect(backend.calls[0]?.input.query.content).toBe(content);
  });
});
