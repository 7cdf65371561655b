import { describe, expect, it } from "vitest";
import type { ContextScope } from "../../../src/contracts/context.ts";
import type { ContextCallOptions, ContextServices } from "../../../src/contracts/context-services.ts";
import { RetrievalError } from "../../../src/contracts/retrieval-error.ts";
import type { ContextPolicy } from "../../../src/contracts/runtime-config.ts";
import { createContext } from "../../../src/worker/context/create-context.ts";

const items = [{ id: "a", content: "x" }];
const scope: ContextScope = { sessionId: "s" };

describe("createContext", () => {
  it("gives execute the same handlers as the four methods, without an envelope", async () => {
    const context = createContext();
    const input = { sources: [{ role: "user", content: "Hello" }] };
    expect(await context.execute("CONTEXT.LOAD", input)).toEqual(await context.load(input));
    expect(await context.execute("CONTEXT.SELECT", { context: { items }, purpose: "infer" })).toEqual(
      await context.select({ context: { items }, purpose: "infer" }),
    );
  });

  it("rejects with UNKNOWN_NODE for an unknown node", async () => {
    for (const node of ["CONTEXT.FORGET", "toString", "__proto__"]) {
      await expect(createContext().execute(node as "CONTEXT.LOAD", { sources: [] })).rejects.toMatchObject({ name: "ContextError", code: "UNKNOWN_NODE" });
    }
  });

  it.each([
    { maxItems: 0 },
    { maxItems: 1_000_001 },
    { maxInlineBytes: 1.5 },
    { maxTokens: "5" },
    { duplicate: "drop" },
    { missingRemoval: true },
    { maxItem: 5 },
  ])("refuses the policy %j at construction", (policy) => {
    expect(() => createContext({ policy: policy as ContextPolicy })).toThrow(expect.objectContaining({ code: "INVALID_INPUT" }));
  });

  it("reads the policy once, at construction", async () => {
    const policy = { maxItems: 1 };
    const context = createContext({ policy });
    policy.maxItems = 5;
    await expect(context.load({ sources: [...items, { id: "b", content: 1 }] })).rejects.toMatchObject({ code: "ITEM_LIMIT_EXCEEDED" });
  });

  it("hands signal and runtime to selector, strategy, compressor, estimator, resolver, store and queue", async () => {
    const seen = new Map<string, ContextCallOptions | undefined>();
    const note = <T>(name: string, answer: T, options: ContextCallOptions | undefined): T => {
      seen.set(name, options);
      return answer;
    };
    const services: ContextServices = {
      selector: { select: async (_, options) => note("selector", ["a"], options) },
      ragStrategy: { select: async (_, options) => note("ragStrategy", items, options) },
      compressor: { compress: async ({ context }, options) => note("compressor", context, options) },
      tokenEstimator: { estimate: (_, options) => note("tokenEstimator", 1, options) },
      referenceResolver: { resolve: async (_, options) => note("referenceResolver", "x", options) },
      stateStore: {
        get: async (_, options) => note("get", { version: "1", context: { items } }, options),
        compareAndSet: async (_scope, _version, _next, options) => note("compareAndSet", true, options),
      },
      queue: { run: (_, operation, options) => note("queue", operation(), options) },
    };
    const context = createContext({ services });
    const options = { signal: new AbortController().signal, runtime: { invoke: async () => undefined as never } };
    await context.load({ sources: [{ uri: "u" }], resolveReferences: true, scope }, options);
    await context.select({ scope, purpose: "infer", strategy: { kind: "provider", name: "x" } }, options);
    await context.select({ scope, purpose: "infer", strategy: { kind: "rag" } }, options);
    await context.compress({ scope, maxTokens: 5 }, options);
    expect([...seen.keys()].sort()).toEqual(["compareAndSet", "compressor", "get", "queue", "ragStrategy", "referenceResolver", "selector", "tokenEstimator"]);
    for (const call of seen.values()) {
      expect(call?.signal).toBe(options.signal);
      expect(call?.runtime).toBe(options.runtime);
    }
  });

  it("keeps code and message of a coded error that a service throws, as a ContextError", async () => {
    const ragStrategy = {
      select: async () => {
        throw new RetrievalError("RETRIEVAL_TARGET_NOT_FOUND", "No such target");
      },
    };
    const failure = createContext({ services: { ragStrategy } }).select({ context: { items }, purpose: "infer", strategy: { kind: "rag" } });
    await expect(failure).rejects.toMatchObject({ name: "ContextError", code: "RETRIEVAL_TARGET_NOT_FOUND", message: "No such target" });
  });

  it.each(["selector", "ragStrategy", "compressor", "tokenEstimator"])(
    "answers STRATEGY_UNAVAILABLE when the %s fails without a code, and keeps its text to the cause",
    async (name) => {
      const fail = () => {
        throw new Error("hunter2");
      };
      const context = createContext({ services: { [name]: { select: fail, compress: fail, estimate: fail } } as ContextServices });
      const call =
        name === "compressor"
          ? context.compress({ context: { items } })
          : context.select({
              context: { items },
              purpose: "infer",
              maxTokens: 9,
              strategy: name === "selector" ? { kind: "provider", name: "x" } : name === "ragStrategy" ? { kind: "rag" } : { kind: "default" },
            });
      const failure = await call.catch((thrown: unknown) => thrown);
      expect(failure).toMatchObject({ name: "ContextError", code: "STRATEGY_UNAVAILABLE", cause: { message: "hunter2" } });
      expect((failure as Error).message).not.toContain("hunter2");
    },
  );

  describe("cancellation", () => {
    it("rejects with the signal's reason before anything is asked", async () => {
      let asked = false;
      const stateStore = {
        get: async () => {
          asked = true;
          return undefined;
        },
        compareAndSet: async () => true,
      };
      const call = createContext({ services: { stateStore } }).select({ scope, purpose: "infer" }, { signal: AbortSignal.abort(new Error("gone")) });
      await expect(call).rejects.toThrow("gone");
      expect(asked).toBe(false);
    });

    it("rejects when the signal aborts meanwhile, also where the service does not listen, and hands its work over", async () => {
      let end: (items: []) => void = () => {};
      const held: Promise<unknown>[] = [];
      const ragStrategy = {
        select: () =>
          new Promise<[]>((resolve) => {
            end = resolve;
          }),
      };
      const controller = new AbortController();
      const call = createContext({ services: { ragStrategy } }).select(
        { context: { items }, purpose: "infer", strategy: { kind: "rag" } },
        { signal: controller.signal, hold: (work) => held.push(work) },
      );
      const failure = expect(call).rejects.toThrow("gone");
      await Promise.resolve();
      controller.abort(new Error("gone"));
      await failure;
      expect(held).toHaveLength(1);
      end([]);
      await held[0];
    });

    it("stores nothing after an abort", async () => {
      const controller = new AbortController();
      const calls: string[] = [];
      const stateStore = {
        get: async () => {
          calls.push("get");
          controller.abort(new Error("gone"));
          return { version: "1", context: { items } };
        },
        compareAndSet: async () => (calls.push("compareAndSet"), true),
      };
      await expect(createContext({ services: { stateStore } }).update({ scope }, { signal: controller.signal })).rejects.toThrow("gone");
      await new Promise((resolve) => setImmediate(resolve));
      expect(calls).toEqual(["get"]);
    });
  });
});
