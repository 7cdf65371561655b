import { describe, expect, it } from "vitest";
import type { RetrievalSearchOutput } from "../../../src/contracts/retrieval.ts";
import { RetrievalError } from "../../../src/contracts/retrieval-error.ts";
import { createFallbackSearchProvider } from "../../../src/retrieval/providers/fallback.ts";
import { createTimeoutSearchProvider } from "../../../src/retrieval/providers/timeout.ts";
import { candidates, failingSearch, idsOf, request, stubSearch } from "../support/stub-search.ts";
import { deferred } from "../support/until.ts";

describe("createFallbackSearchProvider", () => {
  it("leaves a search that answers alone", async () => {
    const fallback = stubSearch([]);
    const output = await createFallbackSearchProvider({ search: stubSearch(candidates("a")), fallback }).search(request);
    expect(idsOf(output)).toEqual(["a"]);
    expect(output).not.toHaveProperty("metadata");
    expect(fallback.calls).toEqual([]);
  });

  it.each([
    "RETRIEVAL_BACKEND_ERROR",
    "RETRIEVAL_PROVIDER_UNAVAILABLE",
    "RETRIEVAL_TIMEOUT",
    "RETRIEVAL_INVALID_BACKEND_OUTPUT",
    "RETRIEVAL_INVALID_EMBEDDING",
  ])("asks the fallback for %s and shows it as degraded", async (code) => {
    const degraded = [{ step: "inner", code: "X", elapsedMs: 1 }];
    const fallback = stubSearch(() => ({ candidates: candidates("b"), metadata: { engine: "fts", degraded } }));
    const output = await createFallbackSearchProvider({ search: failingSearch(new RetrievalError(code, "x")), fallback, label: "ranked" }).search({
      ...request,
      strategy: "main",
    });
    expect(fallback.calls[0]?.input).toEqual({ ...request, strategy: "main" });
    expect(output).toMatchObject({ candidates: candidates("b"), strategy: "main", metadata: { engine: "fts" } });
    expect(output.metadata?.degraded).toEqual([{ step: "ranked", code, elapsedMs: expect.any(Number) }, ...degraded]);
  });

  it("asks it for an exception without a code, whose text never shows", async () => {
    const output = await createFallbackSearchProvider({ search: failingSearch(new Error("hunter2")), fallback: stubSearch([]) }).search(request);
    expect(output.metadata?.degraded).toMatchObject([{ step: "search", code: "RETRIEVAL_BACKEND_ERROR" }]);
    expect(JSON.stringify(output)).not.toContain("hunter2");
  });

  it.each(["RETRIEVAL_INVALID_INPUT", "RETRIEVAL_STRATEGY_UNSUPPORTED", "RETRIEVAL_PERMISSION_DENIED", "RETRIEVAL_CANCELLED"])("never for %s", async (code) => {
    const error = new RetrievalError(code, "x");
    const fallback = stubSearch([]);
    await expect(createFallbackSearchProvider({ search: failingSearch(error), fallback }).search(request)).rejects.toBe(error);
    expect(fallback.calls).toEqual([]);
  });

  it("never once the caller has gone", async () => {
    const fallback = stubSearch([]);
    await expect(
      createFallbackSearchProvider({ search: failingSearch(new Error("x")), fallback }).search(request, { signal: AbortSignal.abort() }),
    ).rejects.toThrow("x");
    expect(fallback.calls).toEqual([]);
  });

  it("tells both failures where the fallback fails too", async () => {
    const provider = createFallbackSearchProvider({
      search: failingSearch(new RetrievalError("RETRIEVAL_TIMEOUT", "late")),
      fallback: failingSearch(new Error("hunter2")),
      label: "ranked",
    });
    const error = await provider.search(request).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: "RETRIEVAL_TIMEOUT",
      failures: [
        { step: "ranked", code: "RETRIEVAL_TIMEOUT" },
        { step: "fallback", code: "RETRIEVAL_BACKEND_ERROR" },
      ],
    });
    expect((error as Error).message).not.toContain("hunter2");
  });
});

describe("createTimeoutSearchProvider", () => {
  it("leaves a search in time alone", async () => {
    const search = stubSearch(candidates("a"));
    expect(idsOf(await createTimeoutSearchProvider({ search, timeoutMs: 60_000 }).search(request))).toEqual(["a"]);
    expect(search.calls[0]?.context?.signal?.aborted).toBe(false);
  });

  it("answers at the deadline; the fallback serves, and the late work is held", async () => {
    const work = deferred<Partial<RetrievalSearchOutput>>();
    const held: Promise<unknown>[] = [];
    const slow = stubSearch(() => work.promise);
    const provider = createFallbackSearchProvider({
      search: createTimeoutSearchProvider({ search: slow, timeoutMs: 5, label: "slow" }),
      fallback: stubSearch(candidates("b")),
      label: "slow",
    });
    const output = await provider.search(request, { hold: (late) => held.push(late) });
    expect(idsOf(output)).toEqual(["b"]);
    expect(output.metadata?.degraded).toMatchObject([{ step: "slow", code: "RETRIEVAL_TIMEOUT" }]);
    expect(held).toHaveLength(1);
    work.reject(new Error("late"));
    await expect(held[0]).resolves.toBeUndefined();
  });

  it("hands the caller's abort on", async () => {
    const controller = new AbortController();
    const search = stubSearch(async (_, context) => {
      controller.abort(new Error("gone"));
      context?.signal?.throwIfAborted();
      return {};
    });
    await expect(createTimeoutSearchProvider({ search, timeoutMs: 60_000 }).search(request, { signal: controller.signal })).rejects.toThrow("gone");
  });

  it("sees a signal that had aborted before", async () => {
    const search = stubSearch(async (_, context) => {
      context?.signal?.throwIfAborted();
      return {};
    });
    await expect(createTimeoutSearchProvider({ search, timeoutMs: 60_000 }).search(request, { signal: AbortSignal.abort(new Error("gone")) })).rejects.toThrow(
      "gone",
    );
  });

  it.each([0, 1.5, 2 ** 31, Number.NaN])("refuses the deadline %d", (timeoutMs) => {
    expect(() => createTimeoutSearchProvider({ search: stubSearch([]), timeoutMs })).toThrow(expect.objectContaining({ code: "RETRIEVAL_INVALID_INPUT" }));
  });
});
