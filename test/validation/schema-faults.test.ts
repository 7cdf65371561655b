import { describe, expect, test } from "vitest";
import { corePlugin } from "../../src/kinds/core-plugin.ts";
import { schemaFaults } from "../../src/validation/schema-faults.ts";

describe("a plugin's schema", () => {
  test.each(corePlugin.kinds.map((kind) => [`${kind.role} ${kind.kind}`, kind.schema] as const))("of the core's own kind %s is sound", (_, schema) => {
    expect(schemaFaults(schema)).toEqual([]);
  });

  test("may carry this package's annotations, in their form", () => {
    expect(schemaFaults({ properties: { a: { "x-ditto-slot": { role: "search", literals: ["fail"] } } } })).toEqual([]);
    expect(schemaFaults({ properties: { a: { "x-ditto-slot": { role: "serach" } } } })).toEqual([
      'role must be one of "connection", "collection", "search", "embedding", "reranker", "call", "memory-store", "context-store" and 1 more, not "serach"',
    ]);
    expect(schemaFaults({ "x-ditto-place": {} })).toEqual(['missing key "sees" in x-ditto-place']);
  });

  test("is refused with every fault", () => {
    expect(schemaFaults({ type: "objekt", properties: [], pattern: "(" })).toHaveLength(3);
    expect(schemaFaults(undefined)).toEqual(["the schema must be a mapping, not null"]);
    const circle: Record<string, unknown> = {};
    circle.properties = circle;
    expect(schemaFaults(circle)).toEqual(["it is no JSON"]);
  });
});
