import type { Collection } from "@codesoul-co/ditto/plugin";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCollection, type TestCollection, testEmbedding } from "./open-test-collection.ts";

let test: TestCollection;
let kb: Collection;
const embedding = testEmbedding();
const open = async (): Promise<TestCollection> => await openCollection({ namespace: "tenant", embedding, fields: { n: { type: "number" } } });

beforeEach(async () => {
  test = await open();
  kb = test.collection;
});
afterEach(async () => await test.close());

const code = (expected: string): object => expect.objectContaining({ code: expected });
const acme = { tenant: "acme" };
const target = (namespace?: string) => ({ name: "t", namespace });

describe("a collection with a scope", () => {
  it("wants it in every request", async () => {
    await expect(kb.write({ memories: [{ content: 1 }] })).rejects.toEqual(code("INVALID_INPUT"));
    await expect(kb.write({ memories: [{ content: 1, metadata: { tenant: "" } }] })).rejects.toEqual(code("INVALID_INPUT"));
    await expect(kb.write({ memories: [{ content: 1, metadata: { tenant: 1 } }] })).rejects.toEqual(code("INVALID_INPUT"));
    for (const filter of [
      undefined,
      {},
      { tenant: "" },
      { tenant: { in: ["acme"] } },
      { tenant: { eq: "acme", exists: true } },
      { tenant: ["acme"] },
      { n: 1 },
    ]) {
      await expect(kb.query({ filter })).rejects.toEqual(code("INVALID_FILTER"));
      await expect(kb.get({ ids: ["a"], filter })).rejects.toEqual(code("INVALID_FILTER"));
      await expect(kb.update({ memories: [{ id: "a", content: 1 }], filter })).rejects.toEqual(code("INVALID_FILTER"));
      await expect(kb.delete({ ids: ["a"], filter })).rejects.toEqual(code("INVALID_FILTER"));
    }
    await expect(kb.get({ ids: ["a"], filter: { ...acme, n: 1 } })).rejects.toEqual(code("INVALID_FILTER"));
    for (const search of [kb.text, kb.vector]) {
      await expect(search?.search({ query: { content: search === kb.text ? "a" : [1] }, target: target() })).rejects.toEqual(code("RETRIEVAL_INVALID_INPUT"));
      await expect(search?.search({ query: { content: search === kb.text ? "a" : [1] }, target: target("acme"), filter: { tenant: "other" } })).rejects.toEqual(
        code("RETRIEVAL_INVALID_INPUT"),
      );
    }
    await expect(kb.records.hashes(["a"])).rejects.toEqual(code("INVALID_INPUT"));
    await expect(kb.records.remove(["a"])).rejects.toEqual(code("INVALID_INPUT"));
    await expect(kb.records.removeWhere({ n: 1 })).rejects.toEqual(code("INVALID_INPUT"));
    await expect(kb.records.replace([])).rejects.toEqual(code("INVALID_INPUT"));
    await expect(kb.vectors?.(["a"])).rejects.toEqual(code("RETRIEVAL_INVALID_INPUT"));
  });

  it("shows it in the metadata, keeps it through UPDATE, and refuses another one", async () => {
    const [item] = await kb.write({ memories: [{ content: "a", metadata: { ...acme, n: 1 } }] });
    const id = item?.id ?? "";
    expect(item?.metadata).toEqual({ ...acme, n: 1 });
    expect(await kb.update({ memories: [{ id, metadata: { n: 2 } }], filter: acme })).toEqual([{ id, content: "a", metadata: { ...acme, n: 2 } }]);
    expect(await kb.update({ memories: [{ id, metadata: { ...acme, n: 3 } }], filter: { tenant: { eq: "acme" } } })).toHaveLength(1);
    await expect(kb.update({ memories: [{ id, metadata: { tenant: "other" } }], filter: acme })).rejects.toEqual(code("INVALID_INPUT"));
    expect((await kb.text.search({ query: { content: "a" }, target: target("acme") })).candidates[0]?.metadata).toEqual({ ...acme, n: 3 });
  });

  it("takes names as they are: no prefix, no wildcard, no case", async () => {
    const tenants = ["acme", "acme-corp", "ACME", "acme ", "a%", "a_me", "ácme", "a'me", "acme\u0000"];
    await kb.write({ memories: tenants.map((tenant) => ({ key: "k", content: `word ${tenant}`, metadata: { tenant } })) });
    for (const tenant of tenants) {
      const own = [`word ${tenant}`];
      expect((await kb.query({ filter: { tenant } })).items.map(({ content }) => content)).toEqual(own);
      expect((await kb.get({ keys: ["k"], filter: { tenant } })).map(({ content }) => content)).toEqual(own);
      expect((await kb.text.search({ query: { content: "word" }, target: target(tenant) })).candidates.map(({ content }) => content)).toEqual(own);
      expect((await kb.vector?.search({ query: { content: Array(9).fill(1) }, target: target(tenant) }))?.candidates.map(({ content }) => content)).toEqual(
        own,
      );
      expect(await kb.records.count({ namespace: tenant })).toBe(1);
    }
    expect(await kb.records.count()).toBe(tenants.length);
  });

  it("has the same record in two scopes", async () => {
    const record = (content: string) => ({ id: "r", hash: "h", parts: [{ id: "r#0", content }] });
    await kb.records.replace([record("one")], { namespace: "a" });
    await kb.records.replace([record("two")], { namespace: "b" });
    expect((await kb.get({ ids: ["r#0"], filter: { tenant: "a" } }))[0]).toEqual({ id: "r#0", content: "one", metadata: { tenant: "a", parent: "r" } });
    expect(await kb.records.remove(["r"], { namespace: "a" })).toBe(1);
    expect(await kb.records.hashes(["r"], { namespace: "b" })).toEqual(new Map([["r", "h"]]));
    const all = [];
    for await (const batch of kb.records.scan({ batchSize: 1 })) all.push(...batch);
    expect(all).toEqual([{ id: "r#0", recordId: "r", hash: "h", namespace: "b", content: "two", metadata: { tenant: "b", parent: "r" } }]);
    await expect(kb.records.replace([{ id: "x", hash: "h", parts: [{ id: "x", content: 1, metadata: { tenant: "b" } }] }], { namespace: "a" })).rejects.toEqual(
      code("INVALID_INPUT"),
    );
  });
});

