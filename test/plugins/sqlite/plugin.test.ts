import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import plugin from "../../../plugins/sqlite/index.ts";

const collection = plugin.kinds.find(({ kind }) => kind === "sqlite.collection");

function describeIt(configuration: Readonly<Record<string, unknown>>): ReturnType<NonNullable<NonNullable<typeof collection>["describe"]>> | undefined {
  return collection?.describe?.({ database: "db", ...configuration } as never, {
    name: "my-kb",
    slot: (pointer) => (pointer === "/embedding" && "embedding" in configuration ? { embedding: { model: "m", dimensions: 3 } } : undefined),
  });
}

describe("the plugin", () => {
  it("has a connection and a collection", () => {
    expect(plugin.name).toBe("sqlite");
    expect(plugin.kinds.map(({ kind, role }) => [kind, role])).toEqual([
      ["sqlite", "connection"],
      ["sqlite.collection", "collection"],
    ]);
  });

  it("loads no driver and no stemmer before something is opened", () => {
    const packages = new Set<string>();
    const seen = new Set<string>();
    const follow = (url: URL): void => {
      if (seen.has(url.href)) return;
      seen.add(url.href);
      const source = readFileSync(url, "utf8");
      for (const [, from = ""] of source.matchAll(/^(?:import|export) (?!type )[^;]*?from "([^"]+)";/gms)) {
        if (from.startsWith(".")) follow(new URL(from, url));
        else packages.add(from);
      }
    };
    follow(new URL("../../../plugins/sqlite/index.ts", import.meta.url));
    expect(seen.size).toBeGreaterThan(5);
    expect([...packages].filter((name) => !name.startsWith("node:"))).toEqual(["@codesoul-co/ditto/plugin"]);
  });
});

describe("what is known of a collection without opening it", () => {
  it("is what it declares", () => {
    expect(describeIt({ embedding: "e", namespace: "tenant", fields: { n: { type: "number", default: 1 }, tags: { type: "array" } } })).toEqual({
      collection: {
        name: "my-kb",
        namespace: "tenant",
        embedding: { model: "m", dimensions: 3 },
        fields: { n: { type: "number", default: 1 }, tags: { type: "array", items: { type: "string" } } },
      },
      warnings: [],
    });
  });

  it("is told where it cannot be right", () => {
    const fields = {
      tenant: { type: "string" },
      n: { type: "number", format: "date", default: "1" },
      s: { type: "string", items: { type: "string" } },
      at: { type: "string", format: "date-time", default: "soon" },
    };
    expect(describeIt({ namespace: "tenant", fields })?.warnings?.map(({ pointer, severity }) => `${severity} ${pointer}`)).toEqual([
      "error /fields/tenant",
      "error /fields/n/format",
      "error /fields/n/default",
      "error /fields/s/items",
      "error /fields/at/default",
    ]);
  });
});
