import { MilvusClient } from "@zilliz/milvus2-sdk-node";
import type { RetrievalSearchProvider } from "@codesoul-co/ditto/plugin";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openMilvusSearch } from "../../../plugins/milvus/milvus-search.ts";
import { describeWithServer } from "../../servers/describe-with-server.ts";
import { milvusLite, type MilvusServer, startMilvus } from "../../servers/milvus.ts";

describeWithServer(milvusLite, () => {
  let server: MilvusServer | undefined;
  let client: MilvusClient | undefined;

  beforeAll(async () => {
    server = await startMilvus();
    client = new MilvusClient({ address: server.address, logLevel: "error" });
    await client.connectPromise;
    const fields = [
      { name: "number", data_type: "Int64", is_primary_key: true, autoID: false },
      ...["tenant", "title"].map((name) => ({ name, data_type: "VarChar", max_length: 200 })),
      { name: "size", data_type: "Double" },
      { name: "open", data_type: "Bool" },
      { name: "tags", data_type: "Array", element_type: "VarChar", max_length: 50, max_capacity: 8 },
      { name: "near", data_type: "FloatVector", dim: 2 },
    ];
    await client.createCollection({ collection_name: "shop", fields: fields as never });
    await client.createIndex({ collection_name: "shop", field_name: "near", index_name: "near", index_type: "FLAT", metric_type: "L2" });
    await client.loadCollectionSync({ collection_name: "shop" });
    const rows = [
      { number: "9007199254740993", tenant: "a", title: "first", size: 9, open: true, tags: ["x", "y"], near: [1, 0] },
      { number: "9007199254740995", tenant: "a", title: "second", size: 10, open: false, tags: ["y"], near: [2, 0] },
      { number: "3", tenant: 'a" or tenant != "', title: "third", size: 100, open: true, tags: [], near: [1, 0] },
    ];
    await client.insert({ collection_name: "shop", data: rows });
  }, 130_000);

  afterAll(async () => {
    await client?.closeConnection();
    await server?.stop();
  }, 60_000);

  const open = async (more: object = {}): Promise<RetrievalSearchProvider> => {
    const configuration = {
      database: client,
      collection: "shop",
      vectorField: "near",
      outputFields: ["title", "size"],
      namespace: "tenant",
      fields: { size: { type: "number" }, open: { type: "boolean" }, tags: { type: "array" }, title: { type: "string" } },
      row: ({ row }: { row: Readonly<Record<string, unknown>> }) => ({
        id: row.id,
        content: row.title,
        score: row.score,
        metadata: { distance: row.distance },
      }),
      ...more,
    };
    return (await openMilvusSearch(configuration as never, { name: "shop" } as never)).value;
  };
  const ask = async (request: object = {}, provider?: RetrievalSearchProvider) =>
    (await (provider ?? (await open())).search({ query: { content: [1, 0] }, target: { name: "t", namespace: "a" }, ...request })).candidates;

  it("gives ids with all their digits, the nearest first, and scores that rise with relevance whatever the metric", async () => {
    expect(await ask()).toEqual([
      { id: "9007199254740993", content: "first", score: 0, metadata: { distance: 0 } },
      { id: "9007199254740995", content: "second", score: -1, metadata: { distance: 1 } },
    ]);
  });

  it("binds namespace and filter by their types", async () => {
    const titles = async (filter: object): Promise<unknown> => (await ask({ filter })).map(({ content }) => content);
    expect(await titles({ size: { gte: 10 } })).toEqual(["second"]);
    expect(await titles({ open: true })).toEqual(["first"]);
    expect(await titles({ tags: { any: ["x"] } })).toEqual(["first"]);
    expect(await titles({ tags: { all: ["y"] } })).toEqual(["first", "second"]);
    expect(await titles({ title: 'x" or title != "' })).toEqual([]);
    expect((await ask({ target: { name: "t", namespace: 'a" or tenant != "' } })).map(({ content }) => content)).toEqual(["third"]);
    await expect(ask({ target: { name: "t" } })).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_INPUT" });
    await expect(ask({ filter: { unknown: 1 } })).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_INPUT" });
    await expect(ask({ filter: { size: "10" } })).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_INPUT" });
  });

  it("is an error with a code where the server would fail, and never an empty answer", async () => {
    const failing = async (more: object, request: object = {}): Promise<unknown> => ask(request, await open(more)).catch((error: unknown) => error);
    expect(await failing({ collection: "nope" })).toMatchObject({ code: "COLLECTION_MISSING" });
    expect(await failing({ vectorField: "nope" })).toMatchObject({ code: "COLLECTION_MISMATCH" });
    expect(await failing({ outputFields: ["nope"] })).toMatchObject({ code: "COLLECTION_MISMATCH" });
    expect(await failing({ metric: "COSINE" })).toMatchObject({ code: "COLLECTION_MISMATCH" });
    expect(await failing({}, { query: { content: [1, 2, 3] } })).toMatchObject({ code: "RETRIEVAL_INVALID_EMBEDDING" });
    expect(await failing({}, { query: { content: [0, 0] } })).toMatchObject({ code: "RETRIEVAL_INVALID_EMBEDDING" });
    expect(await failing({}, { query: { content: "words" } })).toMatchObject({ code: "RETRIEVAL_INVALID_INPUT" });
  });
});
