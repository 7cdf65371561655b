import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createHttpEmbeddingProvider } from "../../../src/retrieval/providers/http-embedding.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

it("an embedding over HTTP waits 30000 ms where nobody says how long", async () => {
  const fetch: typeof globalThis.fetch = (_url, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener("abort", () => reject(new Error("aborted")));
    });
  const embedding = createHttpEmbeddingProvider({ baseUrl: "http://127.0.0.1:9/v1", model: "m", sandbox: { assert: () => undefined }, fetch });
  let outcome: unknown = "waiting";
  embedding.embed({ contents: ["a"], purpose: "query" }).catch((error: unknown) => {
    outcome = error;
  });
  await vi.advanceTimersByTimeAsync(29_999);
  expect(outcome).toBe("waiting");
  await vi.advanceTimersByTimeAsync(1);
  expect(outcome).toMatchObject({ code: "RETRIEVAL_TIMEOUT" });
});
