import { afterAll, beforeAll, expect, it } from "vitest";
import { collectionCases } from "../../src/testing/collection/collection-cases.ts";
import { selectCases } from "../../src/testing/conformance-case.ts";
import { wordEmbedding, wordVector } from "../../src/testing/word-embedding.ts";
import { openTestDatabase } from "../plugins/milvus/open-test-database.ts";
import { pooledCollections } from "../plugins/milvus/pooled-collections.ts";
import { describeWithServer } from "../servers/describe-with-server.ts";
import { milvus23, type MilvusServer, startMilvus } from "../servers/milvus.ts";
import { testCases } from "./run-cases.ts";

/** No search by words: the server keeps no sparse vectors. These cases are held on Milvus Lite. */
const needsText =
  /full text|word|both searches|a blank text|a found row|records are (?:written|removed)|replaces it whole|metadata come back|a request beyond|cannot mean/;
/** They read some hundred times, which takes this server minutes; held on Milvus Lite. */
const needsMinutes = /ids of records are taken|a value to filter by|cursors stay right in every order/;
/** What they try is done on this side of the connection: judging requests, ordering rows. Held on Milvus Lite. */
const needsNoServer =
  /orderBy takes|pages stay right|methods leave|a value of another type|a default fills|leaves its request|an order that cannot|a later field decides|a cursor that|vectors: (?:an answer|every candidate|scores fall)/;
const chosen = collectionCases.filter(({ name }) => !needsText.test(name) && !needsMinutes.test(name) && !needsNoServer.test(name));
const capabilities = ["scope", "atomic", "unique-keys", "vectors", "exact-vectors"];

describeWithServer(milvus23, () => {
  let server: MilvusServer | undefined;
  let connection: Awaited<ReturnType<typeof openTestDatabase>> | undefined;

  beforeAll(async () => {
    server = await startMilvus(milvus23);
    connection = await openTestDatabase({ address: server.address });
  }, 130_000);

  afterAll(async () => {
    await connection?.close();
    await server?.stop();
  }, 60_000);

  const subject = pooledCollections(() => {
    if (connection === undefined) throw new Error("not connected");
    return connection.database;
  });
  testCases(chosen, subject, capabilities, 60_000);

  it("keyword search is refused with a code, and the plan names no sparse field", { timeout: 60_000 }, async () => {
    const { collection, close } = await subject.open({ name: "kb", fields: {}, embedding: wordEmbedding });
    await collection.write({ memories: [{ content: "the tide turns" }] });
    const searched = collection.text.search({ query: { content: "tide" }, target: { name: "t" } });
    await expect(searched).rejects.toMatchObject({ code: "RETRIEVAL_STRATEGY_UNSUPPORTED" });
    const found = await collection.vector?.search({ query: { content: wordVector("the tide turns") }, target: { name: "t" } });
    expect(found?.candidates).toHaveLength(1);
    await close?.();
  });

  it("no id, namespace or value of a filter is ever syntax", { timeout: 60_000 }, async () => {
    const { collection, close } = await subject.open({ name: "kb", fields: { s: { type: "string" } }, namespace: "tenant", embedding: wordEmbedding });
    const attacks = ['x"] or id not in ["', '"] or pk not in ["', 'x" or pk != "', "\\", '"', "a\nb", "a\r", "%", "\u0000", 'a\\" or pk != "'];
    const records = attacks.map((id) => ({ id, hash: "h", parts: [{ id, content: "word", metadata: { s: id } }] }));
    await collection.records.replace(records, { namespace: "acme" });
    await collection.records.replace([{ id: "theirs", hash: "h", parts: [{ id: "theirs", content: "word" }] }], { namespace: "acme-corp" });
    for (const attack of attacks) {
      const found = (await collection.query({ filter: { tenant: "acme", s: attack } })).items;
      expect(found.map(({ id }) => id)).toEqual([attack]);
      expect((await collection.delete({ ids: [`none ${attack}`], filter: { tenant: "acme" } })).deleted).toEqual([]);
      expect((await collection.query({ filter: { tenant: `acme" or scope != "${attack}` } })).items).toEqual([]);
    }
    expect(await collection.records.count()).toBe(attacks.length + 1);
    expect(await collection.records.remove(attacks, { namespace: "acme" })).toBe(attacks.length);
    expect(await collection.records.count()).toBe(1);
    await close?.();
  });
});

it("what Milvus 2.3 is not held to has a reason", () => {
  expect(selectCases(collectionCases, capabilities).leftOut).toEqual([]);
  const left = (reason: RegExp): number => collectionCases.filter(({ name }) => reason.test(name)).length;
  expect([left(needsText), left(needsMinutes), left(needsNoServer), chosen.length]).toEqual([22, 3, 15, 30]);
});