it("refuses a scope where the collection has none", async () => {
  const plain = await openCollection({});
  await expect(plain.collection.text.search({ query: { content: "a" }, target: target("acme") })).rejects.toEqual(code("RETRIEVAL_INVALID_INPUT"));
  await expect(plain.collection.get({ ids: ["a"], filter: acme })).rejects.toEqual(code("INVALID_FILTER"));
  await expect(plain.collection.query({ filter: acme })).rejects.toEqual(code("INVALID_FILTER"));
  await expect(plain.collection.records.count({ namespace: "acme" })).rejects.toEqual(code("INVALID_INPUT"));
  await plain.close();
});

const tenant = fc.constantFrom("a", "a-b", "A");
const operation = fc.oneof(
  fc.record({ do: fc.constant("write" as const), tenant, key: fc.option(fc.constantFrom("k", "l")) }),
  fc.record({ do: fc.constantFrom("update" as const, "delete" as const, "get" as const), tenant, pick: fc.nat({ max: 20 }) }),
  fc.record({ do: fc.constantFrom("removeWhere" as const, "query" as const, "text" as const, "vector" as const), tenant }),
);

it("never reads, counts or changes a row of another scope, whatever is done", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 40 }), async (operations) => {
      const { collection, close } = await open();
      const model = new Map<string, { readonly tenant: string; readonly key: string | null; content: string }>();
      let serial = 0;
      for (const each of operations) {
        const filter = { tenant: each.tenant };
        const own = [...model].filter(([, row]) => row.tenant === each.tenant);
        const anybody = [...model.keys()];
        const picked = "pick" in each ? (anybody[each.pick % Math.max(1, anybody.length)] ?? "nobody") : "";
        const mine = model.get(picked)?.tenant === each.tenant;
        if (each.do === "write") {
          serial += 1;
          const content = `word${serial}`;
          const draft = { content: `word ${content}`, metadata: filter, ...(each.key === null ? {} : { key: each.key }) };
          const taken = each.key !== null && own.some(([, row]) => row.key === each.key);
          const written = collection.write({ memories: [draft] });
          if (taken) await expect(written).rejects.toEqual(code("CONFLICT"));
          else model.set((await written)[0]?.id ?? "", { tenant: each.tenant, key: each.key, content: `word ${content}` });
        } else if (each.do === "update") {
          const updated = collection.update({ memories: [{ id: picked, content: "word changed" }], filter });
          const row = mine ? model.get(picked) : undefined;
          if (row === undefined) await expect(updated).rejects.toEqual(code("NOT_FOUND"));
          else {
            await updated;
            row.content = "word changed";
          }
        } else if (each.do === "delete") {
          expect(await collection.delete({ ids: [picked], filter })).toEqual({ deleted: mine ? [picked] : [] });
          if (mine) model.delete(picked);
        } else if (each.do === "get") {
          expect(await collection.get({ ids: [picked], filter })).toHaveLength(mine ? 1 : 0);
        } else if (each.do === "removeWhere") {
          expect(await collection.records.removeWhere({ key: "k" }, { namespace: each.tenant })).toBe(own.filter(([, row]) => row.key === "k").length);
          for (const [id, row] of own) if (row.key === "k") model.delete(id);
        } else {
          const found =
            each.do === "query"
              ? (await collection.query({ filter })).items
              : ((
                  await collection[each.do]?.search({
                    query: { content: each.do === "text" ? "word" : Array(9).fill(1) },
                    target: target(each.tenant),
                    limit: 100,
                  })
                )?.candidates ?? []);
          expect(new Map(found.map(({ id, content }) => [id, content]))).toEqual(new Map(own.map(([id, row]) => [id, row.content])));
        }
        expect(await collection.records.count()).toBe(model.size);
      }
      await close();
    }),
    { numRuns: 60 },
  );
}, 120_000);
