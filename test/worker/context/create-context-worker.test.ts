import { describe, expect, it } from "vitest";
import type { ContextSelectRequest } from "../../../src/contracts/context-services.ts";
import { createDitto } from "../../../src/runtime/create-ditto.ts";
import { defaultConfig } from "../../../src/runtime/default-config.ts";
import { contextCompressNode, contextLoadNode, contextSelectNode, contextUpdateNode } from "../../../src/worker/context/context-nodes.ts";
import { createContext } from "../../../src/worker/context/create-context.ts";
import { createContextWorker } from "../../../src/worker/context/create-context-worker.ts";
import { createInMemoryContextStore } from "../../../src/worker/context/create-in-memory-context-store.ts";
import { defineWorker } from "../../../src/worker/define-worker.ts";

describe("createContextWorker", () => {
  it("serves the four nodes with the SDK's handlers and returns their data without an envelope", async () => {
    const runtime = createDitto({ workers: [createContextWorker()] });
    expect(createContextWorker().nodeTypes).toEqual(["CONTEXT.LOAD", "CONTEXT.UPDATE", "CONTEXT.SELECT", "CONTEXT.COMPRESS"]);
    const sources = [{ role: "user", content: "Hello" }];
    const context = await runtime.invoke("CONTEXT.LOAD", { sources });
    expect(context).toEqual(await createContext().load({ sources }));
    expect((await runtime.invoke("CONTEXT.UPDATE", { context, add: [{ id: "a", content: 1 }] })).items).toHaveLength(2);
    expect((await runtime.invoke("CONTEXT.SELECT", { context, purpose: "infer" })).selectedItemIds).toHaveLength(1);
    expect((await runtime.invoke("CONTEXT.COMPRESS", { context, maxItems: 0 })).items).toEqual([]);
    await runtime.close();
  });

  it("rejects through the Runtime with a ContextError", async () => {
    const runtime = createDitto({ workers: [createContextWorker()] });
    await expect(runtime.invoke("CONTEXT.LOAD", { sources: [{ id: "", content: 1 }] })).rejects.toMatchObject({ name: "ContextError", code: "INVALID_INPUT" });
    await runtime.close();
  });

  it("takes each member of the policy from the constructor, then from ditto.yaml, then from what is built in", async () => {
    const config = { ...defaultConfig(), context: { policy: { maxItems: 1, duplicate: "reject" as const } } };
    const sources = [
      { id: "a", content: 1 },
      { id: "b", content: 2 },
    ];
    const configured = createDitto({ config, workers: [createContextWorker()] });
    await expect(configured.invoke("CONTEXT.LOAD", { sources })).rejects.toMatchObject({ code: "ITEM_LIMIT_EXCEEDED" });
    const overridden = createDitto({ config, workers: [createContextWorker({ policy: { maxItems: 2 } })] });
    expect((await overridden.invoke("CONTEXT.LOAD", { sources })).items).toHaveLength(2);
    await expect(overridden.invoke("CONTEXT.LOAD", { sources: [sources[0], sources[0]] as typeof sources })).rejects.toMatchObject({ code: "DUPLICATE_ITEM" });
    const plain = createDitto({ workers: [createContextWorker()] });
    expect((await plain.invoke("CONTEXT.LOAD", { sources })).items).toHaveLength(2);
    await Promise.all([configured.close(), overridden.close(), plain.close()]);
  });

  it("gives services the invocation-bound Runtime and the call's signal", async () => {
    const seen: boolean[] = [];
    const ragStrategy = {
      select: async (_: ContextSelectRequest, options?: { signal?: AbortSignal | undefined; runtime?: { invoke: unknown } | undefined }) => {
        seen.push(options?.signal instanceof AbortSignal, typeof options?.runtime?.invoke === "function");
        return [];
      },
    };
    const runtime = createDitto({ workers: [createContextWorker({ services: { ragStrategy } })] });
    const input = { context: { items: [] }, purpose: "infer", strategy: { kind: "rag" } } as const;
    await runtime.invoke("CONTEXT.SELECT", input, { signal: new AbortController().signal });
    expect(seen).toEqual([true, true]);
    await runtime.close();
  });

  it("keeps cached state between calls", async () => {
    const runtime = createDitto({ workers: [createContextWorker({ services: { stateStore: createInMemoryContextStore() } })] });
    const scope = { sessionId: "s" };
    await runtime.invoke("CONTEXT.LOAD", { sources: [{ role: "user", content: "Hello" }], scope });
    expect((await runtime.invoke("CONTEXT.SELECT", { scope, purpose: "infer" })).context.items[0]?.content).toBe("Hello");
    await runtime.close();
  });

  it("has a descriptor for each node, whose define takes another handler", async () => {
    expect([contextLoadNode, contextUpdateNode, contextSelectNode, contextCompressNode].map((node) => node.type)).toEqual(createContextWorker().nodeTypes);
    const custom = contextLoadNode.define("CONTEXT", async () => ({ items: [] }));
    const runtime = createDitto({ workers: [defineWorker({ type: "CONTEXT", nodes: { [custom.type]: custom } })] });
    expect(await runtime.invoke("CONTEXT.LOAD", { sources: [{ role: "user", content: "x" }] })).toEqual({ items: [] });
    await runtime.close();
  });

  it("refuses a policy out of range when it is made", () => {
    expect(() => createContextWorker({ policy: { maxItems: 0 } })).toThrow(expect.objectContaining({ code: "INVALID_INPUT" }));
  });
});
