import { describe, expect, it } from "vitest";
import { createMemory } from "../../../src/worker/memory/create-memory.ts";
import { storeAnswering } from "./map-store.ts";

const badItems: readonly (readonly [string, unknown])[] = [
  ["no object", "m1"],
  ["null", null],
  ["an array", []],
  ["no id", { content: 1 }],
  ["an empty id", { id: "", content: 1 }],
  ["an id that is a number", { id: 1, content: 1 }],
  ["no content", { id: "m1" }],
  ["an empty key", { id: "m1", key: "", content: 1 }],
  ["key: null", { id: "m1", key: null, content: 1 }],
  ["metadata that is a text", { id: "m1", content: 1, metadata: "{}" }],
  ["metadata: null", { id: "m1", content: 1, metadata: null }],
];

const code = async (store: ReturnType<typeof storeAnswering>) => {
  const memory = createMemory({ store });
  return {
    get: (await memory.get({ ids: ["m1"] })).error?.code,
    query: (await memory.query({})).error?.code,
    search: (await memory.search({ query: "x" })).error?.code,
    write: (await memory.write({ memories: [{ content: 1 }] })).error?.code,
    update: (await memory.update({ memories: [{ id: "m1", content: 1 }] })).error?.code,
    delete: (await memory.delete({ ids: ["m1"] })).error?.code,
  };
};

describe("INVALID_BACKEND_OUTPUT: the plugin's answer breaks the contract", () => {
  it.each(badItems)("refuses an item that has %s", async (_name, item) => {
    expect(await code(storeAnswering([item]))).toMatchObject({
      get: "INVALID_BACKEND_OUTPUT",
      write: "INVALID_BACKEND_OUTPUT",
      update: "INVALID_BACKEND_OUTPUT",
    });
    expect(await code(storeAnswering({ items: [item] }))).toMatchObject({ query: "INVALID_BACKEND_OUTPUT" });
    expect(await code(storeAnswering([{ memory: item }]))).toMatchObject({ search: "INVALID_BACKEND_OUTPUT" });
  });

  it.each([undefined, null, "text", 5, { rows: [] }, [undefined], new Array(1)])("refuses the answer %j from every method", async (answer) => {
    expect(new Set(Object.values(await code(storeAnswering(answer))))).toEqual(new Set(["INVALID_BACKEND_OUTPUT"]));
  });

  it("refuses one id twice", async () => {
    const twice = [
      { id: "m1", content: 1 },
      { id: "m1", content: 1 },
    ];
    expect(await code(storeAnswering(twice))).toMatchObject({
      get: "INVALID_BACKEND_OUTPUT",
      write: "INVALID_BACKEND_OUTPUT",
      update: "INVALID_BACKEND_OUTPUT",
    });
    expect(await code(storeAnswering({ items: twice }))).toMatchObject({ query: "INVALID_BACKEND_OUTPUT" });
    expect(await code(storeAnswering(twice.map((memory) => ({ memory }))))).toMatchObject({ search: "INVALID_BACKEND_OUTPUT" });
  });

  it.each(["", 3, null])("refuses the nextCursor %j", async (nextCursor) => {
    expect(await code(storeAnswering({ items: [], nextCursor }))).toMatchObject({ query: "INVALID_BACKEND_OUTPUT" });
  });

  it("refuses metadata of a hit that is no plain object", async () => {
    expect(await code(storeAnswering([{ memory: { id: "m1", content: 1 }, metadata: [] }]))).toMatchObject({ search: "INVALID_BACKEND_OUTPUT" });
  });

  it("takes an item of a class of its own", async () => {
    class Row {
      readonly id = "m1";
      get content() {
        return "from a getter";
      }
    }
    const result = await createMemory({ store: storeAnswering([new Row()]) }).get({ ids: ["m1"] });
    expect(result.output).toEqual([{ id: "m1", content: "from a getter" }]);
  });

  it("hides the text of an item that throws when it is read", async () => {
    const item = {
      id: "m1",
      get content(): never {
        throw new Error("hunter2");
      },
    };
    const { error } = await createMemory({ store: storeAnswering([item]) }).get({ ids: ["m1"] });
    expect(error?.code).toBe("MEMORY_BACKEND_ERROR");
    expect(error?.message).not.toContain("hunter2");
  });
});
