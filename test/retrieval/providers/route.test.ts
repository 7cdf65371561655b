import { describe, expect, it } from "vitest";
import { createRouteSearchProvider } from "../../../src/retrieval/providers/route.ts";
import { recordedTrace, stepsOf } from "../support/recorded-trace.ts";
import { candidates, failingSearch, idsOf, request, stubSearch } from "../support/stub-search.ts";

const branches = () => ({ zh: stubSearch(candidates("zh")), en: stubSearch(candidates("en")) });

describe("createRouteSearchProvider", () => {
  it("hands the request to the branch that `by` names, and to no other", async () => {
    const { zh, en } = branches();
    const route = createRouteSearchProvider({ by: ({ query }) => (/\p{Script=Han}/u.test(String(query.content)) ? "zh" : "en"), branches: { zh, en } });
    expect(idsOf(await route.search({ ...request, query: { content: "退款" } }))).toEqual(["zh"]);
    expect(idsOf(await route.search({ ...request, strategy: "auto" }))).toEqual(["en"]);
    expect(zh.calls).toHaveLength(1);
    expect(en.calls[0]?.input).toEqual({ ...request, strategy: "auto" });
  });

  it.each([undefined, null, "fr", "__proto__"])("takes the default where `by` gives %j", async (name) => {
    const route = createRouteSearchProvider({ by: () => name, branches: branches(), default: "en" });
    expect(idsOf(await route.search(request))).toEqual(["en"]);
  });

  it.each([undefined, "fr", "toString"])("fails without a default where `by` gives %j", async (name) => {
    const route = createRouteSearchProvider({ by: () => name, branches: branches() });
    await expect(route.search(request)).rejects.toMatchObject({ code: "RETRIEVAL_STRATEGY_UNSUPPORTED" });
  });

  it("gives `by` the request with its limit", async () => {
    const seen: unknown[] = [];
    const by = (asked: unknown) => {
      seen.push(asked);
      return "en";
    };
    await createRouteSearchProvider({ by, branches: branches() }).search({ query: { content: "x" }, target: { name: "kb" } });
    expect(seen).toEqual([{ query: { content: "x" }, target: { name: "kb" }, limit: 10 }]);
  });

  it("fails with its branch and keeps the branch's metadata", async () => {
    const error = new Error("down");
    await expect(createRouteSearchProvider({ by: () => "a", branches: { a: failingSearch(error) } }).search(request)).rejects.toBe(error);
    const degraded = [{ step: "x", code: "C", elapsedMs: 1 }];
    const output = await createRouteSearchProvider({ by: () => "a", branches: { a: stubSearch(() => ({ metadata: { degraded } })) } }).search(request);
    expect(output.metadata?.degraded).toEqual(degraded);
  });

  it("refuses no branches and an unknown default at construction", () => {
    expect(() => createRouteSearchProvider({ by: () => "a", branches: {} })).toThrow(expect.objectContaining({ code: "RETRIEVAL_INVALID_INPUT" }));
    expect(() => createRouteSearchProvider({ by: () => "a", branches: branches(), default: "fr" })).toThrow(
      expect.objectContaining({ code: "RETRIEVAL_INVALID_INPUT" }),
    );
  });

  it("traces the branch it took", async () => {
    const trace = recordedTrace();
    await createRouteSearchProvider({ by: () => "zh", branches: branches() }).search(request, { trace });
    expect(stepsOf(trace)).toEqual(["search:route", "branch:zh"]);
  });
});
