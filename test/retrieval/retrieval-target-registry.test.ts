import { describe, expect, it } from "vitest";
import { RetrievalTargetRegistry } from "../../src/retrieval/retrieval-target-registry.ts";
import { stubSearch } from "./support/stub-search.ts";

const vector = stubSearch([]);
const keyword = stubSearch([]);

function registry(): RetrievalTargetRegistry {
  return new RetrievalTargetRegistry({ kb: { defaultStrategy: "vector", providers: { vector, keyword } } });
}

describe("RetrievalTargetRegistry", () => {
  it("resolves a strategy to its provider", () => {
    expect(registry().resolve({ name: "kb" }, "keyword")).toBe(keyword);
  });

  it("takes the target's default for a missing strategy", () => {
    expect(registry().resolve({ name: "kb" })).toBe(vector);
    expect(registry().defaultStrategy({ name: "kb" })).toBe("vector");
  });

  it("resolves by the target's name only", () => {
    expect(registry().resolve({ name: "kb", type: "other", namespace: "tenant", metadata: { a: 1 } })).toBe(vector);
  });

  it("snapshots targets and strategies at construction", () => {
    const providers = { vector, keyword };
    const targets = { kb: { defaultStrategy: "vector", providers } };
    const snapshot = new RetrievalTargetRegistry(targets);
    providers.vector = keyword;
    targets.kb = { defaultStrategy: "keyword", providers };
    expect(snapshot.resolve({ name: "kb" })).toBe(vector);
  });

  it.each(["nowhere", "__proto__", "constructor"])("fails for the unknown target %s", (name) => {
    expect(() => registry().resolve({ name })).toThrow(expect.objectContaining({ code: "RETRIEVAL_TARGET_NOT_FOUND" }));
    expect(() => registry().defaultStrategy({ name })).toThrow(expect.objectContaining({ code: "RETRIEVAL_TARGET_NOT_FOUND" }));
  });

  it.each(["graph", "toString"])("fails for the unknown strategy %s", (strategy) => {
    expect(() => registry().resolve({ name: "kb" }, strategy)).toThrow(expect.objectContaining({ code: "RETRIEVAL_STRATEGY_UNSUPPORTED" }));
  });

  it("refuses rag as a strategy name", () => {
    expect(() => new RetrievalTargetRegistry({ kb: { defaultStrategy: "rag", providers: { rag: vector } } })).toThrow(
      expect.objectContaining({ code: "RETRIEVAL_STRATEGY_UNSUPPORTED" }),
    );
  });

  it("wants the default to be registered", () => {
    expect(() => new RetrievalTargetRegistry({ kb: { defaultStrategy: "graph", providers: { vector } } })).toThrow(
      expect.objectContaining({ code: "RETRIEVAL_STRATEGY_UNSUPPORTED" }),
    );
  });

  it("refuses empty names", () => {
    expect(() => new RetrievalTargetRegistry({ "": { defaultStrategy: "vector", providers: { vector } } })).toThrow(
      expect.objectContaining({ code: "RETRIEVAL_INVALID_INPUT" }),
    );
  });
});
